package dev.sluice.governor.classify;

import dev.sluice.http.Target;
import java.nio.charset.StandardCharsets;

/**
 * One rule of {@code routes}: which requests it takes and what may be done with them. Immutable.
 *
 * @param id the name in logs and metrics, unique in a file
 * @param match a path: exact without wildcard, a prefix with the suffix {@code /**} (RTE-04 to 06)
 * @param weight units that one flight costs (ADM-25)
 * @param share what may be shared of its answers
 * @param spool whether its answers are taken off the origin at full speed (SPL-04)
 */
public record Route(
    String id,
    String match,
    RouteClass routeClass,
    Priority priority,
    int weight,
    OnClientAbort onClientAbort,
    RouteLimits limits,
    SharePolicy share,
    boolean spool) {

  /** The catch-all of a file that has none, and of every ambiguous target (DEC-02, DEC-33). */
  public static final Route IMPLICIT =
      new Route(
          "default",
          "/**",
          RouteClass.PRIVATE_DYNAMIC,
          Priority.NORMAL,
          1,
          OnClientAbort.FINISH,
          RouteLimits.NONE,
          SharePolicy.NONE,
          false);

  /** A route that shares nothing and does not spool. */
  public Route(
      String id,
      String match,
      RouteClass routeClass,
      Priority priority,
      int weight,
      OnClientAbort onClientAbort,
      RouteLimits limits) {
    this(id, match, routeClass, priority, weight, onClientAbort, limits, SharePolicy.NONE, false);
  }

  /**
   * Whether a route of this {@code match} takes any request. It takes none where each target that
   * fits is ambiguous, and goes to the implicit catch-all (DEC-33).
   */
  public static boolean isReachable(String match) {
    var sent = new StringBuilder();
    for (byte octet : match.replace("/**", "/x").getBytes(StandardCharsets.UTF_8)) {
      if (octet < 0) {
        // As clients send it: RFC 3986 2.5.
        sent.append(String.format("%%%02X", octet));
      } else {
        sent.append((char) octet);
      }
    }
    return !Target.ofOriginForm(sent.toString()).ambiguous();
  }

  /** Whether the route takes whatever no other named. */
  public boolean isCatchAll() {
    return match.equals("/**");
  }
}
