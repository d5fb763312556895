package dev.sluice.governor.judge;

import java.util.Set;

/** What a response's status permits (DEC-11). Stateless. */
final class Statuses {

  static final int OK = 200;
  static final int PARTIAL_CONTENT = 206;
  static final int NOT_FOUND = 404;

  private static final int NOT_MODIFIED = 304;

  /** Stored when the origin gave explicit freshness, or the operator vouches. */
  private static final Set<Integer> STORABLE =
      Set.of(200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 410);

  /** Those of them that RFC 9110 15.1 lets live without explicit freshness. */
  private static final Set<Integer> HEURISTIC = Set.of(200, 203, 204, 300, 301, 308, 404, 410);

  private Statuses() {}

  static boolean isStorable(int status) {
    return STORABLE.contains(status);
  }

  /** Whether the status may be stored at all, explicit freshness given (RFC 9111 3). */
  static boolean isFinalAndWhole(int status) {
    return status >= OK && status != PARTIAL_CONTENT && status != NOT_MODIFIED;
  }

  static boolean isHeuristic(int status) {
    return HEURISTIC.contains(status);
  }
}
