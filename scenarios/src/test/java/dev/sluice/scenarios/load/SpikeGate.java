package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.scenarios.simulation.Sample;
import dev.sluice.scenarios.simulation.SpikeSimulation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A spike on one page is a few renders, and everybody gets the whole page (COA-01, CCH-01). */
class SpikeGate {

  private static final int RENDER_MILLIS = 300;
  private static final List<String> ORIGIN = List.of("--loops", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        concurrency: { max: 4, queue: { max: 64, timeout: 2s } }
      cache: { enabled: true, max_memory: 16MiB }
      routes:
        - id: spike
          match: "/spike/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 1s }, stale_while_revalidate: 0s }
      """;

  @Test
  void spikeOnOnePage_isAFewRenders() {
    Scenario.claim(
            "spike", "A spike on one page is one render a lifetime, and all get the whole page.")
        .with("calm_per_second", 10)
        .with("calm_seconds", 1)
        .with("spike_per_second", 300)
        .with("spike_seconds", 3)
        .with("patience_seconds", 10)
        .with("soon_millis", RENDER_MILLIS + 300)
        .given("render_millis", RENDER_MILLIS)
        .fact("ttl_seconds", 1)
        .judge(
            scenario -> {
              scenario.onOwnStack("direct", SpikeGate::direct);
              scenario.governed(
                  SpikeSimulation.class,
                  CONFIG,
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack));
            });
  }

  private static void direct(Scenario scenario) throws Exception {
    try (var stack = Stack.start(CONFIG, ORIGIN)) {
      Run run = scenario.direct(stack, SpikeSimulation.class);
      long asked = run.samples().count();
      scenario.gate().control("asked", asked);
      Counted counted = run.counted().orElseThrow();
      scenario.gate().control("origin_renders", counted.renders(), exactly(asked));
      scenario.gate().control("origin_peak_in_flight", counted.peakInFlight(), atLeast(50));
      scenario.chart(run, true, "origin alone");
    }
  }

  private static void governed(Scenario scenario, Run run, Optional<Stack> stack) {
    Samples seen = run.samples();
    double seconds = 2 * scenario.number("calm_seconds") + scenario.number("spike_seconds");
    scenario.gate().measured("asked", seen.count());
    scenario.seen("served", seen.ok().count(), exactly(seen.count()));
    // Another application's renders of one page need not be alike.
    scenario.local(
        "different_bodies",
        stack,
        unused -> seen.distinct(sample -> "" + sample.crc32()),
        exactly(1));
    scenario.counted(
        "origin_renders",
        run,
        Counted::renders,
        "ttl_seconds",
        ttl -> atMost(Math.floor(seconds / ttl) + 1));
    scenario.counted("origin_peak_in_flight", run, Counted::peakInFlight, atMost(1));
    scenario.local(
        "told_hit",
        stack,
        unused -> seen.by(Sample::how).getOrDefault("HIT", 0L),
        atLeast(0.9 * seen.count()));
    scenario.seen("p95_millis", seen.ok().percentile(95), atMost(scenario.number("soon_millis")));
    scenario.chart(run, false, "behind Sluice");
  }
}
