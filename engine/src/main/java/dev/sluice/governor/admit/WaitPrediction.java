package dev.sluice.governor.admit;

/**
 * How long a newcomer will wait, from how fast units came back of late: the longest of what its
 * route, its tier and the whole say (DEC-42). The drain's.
 */
final class WaitPrediction {

  private final ConcurrencyLimit limit;
  private final WaitQueue queue;
  private final ReturnRate rate = new ReturnRate();

  WaitPrediction(ConcurrencyLimit limit, WaitQueue queue) {
    this.limit = limit;
    this.queue = queue;
  }

  /** {@code waiter}'s units came back; only scopes where somebody waits look at that. */
  void returned(Waiter waiter, Now now) {
    TierScope tier = limit.tier(waiter.tier);
    RouteScope route = waiter.scope();
    if (!queue.isEmpty()) {
      rate.returned(waiter.weight, now.nanos());
    }
    if (tier.waiting > 0) {
      tier.rate.returned(waiter.weight, now.nanos());
    }
    if (route.waiting > 0) {
      route.rate.returned(waiter.weight, now.nanos());
    }
  }

  /** The wait of {@code waiter}, which is the last of its line; 0 where that is unknown. */
  long nanos(Waiter waiter, Now now) {
    long longest = Math.max(ofRoute(waiter.scope(), now), ofTier(limit.tier(waiter.tier), now));
    if (queue.waiting() > 1) {
      long needed = queue.unitsDownTo(waiter.tier) - (limit.ceiling() - limit.used());
      longest = Math.max(longest, rate.waitNanos(needed, limit.ceiling(), now.nanos()));
    }
    return longest;
  }

  private static long ofRoute(RouteScope route, Now now) {
    if (!route.isLimited() || route.waiting <= 1) {
      return 0;
    }
    long needed = route.waitingUnits - (long) (route.max - route.used);
    return route.rate.waitNanos(needed, route.max, now.nanos());
  }

  private long ofTier(TierScope tier, Now now) {
    if (tier.max >= limit.ceiling() || tier.waiting <= 1) {
      return 0;
    }
    long needed = tier.waitingUnits - (long) (tier.max - tier.used);
    return tier.rate.waitNanos(needed, tier.max, now.nanos());
  }
}
