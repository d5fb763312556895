package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
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
      perRoute.put(route.id(), of(route, settings));
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
   * A class without tiers and routes: one ceiling, one short queue (DEC-33), both in proportion to
   * the upstreams in use, because no upstream has a ceiling for it (BEY-23).
   */
  static Limits ofClass(ClassLimit limit, @Nullable UpstreamChoice choice) {
    int max = Math.max(limit.least(), share(limit.max(), choice));
    int[] open = {max, max, max};
    return new Limits(
        max,
        limit.queueMax() == 0 ? 0 : share(limit.queueMax(), choice),
        limit.queueTimeout().toNanos(),
        false,
        open,
        new int[open.length],
        Map.of(),
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
  private static PerRoute of(Route route, AdmitSettings settings) {
    Integer max = route.limits().max();
    Integer queueMax = route.limits().queueMax();
    Duration timeout = route.limits().queueTimeout();
    int derived =
        max == null ? Integer.MAX_VALUE : Math.min(2 * max, Math.max(1, settings.queueMax() / 2));
    return new PerRoute(
        max == null ? Integer.MAX_VALUE : max,
        queueMax == null ? derived : queueMax,
        (timeout == null ? settings.queueTimeout() : timeout).toNanos());
  }
}
