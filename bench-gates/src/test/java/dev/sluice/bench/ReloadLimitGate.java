package dev.sluice.bench;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import org.junit.jupiter.api.Test;

/**
 * HUP brings another limit in force, and a file that does not hold changes nothing: CFG, DEC-36.
 */
class ReloadLimitGate {

  private static final int CROWD = 20;
  private static final int BEFORE = 3;
  private static final int AFTER = 7;

  @Test
  void hangUp_bringsTheNewLimit_andABadFileChangesNothing() {
    Gate.claim(
            "reload-limit",
            "HUP brings another limit in force; a file that is refused changes nothing.",
            RepoRoot.path())
        .given("crowd", CROWD)
        .given("ceiling_before", BEFORE)
        .given("ceiling_after", AFTER)
        .judge(
            gate -> {
              try (var stack = new Stack("", concurrency(BEFORE), "")) {
                gate.control("origin_peak", peak(stack), exactly(BEFORE));

                stack.reload(concurrency(AFTER));
                stack.awaitStatus("\"generation\" : 2");
                gate.measured("origin_peak", peak(stack), exactly(AFTER));

                stack.reload(concurrency(-1));
                stack.awaitStatus("concurrency.max");
                gate.measured("origin_peak_behind_a_bad_file", peak(stack), exactly(AFTER));
              }
            });
  }

  /** The origin's own, of a crowd that was served whole. */
  private static long peak(Stack stack) {
    stack.resetCounts();
    long served = stack.crowd(CROWD, "/page/%d?ms=200").join().complete(200);
    if (served != CROWD) {
      throw new AssertionError("served: " + served + " (expected: " + CROWD + ")");
    }
    return stack.counted().peakInFlight();
  }

  private static String concurrency(int max) {
    return "concurrency: { max: %d, queue: { max: 100, timeout: 30s, predict: false } }"
        .formatted(max);
  }
}
