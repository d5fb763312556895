package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.outcome.Cause;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every limit of one admission, compiled; a reload carries all of them at once (DEC-36). Immutable.
 *
 * @param upstreams null where upstreams have no ceilings of their own
 * @param queueFull what a full queue and a deadline are called where the ceiling is a class's own
 */
record Limits(
    int max,
    int queueMax,
    long queueTimeoutNanos,
    boolean predict,
    int[] tierMax,
    int[] tierReserved,
    Map<String, PerRoute> routes,
    @Nullable PerUpstream upstreams,
    Cause queueFull,
    Cause queueDeadline) {

  /** One route's own; {@code Integer.MAX_VALUE} where it has none. */
  record PerRoute(int max, int queueMax, long timeoutNanos) {}

  /** A ceiling for each upstream, and who chooses among them. */
  record PerUpstream(int max, UpstreamChoice choice) {}

  static Limits of(AdmitSettings settings, List<Route> routes) {
    return of(settings, routes, null);
  }

  /** The limits in force while {@code choice} tells the upstreams in use; null = there is one. */
  static Limits of(AdmitSettings configured, List<Route> routes, @Nullable UpstreamChoice choice) {
    AdmitSettings settings =
        choice == null
            ? configured
            : configured.inForce(choice.inUse().size(), choice.configured(), routes);
    Priority[] tiers = Priority.values();
    int[] tierMax = new int[tiers.length];
    int[] reserved = new int[tiers.length];
    for (Priority tier : tiers) {
      tierMax[tier.ordinal()] = settings.tierMax(tier);
      reserved[tier.ordinal()] = settings.reserved(tier);
    }
    Map<String, PerRoute> perRoute = new HashMap<>();
    for (Route route : routes) {
      perRoute.put(route.id(), of(route.limits(), settings.queueMax(), settings.queueTimeout()));
    }
    return new Limits(
        settings.max(),
        settings.queueMax(),
        settings.queueTimeout().toNanos(),
        settings.predict(),
        tierMax,
        reserved,
        Map.copyOf(perRoute),
        choice == null || settings.perUpstream() == 0
            ? null
            : new PerUpstream(settings.perUpstream(), choice),
        Cause.QUEUE_FULL,
        Cause.QUEUE_DEADLINE);
  }

  /**
   * A class without tiers: one ceiling, one short queue (DEC-33), both in proportion to the
   * upstreams in use, because no upstream has a ceiling for it (BEY-23). What routes of the class
   * say of themselves holds in here (ADM-02); of others something may pass, and has no limit.
   */
  static Limits ofClass(ClassLimit limit, List<Route> routes, @Nullable UpstreamChoice choice) {
    int max = share(limit.max(), choice);
    int queueMax = limit.queueMax() == 0 ? 0 : share(limit.queueMax(), choice);
    int[] open = {max, max, max};
    Map<String, PerRoute> perRoute = new HashMap<>();
    for (Route route : routes) {
      RouteLimits own = route.routeClass() == limit.routes() ? route.limits() : RouteLimits.NONE;
      perRoute.put(route.id(), of(own, queueMax, limit.queueTimeout()));
    }
    return new Limits(
        max,
        queueMax,
        limit.queueTimeout().toNanos(),
        false,
        open,
        new int[open.length],
        Map.copyOf(perRoute),
        null,
        Cause.CLASS_FULL,
        Cause.CLASS_FULL);
  }

  private static int share(int whole, @Nullable UpstreamChoice choice) {
    return choice == null
        ? whole
        : AdmitSettings.share(whole, choice.inUse().size(), choice.configured());
  }

  /**
   * DEC-31: a route with a ceiling and no queue of its own gets min(2 x max, half the global one).
   */
  private static PerRoute of(RouteLimits own, int queueOfAll, Duration timeoutOfAll) {
    Integer max = own.max();
    Integer queueMax = own.queueMax();
    Duration timeout = own.queueTimeout();
    int derived = max == null ? Integer.MAX_VALUE : Math.min(2 * max, Math.max(1, queueOfAll / 2));
    return new PerRoute(
        max == null ? Integer.MAX_VALUE : max,
        queueMax == null ? derived : queueMax,
        (timeout == null ? timeoutOfAll : timeout).toNanos());
  }
}
