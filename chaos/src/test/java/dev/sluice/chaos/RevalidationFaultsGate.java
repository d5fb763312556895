package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Faults while a stored page is asked about again: the stored one stands in, whole, and a page that
 * came broken never takes its place (CCH-08 to CCH-12, C03).
 */
class RevalidationFaultsGate {

  private static final int PAGE = 60_000;
  private static final Duration LIFETIME = Duration.ofMillis(200);
  private static final String FRESH = "&h=Cache-Control:max-age%3D60";

  /** With a validator: the origin answers 304 while the stored one names it. */
  private static final String SAME = FRESH + "&etag=one";

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s }, debug_headers: true }
      timeouts: { origin_connect: 1s, origin_response: 1s, origin_read: 1s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 200ms
        concurrency: { max: 40 }
      cache: { enabled: true }
      routes:
        - id: plain
          match: "/plain/**"
          class: public_ssr
          cache: { ttl: { max: 200ms }, stale_while_revalidate: 0s, stale_if_error: 0s }
        - id: error
          match: "/error/**"
          class: public_ssr
          cache: { ttl: { max: 200ms }, stale_while_revalidate: 0s, stale_if_error: 5m }
        - id: behind
          match: "/behind/**"
          class: public_ssr
          cache: { ttl: { max: 200ms }, stale_while_revalidate: 1m, stale_if_error: 5m }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  /** Faults that leave nothing of an answer, or only a piece of one. */
  private static final List<Fault> HARMFUL =
      List.of(Fault.TIMEOUT, Fault.RESET_PEER, Fault.LIMIT_DATA);

  @Test
  void faultsWhileRevalidating_storedPageStandsIn() {
    ChaosStack.claim(
            "revalidation",
            "Whatever befalls a revalidation, the stored page stands in, and no broken one is kept.")
        .given("page_bytes", PAGE)
        .given("lifetime_millis", LIFETIME.toMillis())
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                for (Fault fault : HARMFUL) {
                  for (ToxicDirection way : ToxicDirection.values()) {
                    harmful(gate, stack, fault, way);
                  }
                }
                harmless(gate, stack);
                lineCut(gate, stack);
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void harmful(Gate gate, ChaosStack stack, Fault fault, ToxicDirection way) {
    // A request is less than the limit lets through: a smaller one.
    Line.Change strike =
        fault == Fault.LIMIT_DATA && way == ToxicDirection.UPSTREAM
            ? line -> line.toxics().limitData("fault", way, 30)
            : line -> fault.strike(line.toxics(), way);
    String name = (fault + "_" + way).toLowerCase(Locale.ROOT);
    for (String route : List.of("plain", "error", "behind")) {
      String path = "/" + route + "/" + name;
      String stored = render(ask(stack, path, FRESH));
      awaitStale();
      stack.back().strike(strike);
      VisitRecord during = ask(stack, path, FRESH);
      Sight sight = Sight.of(during, path, PAGE);
      if (route.equals("plain")) {
        gate.control(name + "_without_stale", sight);
        gate.control(name + "_without_stale_whole", sight == Sight.WHOLE ? 1 : 0, exactly(0));
      } else if (route.equals("error") && fault == Fault.LIMIT_DATA && isAnswer(way)) {
        // Its head was good and is with the client: all that is left is an end that is seen as one.
        gate.measured(name + "_" + route, sight, equalTo(Sight.CUT));
      } else {
        gate.measured(name + "_" + route, sight, equalTo(Sight.WHOLE));
        gate.measured(
            name + "_" + route + "_is_stored", render(during).equals(stored), equalTo(true));
      }
      stack.back().heal();
      gate.measured(
          name + "_" + route + "_renewed_after_millis",
          renewedMillis(stack, path, stored),
          atMost(4_000));
    }
  }

  private static boolean isAnswer(ToxicDirection way) {
    return way == ToxicDirection.DOWNSTREAM;
  }

  /** How long it takes until another page than the stored one comes; each that comes is whole. */
  private static long renewedMillis(ChaosStack stack, String path, String stored) {
    long began = System.nanoTime();
    Await.until(
        "new page",
        ChaosStack.PATIENCE,
        () -> {
          VisitRecord next = ask(stack, path, FRESH);
          Sight sight = Sight.of(next, path, PAGE);
          if (sight == Sight.WRONG || sight == Sight.HUNG) {
            throw new AssertionError(path + ": " + sight);
          }
          return sight == Sight.WHOLE && !render(next).equals(stored);
        });
    return (System.nanoTime() - began) / 1_000_000;
  }

  private static void harmless(Gate gate, ChaosStack stack) {
    for (Fault fault : List.of(Fault.LATENCY, Fault.JITTER, Fault.BANDWIDTH, Fault.SLICER)) {
      String name = fault.name().toLowerCase(Locale.ROOT);
      String path = "/error/" + name;
      ask(stack, path, SAME);
      awaitStale();
      stack.back().strike(fault, ToxicDirection.DOWNSTREAM);
      stack.origin().reset();
      VisitRecord during = ask(stack, path, SAME);
      stack.back().heal();
      gate.measured(name, Sight.of(during, path, PAGE), equalTo(Sight.WHOLE));
      // A 304 has no body: what came is the stored one.
      OriginStats counted = stack.origin().stats();
      gate.measured(name + "_origin_bytes", counted.bytesWritten(), below(PAGE / 2.0));
      gate.measured(name + "_asked", counted.requestsUnder(path), exactly(1));
    }
  }

  private static void lineCut(Gate gate, ChaosStack stack) {
    String path = "/error/cut";
    String stored = render(ask(stack, path, FRESH));
    awaitStale();
    stack.back().cut();
    gate.control(
        "cut_without_stale", stack.sight("/plain/cut", PAGE, FRESH), equalTo(Sight.FAILED));
    VisitRecord during = ask(stack, path, FRESH);
    gate.measured("cut", Sight.of(during, path, PAGE), equalTo(Sight.WHOLE));
    gate.measured("cut_is_stored", render(during).equals(stored), equalTo(true));
    stack.back().restore();
    gate.measured("cut_renewed_after_millis", renewedMillis(stack, path, stored), atMost(3_000));
  }

  private static VisitRecord ask(ChaosStack stack, String path, String parameters) {
    return stack
        .crowd(1, path + "?bytes=" + PAGE + "&chunks=3&every=20" + parameters)
        .visits()
        .get(0);
  }

  private static String render(VisitRecord visit) {
    return Objects.requireNonNullElse(visit.header("x-render"), "");
  }

  private static void awaitStale() {
    long began = System.nanoTime();
    Await.until(
        "age", ChaosStack.PATIENCE, () -> System.nanoTime() - began > LIFETIME.toNanos() * 2);
  }
}
