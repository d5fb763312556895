package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Route;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What a request of one route meets in one admission, of the limits as compiled, with all upstreams
 * in use; for who explains them. Immutable.
 *
 * @param max of all routes together
 * @param queueMax flights of all routes that wait at most
 * @param queueTimeout how long one of this route waits at most
 * @param routeMax of this route; {@link #NONE} where it has no bound of its own
 * @param routeQueueMax flights of this route that wait at most, or {@link #NONE}
 */
public record RouteBounds(
    int max, int queueMax, Duration queueTimeout, int routeMax, int routeQueueMax) {

  /** No bound of its own. */
  public static final int NONE = Integer.MAX_VALUE;

  /** For a render permit. */
  public static RouteBounds ofRender(AdmitSettings settings, Route route) {
    return of(Limits.of(settings, List.of(route)), route);
  }

  /** For a permit of a class. */
  public static RouteBounds ofClass(ClassLimit limit, Route route) {
    return of(Limits.ofClass(limit, List.of(route), null), route);
  }

  private static RouteBounds of(Limits limits, Route route) {
    Limits.PerRoute own = Objects.requireNonNull(limits.routes().get(route.id()));
    return new RouteBounds(
        limits.max(),
        limits.queueMax(),
        Duration.ofNanos(own.timeoutNanos()),
        own.max(),
        own.queueMax());
  }
}
