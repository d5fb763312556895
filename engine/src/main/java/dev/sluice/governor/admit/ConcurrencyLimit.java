package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The limits in force and the units in flight against them: the global one, those of tiers with
 * what is reserved for them, those of routes and of upstreams (DEC-30, DEC-36). The drain's.
 */
final class ConcurrencyLimit {

  private static final Priority[] TIERS = Priority.values();

  private final Map<String, RouteScope> routes = new HashMap<>();
  private final TierScope[] tiers = new TierScope[TIERS.length];
  private final UpstreamScopes upstreams = new UpstreamScopes();
  private Limits limits;
  private int used;

  ConcurrencyLimit(Limits limits) {
    this.limits = limits;
    for (int t = 0; t < tiers.length; t++) {
      tiers[t] = new TierScope();
    }
    enforce(limits);
  }

  /** From now on {@code next}; what is in flight stays. */
  void enforce(Limits next) {
    limits = next;
    for (int t = 0; t < tiers.length; t++) {
      tiers[t].max = next.tierMax()[t];
      tiers[t].reserved = next.tierReserved()[t];
    }
    for (RouteScope route : routes.values()) {
      route.outlive(next.queueTimeoutNanos());
    }
    next.routes().forEach((id, own) -> routes.computeIfAbsent(id, RouteScope::new).enforce(own));
    upstreams.enforce(next.upstreams());
  }

  // Scopes.

  TierScope tier(Priority tier) {
    return tiers[tier.ordinal()];
  }

  /** The route's scope; where it is in no file any more, or in none, one for as long as needed. */
  RouteScope route(String id) {
    RouteScope known = routes.get(id);
    if (known != null) {
      return known;
    }
    var route = new RouteScope(id);
    route.outlive(limits.queueTimeoutNanos());
    routes.put(id, route);
    return route;
  }

  Collection<RouteScope> routes() {
    return routes.values();
  }

  /** Forgets routes that were taken out and have nobody left. */
  void forgetRoutes() {
    routes.values().removeIf(RouteScope::isOver);
  }

  /** Forgets {@code route} if it was taken out and has nobody left. */
  void forget(RouteScope route) {
    if (route.isOver()) {
      routes.remove(route.id);
    }
  }

  UpstreamScopes upstreams() {
    return upstreams;
  }

  int max() {
    return limits.max();
  }

  /** Units that can be out at once: the global limit, or what the upstreams in use take. */
  int ceiling() {
    return Math.min(limits.max(), upstreams.ceiling());
  }

  int used() {
    return used;
  }

  int queueMax() {
    return limits.queueMax();
  }

  boolean predicts() {
    return limits.predict();
  }

  Cause queueFull() {
    return limits.queueFull();
  }

  Cause queueDeadline() {
    return limits.queueDeadline();
  }

  // Room.

  /** Whether the limits in force would let it in if nothing else were here. */
  boolean canEverFit(Waiter waiter) {
    TierScope tier = tier(waiter.tier);
    long needed = waiter.weight;
    for (TierScope other : tiers) {
      needed += other == tier ? 0 : other.reserved;
    }
    return waiter.weight <= waiter.scope().max
        && waiter.weight <= tier.max
        && upstreams.canEverFit(waiter.weight)
        && needed <= limits.max();
  }

  /** Whether it could go now, were nobody before it. */
  boolean hasRoom(Waiter waiter) {
    TierScope tier = tier(waiter.tier);
    return waiter.scope().hasRoom(waiter.weight)
        && tier.hasRoom(waiter.weight)
        && hasRoom(tier, waiter.weight);
  }

  /**
   * Whether {@code tier}'s own ceiling holds it back, as {@code used_t + w > L_t} in DEC-30. One
   * that may use everything has none: what it waits for is everybody's, and is saved for it (I5).
   */
  boolean isAtItsShare(TierScope tier, int weight) {
    return tier.max < limits.max() && !tier.hasRoom(weight);
  }

  /**
   * DEC-30's fits: the global limit has room beside what is reserved for the other tiers, and some
   * upstream in use has.
   */
  boolean hasRoom(TierScope tier, int weight) {
    long needed = (long) used + weight;
    for (TierScope other : tiers) {
      needed += other == tier ? 0 : other.unusedReservation();
    }
    return needed <= limits.max() && upstreams.anyHasRoom(weight);
  }

  // Units.

  void charge(Waiter waiter) {
    upstreams.charge(waiter);
    used += waiter.weight;
    tier(waiter.tier).used += waiter.weight;
    waiter.scope().used += waiter.weight;
  }

  void release(Waiter waiter) {
    RouteScope route = waiter.scope();
    used -= waiter.weight;
    tier(waiter.tier).used -= waiter.weight;
    route.used -= waiter.weight;
    upstreams.release(waiter);
    forget(route);
  }
}
