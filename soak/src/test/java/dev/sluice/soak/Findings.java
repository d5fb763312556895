package dev.sluice.soak;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.GateReport;
import dev.sluice.reports.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A gate's report on its way: what was seen, and what of it was not as it must be. Confined to one
 * thread.
 */
final class Findings {

  private final long beganNanos = System.nanoTime();
  private final List<String> bounds = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private GateReport report;

  Findings(String name, String claim) {
    report = GateReport.of(name, claim, RepoRoot.path());
  }

  void parameter(String key, Object value) {
    report = report.parameter(key, value);
  }

  void measured(String key, Object value) {
    report = report.measured(key, value);
  }

  /** A number that must not be greater. */
  void atMost(String key, long value, long bound) {
    measured(key, value);
    bounds.add(key + " <= " + bound);
    if (value > bound) {
      broken.add(key + ": " + value + " (expected: <= " + bound + ")");
    }
  }

  void zero(String key, long value) {
    atMost(key, value, 0);
  }

  /** Something that must be so. */
  void holds(String key, boolean value) {
    measured(key, value);
    bounds.add(key);
    if (!value) {
      broken.add(key + ": does not hold");
    }
  }

  /** The same look at a case that is wrong on purpose must find it. */
  void control(String key, Object seen, boolean isFound) {
    report = report.control(key, seen);
    if (!isFound) {
      broken.add("control " + key + ": " + seen + " (expected: found)");
    }
  }

  /** Publishes the report; returns what did not hold. */
  List<String> publish() {
    report
        .judged(
            String.join(", ", bounds),
            broken.isEmpty() ? Verdict.PASSED : Verdict.FAILED,
            Duration.ofNanos(System.nanoTime() - beganNanos))
        .publish(RepoRoot.path());
    return List.copyOf(broken);
  }
}
