package dev.sluice.soak;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import dev.sluice.reports.Point;
import java.util.List;

/**
 * A gate on its way: what was seen, and what of it was not as it must be. Confined to one thread.
 */
final class Findings {

  private final Gate gate;

  Findings(String name, String claim) {
    gate = Gate.claim(name, claim, RepoRoot.path());
  }

  void parameter(String key, Object value) {
    gate.given(key, value);
  }

  void measured(String key, Object value) {
    gate.measured(key, value);
  }

  /** A number that must not be greater. */
  void atMost(String key, long value, long bound) {
    gate.measured(key, value, Bound.atMost((double) bound));
  }

  void zero(String key, long value) {
    gate.measured(key, value, Bound.exactly(0));
  }

  /** Something that must be so. */
  void holds(String key, boolean value) {
    gate.measured(key, value, Bound.equalTo(true));
  }

  /** The same look at a case that is wrong on purpose must find it. */
  void control(String key, Object seen, boolean isFound) {
    gate.control(key, seen, new Bound("found", value -> isFound));
  }

  /** Memory over time, in MiB; {@code mostBytes}: what it is held to. */
  void memory(String chart, List<Point> points, long mostBytes) {
    gate.series(chart, "MiB", "sluice", points);
    gate.limit(chart, "at most", mostBytes / (double) (1 << 20));
  }

  /** Publishes the report; returns what did not hold. */
  List<String> publish() {
    return gate.end();
  }
}
