package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Bound;
import dev.sluice.scenarios.simulation.ShedSimulation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * More pages than the origin can render, none of which can be shared: with a ceiling that fits it
 * some are shed at once and the others are quick; with one that is far too generous nothing is
 * shed, and clients give up (ADM-04 to ADM-10, GTE-55).
 */
class ShedGate {

  private static final int RENDER_MILLIS = 60;
  private static final int CEILING = 1;
  private static final int TOO_GENEROUS = 400;
  private static final int QUEUE_MILLIS = 500;
  private static final List<String> ORIGIN = List.of("--cpu-threads", "1");

  @Test
  void overload_isShedAtOnce_andTheOthersAreQuick() {
    Scenario.claim(
            "shed",
            "Under more than the origin can render, those who are served are served soon and the"
                + " others are told so at once; with too generous a ceiling clients give up.")
        .with("per_second", 40)
        .with("seconds", 5)
        .with("patience_seconds", 2)
        .given("page", RENDER_MILLIS + " ms of CPU, rendered to its end whoever leaves")
        .fact("ceiling", CEILING)
        .fact("queue_millis", QUEUE_MILLIS)
        .given("control_ceiling", TOO_GENEROUS)
        .judge(
            scenario -> {
              double[] servedByControl = {0};
              scenario.onOwnStack(
                  "too_generous", unused -> servedByControl[0] = tooGenerous(scenario));
              scenario.governed(
                  ShedSimulation.class,
                  config(CEILING),
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack, servedByControl[0]));
            });
  }

  private static long tooGenerous(Scenario scenario) throws Exception {
    try (var stack = Stack.start(config(TOO_GENEROUS), ORIGIN)) {
      Run run = scenario.control(stack, ShedSimulation.class);
      Samples seen = run.samples();
      var gate = scenario.gate();
      gate.control("asked", seen.count());
      gate.control("served", seen.ok().count());
      gate.control("shed", seen.status(503).count(), exactly(0));
      gate.control("gave_up", seen.timedOut(patience(scenario)).count(), above(0));
      gate.control("served_p95_millis", seen.ok().percentile(95), above(2 * QUEUE_MILLIS));
      gate.control("origin_peak_in_flight", run.counted().orElseThrow().peakInFlight(), above(10));
      scenario.chart(run, true, "ceiling of " + TOO_GENEROUS);
      return seen.ok().count();
    }
  }

  private static void governed(
      Scenario scenario, Run run, Optional<Stack> stack, double servedByControl) {
    Samples seen = run.samples();
    Samples shed = seen.status(503);
    scenario.gate().measured("asked", seen.count());
    scenario.seen("served_or_shed", seen.ok().count() + shed.count(), exactly(seen.count()));
    scenario.seen("shed", shed.count(), above(0));
    scenario.seen(
        "shed_without_retry_after",
        shed.where(sample -> sample.retryAfter().isEmpty()).count(),
        exactly(0));
    scenario.seen(
        "shed_p95_millis", shed.percentile(95), "queue_millis", queue -> below(queue + 300));
    scenario.seen(
        "served_p95_millis", seen.ok().percentile(95), "queue_millis", queue -> below(queue + 500));
    scenario.local("served", stack, unused -> seen.ok().count(), atLeast(1.2 * servedByControl));
    scenario.counted("origin_peak_in_flight", run, Counted::peakInFlight, "ceiling", Bound::atMost);
    scenario.counted("origin_renders", run, Counted::renders, exactly(seen.ok().count()));
    scenario.chart(run, false, "ceiling of " + CEILING);
  }

  private static double patience(Scenario scenario) {
    return scenario.number("patience_seconds") * 1_000;
  }

  private static String config(int ceiling) {
    return """
        origin:
          upstreams: ["127.0.0.1:{{origin}}"]
          concurrency: { max: %d, queue: { max: 10, timeout: %dms } }
        routes:
          - { id: render, match: "/render/**", class: private_dynamic }
        """
        .formatted(ceiling, QUEUE_MILLIS);
  }
}
