package dev.sluice.scenarios.load;

import dev.sluice.fixture.OriginStats;
import java.util.Collections;
import java.util.Set;

/**
 * What an origin counted in one run. Immutable.
 *
 * @param before its counters before the run
 * @param after its counters when all clients had gone
 * @param peakInFlight requests at once
 */
record Counted(OriginStats before, OriginStats after, long peakInFlight) {

  private static final String OTHER_PATHS = "(other)";
  private static final String NOT_APART =
      "off: the origin keeps the counts of so many paths and had no room for these"
          + " (start it again, or ask for its /__reset)";
  private static final String NOT_ALONE = "off: requests of another kind have the same paths";

  long requests() {
    return after.requests() - before.requests();
  }

  long renders() {
    return after.rendersBegun() - before.rendersBegun();
  }

  /** Requests for the paths that clients of this kind asked for; or why that cannot be told. */
  Object requestsOf(String kind, Samples seen) {
    Set<String> paths = seen.kind(kind).paths();
    if (!Collections.disjoint(paths, seen.otherThan(kind).paths())) {
      return NOT_ALONE;
    }
    boolean othersCame = path(after, OTHER_PATHS) > path(before, OTHER_PATHS);
    if (othersCame && !after.paths().keySet().containsAll(paths)) {
      return NOT_APART;
    }
    return paths.stream().mapToLong(path -> path(after, path) - path(before, path)).sum();
  }

  private static long path(OriginStats stats, String path) {
    return stats.paths().getOrDefault(path, 0L);
  }

  /** Requests that it had not answered yet. */
  long inFlightAfterwards() {
    return after.inFlight();
  }
}
