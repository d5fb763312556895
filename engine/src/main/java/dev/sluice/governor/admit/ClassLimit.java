package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Route;
import java.time.Duration;
import java.util.List;

/**
 * The ceiling of a class that takes no render permit, and its short queue (DEC-33). Immutable.
 *
 * @param max units in flight with all upstreams in use
 * @param least units that no loss of upstreams takes away, so that each route still fits (DEC-30)
 * @param queueMax flights that wait at most
 * @param queueTimeout how long one waits at most
 */
public record ClassLimit(int max, int least, int queueMax, Duration queueTimeout) {

  /** One that every route of {@code routes} can be served under, however few upstreams are left. */
  public static ClassLimit of(int max, List<Route> routes, int queueMax, Duration queueTimeout) {
    int heaviest = routes.stream().mapToInt(Route::weight).max().orElse(1);
    return new ClassLimit(max, Math.min(max, heaviest), queueMax, queueTimeout);
  }
}
