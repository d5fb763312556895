package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.scenarios.simulation.CatalogSimulation;
import dev.sluice.scenarios.simulation.Sample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The origin dies under load and comes back: a catalog goes on being served (CCH-10, BEY-01). */
class OutageGate {

  private static final int PAGES = 10;
  private static final Duration OUTAGE = Duration.ofMillis(2_500);
  private static final List<String> ORIGIN = List.of("--loops", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        concurrency: { max: 8, queue: { max: 100, timeout: 2s } }
      cache: { enabled: true, max_memory: 16MiB }
      routes:
        - id: catalog
          match: "/catalog/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 500ms }, stale_while_revalidate: 0s, stale_if_error: 5m }
        - id: plain
          match: "/plain/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 500ms }, stale_while_revalidate: 0s, stale_if_error: 0s }
      """;

  private long diedMillis;
  private long backMillis;
  private long rendersAfter;

  @Test
  void deadOrigin_isStoodInForUntilItIsBack() {
    Scenario.claim(
            "outage",
            "While the origin is dead every page of the catalog is still served, and once it is"
                + " back pages are new again.")
        .with("per_second", 60)
        .with("seconds", 7)
        .given("pages", PAGES)
        .given("ttl_millis", 500)
        .given("outage_millis", OUTAGE.toMillis())
        .needsOwnStack("this gate kills the origin and starts it again")
        .judge(
            scenario ->
                scenario.governed(
                    CatalogSimulation.class,
                    CONFIG,
                    ORIGIN,
                    this::outage,
                    (run, stack) -> judge(scenario, run)));
  }

  private void outage(Stack stack, GatlingRun gatling) {
    gatling.awaitBegin();
    Stack.await("the store has every page", () -> stack.stats().finishedWriting() >= 4 * PAGES);
    stack.origin().process().kill();
    diedMillis = System.currentTimeMillis();
    Stack.await(
        "passing of the outage", () -> System.currentTimeMillis() - diedMillis > OUTAGE.toMillis());
    try (var again = SlowOriginProcess.start("--port", "" + stack.origin().port())) {
      Stack.await("the first new page", () -> again.stats().finishedWriting() > 0);
      backMillis = System.currentTimeMillis();
      gatling.awaitEnd();
      rendersAfter = again.stats().requestsUnder("/catalog/");
    }
  }

  private void judge(Scenario scenario, Run run) {
    var gate = scenario.gate();
    Samples catalog = run.samples().kind("catalog");
    gate.measured("served", catalog.ok().count(), exactly(catalog.count()));
    gate.measured(
        "different_bodies", catalog.distinct(sample -> "" + sample.crc32()), exactly(PAGES));
    gate.measured("served_stale_while_dead", stale(whileDead(catalog)), above(0));
    gate.measured("stale_after_the_return", stale(afterReturn(catalog)), exactly(0));
    gate.measured("new_renders_after_the_return", rendersAfter, above(PAGES - 1.0));
    Samples plain = run.samples().kind("plain");
    Samples failed = whileDead(plain).where(sample -> !sample.isOk());
    gate.control("failed_without_stale_if_error", failed.count(), above(PAGES));
    gate.control("their_statuses", failed.statuses());
    gate.control(
        "failed_after_the_return",
        afterReturn(plain).where(sample -> !sample.isOk()).count(),
        exactly(0));
    scenario.chart(run, false, "catalog and control");
  }

  private static long stale(Samples samples) {
    return samples.where(sample -> sample.how().equals("STALE")).count();
  }

  private Samples whileDead(Samples samples) {
    return samples.where(sample -> sample.beganMillis() > diedMillis && ended(sample) < backMillis);
  }

  /** From when every page's lifetime has passed once. */
  private Samples afterReturn(Samples samples) {
    return samples.where(sample -> sample.beganMillis() > backMillis + 1_000);
  }

  private static long ended(Sample sample) {
    return sample.beganMillis() + Math.round(sample.tookMillis());
  }
}
