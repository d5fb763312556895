package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.scenarios.simulation.SlowReaderSimulation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients that read slowly keep the origin no longer than its own work lasts (SPL, GTE-21). */
class SlowReaderGate {

  private static final int CEILING = 4;
  private static final List<String> ORIGIN = List.of("--loops", "1");

  @Test
  void slowReaders_keepNobodyFromTheOrigin() {
    Scenario.claim(
            "slow-readers", "Beside clients that read slowly all others are served as if alone.")
        .with("slow_readers", 6)
        .with("reader_bytes_per_second", 32_768)
        .with("per_second", 40)
        .with("seconds", 3)
        .with("patience_seconds", 3)
        .with("soon_millis", 500)
        .given("download", "8 MiB")
        .given("ceiling", CEILING)
        .judge(
            scenario -> {
              scenario.onOwnStack("without_spool", SlowReaderGate::withoutSpool);
              scenario.governed(
                  SlowReaderSimulation.class,
                  config(true),
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack));
            });
  }

  private static void withoutSpool(Scenario scenario) throws Exception {
    try (var stack = Stack.start(config(false), ORIGIN)) {
      Run run = scenario.control(stack, SlowReaderSimulation.class);
      Samples pages = run.samples().kind("page");
      scenario.gate().control("asked", pages.count());
      scenario.gate().control("statuses", pages.statuses());
      scenario.gate().control("served", pages.ok().count(), below(0.2 * pages.count()));
      scenario.chart(run, pages, true, "without spool");
    }
  }

  private static void governed(Scenario scenario, Run run, Optional<Stack> stack) {
    Samples pages = run.samples().kind("page");
    scenario.seen("served", pages.ok().count(), exactly(pages.count()));
    double soon = scenario.number("soon_millis");
    scenario.seen("p95_millis", pages.ok().percentile(95), below(soon));
    Samples readers = run.samples().kind("slow-reader");
    double asked = scenario.number("slow_readers");
    scenario.seen(
        "slow_readers_not_cut_off",
        readers.ok().where(sample -> sample.bytes() > 0).count(),
        exactly((long) asked));
    scenario.gate().measured("slow_readers_bytes", readers.by(sample -> "" + sample.bytes()));
    scenario.counted(
        "downloads_rendered",
        run,
        counted -> counted.requestsOf("slow-reader", run.samples()),
        atMost(asked));
    scenario.local(
        "origin_still_writes",
        stack,
        own -> run.counted().orElseThrow().inFlightAfterwards(),
        exactly(0));
    scenario.chart(run, pages, false, "with spool");
  }

  private static String config(boolean spool) {
    return """
        origin:
          upstreams: ["127.0.0.1:{{origin}}"]
          concurrency: { max: %d, queue: { max: 40, timeout: 500ms, predict: false } }
        spool: { enabled: %b, max_body: 16MiB, max_memory: 128MiB }
        routes:
          - { id: default, match: "/**", class: private_dynamic }
        """
        .formatted(CEILING, spool);
  }
}
