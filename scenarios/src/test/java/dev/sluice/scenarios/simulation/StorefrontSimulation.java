package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.csv;
import static io.gatling.javaapi.core.CoreDsl.doSwitch;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.onCase;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Choice;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The requests of a Next.js storefront in the proportions in which browsers send them: with each
 * document its static files, segment prefetches, prefetches of dynamic pages and a payload of one,
 * some images; now and then an account page and a Server Action. Confined to Gatling's own threads.
 *
 * <p>Weights, targets and kinds are in {@code storefront.csv}; arrivals take them in an order that
 * one seed gives, so that every run asks for the same.
 */
public final class StorefrontSimulation extends Simulation {

  private static final double RATE = Settings.rate("per_second", 250);
  private static final Duration TIME = Settings.seconds("seconds", 6);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 10);
  private static final int PRODUCTS = Settings.count("products", 40);
  private static final long SEED = 16;

  private final Recorder recorder = new Recorder();

  public StorefrontSimulation() {
    setUp(
            Load.warmed(
                recorder,
                scenario("storefront")
                    .exec(feed(listFeeder(mix()).circular()))
                    .exec(StorefrontSimulation::ofAProduct)
                    .exec(doSwitch("#{kind}").on(kinds()))
                    .injectOpen(constantUsersPerSec(RATE).during(TIME))))
        .protocols(Load.protocol())
        .assertions(global().failedRequests().count().is(0L));
  }

  /** Every record as often as its weight says, shuffled. */
  private static List<Map<String, Object>> mix() {
    List<Map<String, Object>> mix = new ArrayList<>();
    for (Map<String, Object> row : csv(Settings.data("storefront.csv")).readRecords()) {
      mix.addAll(Collections.nCopies(Integer.parseInt("" + row.get("weight")), row));
    }
    Collections.shuffle(mix, new Random(SEED));
    return mix;
  }

  private static Session ofAProduct(Session session) {
    String target = "" + session.getString("target");
    String product = "" + Math.floorMod(session.userId() * 7, PRODUCTS);
    return session.set(
        "target", target.replace("{product}", product).replace("{n}", "" + session.userId()));
  }

  private List<Choice.WithKey> kinds() {
    return List.of(
        kind("document", get("document").header("Accept", "text/html")),
        kind(
            "segment",
            payload("segment")
                .header("next-router-prefetch", "1")
                .header("next-router-segment-prefetch", "/_tree")),
        kind(
            "prefetch",
            payload("prefetch")
                .header("next-router-prefetch", "1")
                .header(
                    "next-router-state-tree",
                    "%5B%22%22%2C%7B%7D%2Cnull%2C%22metadata-only%22%5D")),
        kind(
            "payload",
            payload("payload")
                .header("next-router-state-tree", "%5B%22%22%2C%7B%7D%2Cnull%2C%22refetch%22%5D")),
        kind("static", get("static")),
        kind("image", get("image").header("Accept", "image/avif,image/webp,image/*,*/*;q=0.8")),
        kind("account", get("account").header("Cookie", "session=#{target}")),
        kind(
            "action",
            http("action")
                .post("#{target}")
                .header("next-action", "7f4c2a9be03d1586d2407c11a5e6f3b890cd4e71aa")
                .header("Accept", "text/x-component")
                .header("Content-Type", "text/plain;charset=UTF-8")
                .body(StringBody("[\"#{target}\"]"))));
  }

  private static HttpRequestActionBuilder get(String kind) {
    return http(kind).get("#{target}");
  }

  /** What the router asks for instead of a document. */
  private static HttpRequestActionBuilder payload(String kind) {
    return get(kind).header("rsc", "1").header("Accept", "*/*").header("next-url", "/");
  }

  private Choice.WithKey kind(String name, HttpRequestActionBuilder request) {
    ChainBuilder recorded = recorder.record(name, request.requestTimeout(PATIENCE), 200);
    return onCase(name).then(recorded);
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
