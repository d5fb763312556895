package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Bound;
import dev.sluice.scenarios.simulation.FieldTestSimulation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What Sluice is for, in one table: a product page that is rendered anew for everybody, before an
 * origin whose one processor renders fewer pages than visitors ask for; the origin alone, and the
 * same behind Sluice (GTE-48 to GTE-54).
 */
class FieldTestGate {

  /**
   * In MiB; with nothing before it the origin keeps the 2 MiB of some 80 renders beside its own.
   */
  private static final int ORIGIN_MIB = 200;

  /** In MiB, with a store of 16. */
  private static final int SLUICE_MIB = 160;

  private static final int CEILING = 2;
  private static final int LIFETIME_SECONDS = 1;
  private static final double MIB = 1 << 20;
  private static final List<String> ORIGIN = List.of("--cpu-threads", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        concurrency: { max: %d, queue: { max: 64, timeout: 2s } }
      cache: { enabled: true, max_memory: 16MiB }
      routes:
        - id: products
          match: "/products/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: %ds }, stale_while_revalidate: 0s }
      """
          .formatted(CEILING, LIFETIME_SECONDS);

  @Test
  void productPage_underMoreVisitorsThanItsOriginCanRender_isServedToAll() {
    Scenario.claim(
            "field-test",
            "A page that its origin cannot render for everybody is served to everybody, with one"
                + " render a second; without Sluice most visitors see nothing.")
        .with("clients", 40)
        .with("calm_per_second", 2)
        .with("calm_seconds", 2)
        .with("step_per_second", 20)
        .with("step_seconds", 8)
        .with("patience_seconds", 3)
        .with("soon_millis", 1_000)
        .given("page", "150 ms of CPU, 2 MiB of memory, rendered to its end whoever leaves")
        .given("origin_cpu_threads", 1)
        .fact("ceiling", CEILING)
        .fact("ttl_seconds", LIFETIME_SECONDS)
        .judge(
            scenario -> {
              scenario.onOwnStack("direct", FieldTestGate::direct);
              scenario.governed(
                  FieldTestSimulation.class,
                  CONFIG,
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack));
            });
  }

  private static void direct(Scenario scenario) throws Exception {
    try (var stack = Stack.start(CONFIG, ORIGIN)) {
      Run run = scenario.direct(stack, FieldTestSimulation.class);
      var gate = scenario.gate();
      Samples page = run.samples().kind("page");
      long offered = run.samples().count();
      gate.control("offered", offered);
      gate.control("successes", page.ok().count(), below(0.6 * offered));
      gate.control("client_timeouts", page.timedOut(patience(scenario)).count(), above(0));
      gate.control("dropped_iterations", run.samples().kind("dropped").count(), above(0));
      Counted counted = run.counted().orElseThrow();
      gate.control("origin_requests", counted.requests(), exactly(page.count()));
      gate.control("origin_renders", counted.renders(), exactly(page.count()));
      gate.control("origin_peak_in_flight", counted.peakInFlight(), above(5 * CEILING));
      gate.control("origin_peak_rendering", counted.after().renderingPeak());
      gate.control("success_average_millis", page.ok().average());
      gate.control("success_p95_millis", page.ok().percentile(95), above(1_000));
      gate.control(
          "origin_peak_mib",
          peakMib(stack.origin().process().peakResidentBytes()),
          above(ORIGIN_MIB));
      scenario.chart(run, true, "origin alone");
      scenario.line(true, "memory", "MiB", "origin alone", run.over(Run.ORIGIN_MEMORY));
    }
  }

  private static void governed(Scenario scenario, Run run, Optional<Stack> stack) {
    Samples page = run.samples().kind("page");
    long offered = run.samples().count();
    double seconds = 2 * scenario.number("calm_seconds") + scenario.number("step_seconds");
    scenario.gate().measured("offered", offered);
    scenario.seen("successes", page.ok().count(), exactly(offered));
    scenario.seen("client_timeouts", page.timedOut(patience(scenario)).count(), exactly(0));
    scenario.seen("dropped_iterations", run.samples().kind("dropped").count(), exactly(0));
    // One for each lifetime that began, and each lasts as long as its render beyond that.
    scenario.counted(
        "origin_renders",
        run,
        Counted::renders,
        "ttl_seconds",
        ttl -> atMost(Math.floor(seconds / ttl) + 1));
    scenario.counted("origin_peak_in_flight", run, Counted::peakInFlight, "ceiling", Bound::atMost);
    scenario.gate().measured("success_average_millis", page.ok().average());
    double soon = scenario.number("soon_millis");
    scenario.seen("success_p95_millis", page.ok().percentile(95), below(soon));
    scenario.local(
        "origin_peak_mib",
        stack,
        own -> peakMib(own.origin().process().peakResidentBytes()),
        below(ORIGIN_MIB));
    scenario.local(
        "sluice_peak_mib",
        stack,
        own -> peakMib(own.sluice().process().peakResidentBytes()),
        below(SLUICE_MIB));
    scenario.chart(run, false, "behind Sluice");
    scenario.line(false, "memory", "MiB", "origin behind Sluice", run.over(Run.ORIGIN_MEMORY));
    scenario.line(false, "memory", "MiB", "Sluice", run.over(Run.SLUICE_MEMORY));
  }

  private static double patience(Scenario scenario) {
    return scenario.number("patience_seconds") * 1_000;
  }

  private static long peakMib(long bytes) {
    return Math.round(bytes / MIB);
  }
}
