package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the origin, and in which order: DEC-30's scan after every command, DEC-31's bounds,
 * DEC-42's prediction. A plain machine driven by commands and the time they carry; single-threaded,
 * deterministic, with no idea of who drives it.
 */
final class Schedule {

  private static final Priority[] TIERS = Priority.values();

  private final Map<String, RouteScope> routes = new HashMap<>();
  private final TierScope[] tiers = new TierScope[TIERS.length];
  private final ReturnRate rate = new ReturnRate();
  private final Set<RouteScope> blocked = new HashSet<>();
  private final Map<Cause, Long> sheds = new EnumMap<>(Cause.class);
  private Limits limits;
  private int used;
  private int waiting;
  private long arrivals;
  private long grants;
  private @Nullable Waiter firstResult;
  private @Nullable Waiter lastResult;

  Schedule(Limits limits) {
    this.limits = limits;
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = new TierScope();
    }
    enforce(limits);
  }

  // Commands.

  /** Does what {@code waiter} wants; a want that no longer fits its phase is void. */
  void apply(Waiter waiter, int wants, Now now) {
    if ((wants & Waiter.ENTER) != 0 && waiter.phase == Waiter.Phase.OUT) {
      enter(waiter, now);
    }
    if ((wants & Waiter.LEAVE) != 0) {
      leave(waiter, now);
    }
    if ((wants & Waiter.EXPIRE) != 0 && waiter.phase == Waiter.Phase.WAITING) {
      shed(waiter, limits.queueDeadline());
      scan(now);
    }
    if ((wants & Waiter.RETURN) != 0 && waiter.phase == Waiter.Phase.HOLDING) {
      release(waiter, now);
      scan(now);
    }
  }

  /** New limits: used units stay, nothing is cut; who can never fit any more is shed (DEC-36). */
  void reload(Limits next, Now now) {
    limits = next;
    enforce(next);
    for (RouteScope route : Set.copyOf(routes.values())) {
      for (Line line : route.lines) {
        shedUnfit(line);
      }
    }
    routes.values().removeIf(RouteScope::isOver);
    scan(now);
  }

  /** Takes out a waiter whose command failed. */
  void evict(Waiter waiter, Cause cause) {
    if (waiter.phase == Waiter.Phase.WAITING) {
      shed(waiter, cause);
    }
  }

  // Entering.

  private void enter(Waiter waiter, Now now) {
    RouteScope known = routes.get(waiter.routeId);
    RouteScope route = known == null ? unknownRoute(waiter.routeId) : known;
    waiter.route = route;

    waiter.rank = arrivals++;
    if (!canEverFit(waiter, route)) {
      refuse(waiter, Cause.LIMIT_LOWERED, 0);
      return;
    }
    if (waiting == 0 && hasRoom(waiter, route)) {
      // Nobody waits: the scan would visit this one alone.
      grant(waiter, route, 0);
      return;
    }
    waiter.enteredNanos = now.nanos();
    place(waiter, route);
    scan(now);
    if (waiter.phase == Waiter.Phase.WAITING) {
      bound(waiter, route, now);
    }
  }

  /** A scope that outlived its route, or a class's that has none. */
  private RouteScope unknownRoute(String id) {
    var route = new RouteScope(id);
    route.timeoutNanos = limits.queueTimeoutNanos();
    routes.put(id, route);
    return route;
  }

  /** A newcomer that must wait: is there a place for it, and is waiting worth it? */
  private void bound(Waiter waiter, RouteScope route, Now now) {
    long predicted = limits.predict() ? predictedWait(waiter, route, now) : 0;
    if (predicted > route.timeoutNanos / 10 * 9) {
      take(waiter);
      refuse(waiter, Cause.PREDICTED, predicted);
    } else if (route.waiting > route.queueMax) {
      makePlace(waiter, newestBelow(waiter.tier, route), predicted);
    } else if (waiting > limits.queueMax()) {
      makePlace(waiter, newestBelow(waiter.tier, null), predicted);
    } else {
      waiter.predictedNanos = predicted;
      return;
    }
    scan(now);
  }

  /** DEC-31: the newest of the lowest tier below goes; without one the newcomer does. */
  private void makePlace(Waiter newcomer, @Nullable Waiter victim, long predicted) {
    if (victim == null) {
      take(newcomer);
      refuse(newcomer, limits.queueFull(), predicted);
    } else {
      shed(victim, Cause.DISPLACED);
    }
  }

  private @Nullable Waiter newestBelow(Priority tier, @Nullable RouteScope within) {
    for (int t = TIERS.length - 1; t > tier.ordinal(); t--) {
      Waiter newest = null;
      for (Line line : tiers[t].lines) {
        Waiter last = line.last();
        boolean eligible = within == null || line.route == within;
        if (eligible && last != null && (newest == null || last.rank > newest.rank)) {
          newest = last;
        }
      }
      if (newest != null) {
        return newest;
      }
    }
    return null;
  }

  // DEC-42.

  private long predictedWait(Waiter waiter, RouteScope route, Now now) {
    TierScope tier = tiers[waiter.tier.ordinal()];
    long longest = 0;
    if (route.isLimited() && route.waiting > 1) {
      longest =
          route.rate.waitNanos(
              route.waitingUnits - (long) (route.max - route.used), route.max, now.nanos());
    }
    if (tier.max < limits.max() && tier.waiting > 1) {
      longest =
          Math.max(
              longest,
              tier.rate.waitNanos(
                  tier.waitingUnits - (long) (tier.max - tier.used), tier.max, now.nanos()));
    }
    if (waiting > 1) {
      long ahead = 0;
      for (int t = 0; t <= waiter.tier.ordinal(); t++) {
        ahead += tiers[t].waitingUnits;
      }
      longest =
          Math.max(
              longest, rate.waitNanos(ahead - (limits.max() - used), limits.max(), now.nanos()));
    }
    return longest;
  }

  // Leaving.

  private void leave(Waiter waiter, Now now) {
    switch (waiter.phase) {
      case WAITING -> {
        take(waiter);
        waiter.phase = Waiter.Phase.OUT;
        scan(now);
      }
      case HOLDING -> {
        release(waiter, now);
        scan(now);
      }
      case OUT -> {}
    }
  }

  private void release(Waiter waiter, Now now) {
    RouteScope route = scopeOf(waiter);
    TierScope tier = tiers[waiter.tier.ordinal()];
    waiter.phase = Waiter.Phase.OUT;
    used -= waiter.weight;
    tier.used -= waiter.weight;
    route.used -= waiter.weight;
    if (waiting > 0) {
      rate.returned(waiter.weight, now.nanos());
    }
    if (tier.waiting > 0) {
      tier.rate.returned(waiter.weight, now.nanos());
    }
    if (route.waiting > 0) {
      route.rate.returned(waiter.weight, now.nanos());
    }
    if (route.isOver()) {
      routes.remove(route.id);
    }
  }

  // DEC-30.

  private void scan(Now now) {
    if (waiting == 0) {
      return;
    }
    // I2: a lower tier's grant can fill the route of the one that a higher tier saves for, and free
    // those behind it; so a pass that granted is followed by another.
    long before;
    do {
      before = grants;
      blocked.clear();
      boolean saving = false;
      for (Priority tier : TIERS) {
        saving = scanTier(tiers[tier.ordinal()], saving, now);
      }
    } while (grants != before && waiting > 0);
  }

  private boolean scanTier(TierScope tier, boolean savingAbove, Now now) {
    int at = 0;
    while (at < tier.lines.size()) {
      Line line = tier.lines.get(at);
      RouteScope route = line.route;
      Waiter waiter = line.first();
      if (waiter == null) {
        throw new IllegalStateException("admission: an empty line among those that wait");
      }
      if (blocked.contains(route)) {
        at++;
      } else if (route.used + waiter.weight > route.max) {
        blocked.add(route);
        at++;
      } else if (tier.used + waiter.weight > tier.max) {
        return savingAbove;
      } else if (savingAbove && tier.used + waiter.weight > tier.reserved) {
        return true;
      } else if (!fits(tier, waiter.weight)) {
        return true;
      } else {
        take(waiter);
        grant(waiter, route, now.nanos() - waiter.enteredNanos);
        // The line's next head may have its place anywhere behind.
        at = 0;
      }
    }
    return savingAbove;
  }

  private boolean hasRoom(Waiter waiter, RouteScope route) {
    TierScope tier = tiers[waiter.tier.ordinal()];
    return route.used + waiter.weight <= route.max
        && tier.used + waiter.weight <= tier.max
        && fits(tier, waiter.weight);
  }

  private boolean fits(TierScope tier, int weight) {
    long needed = (long) used + weight;
    for (TierScope other : tiers) {
      needed += other == tier ? 0 : other.unusedReservation();
    }
    return needed <= limits.max();
  }

  /** Whether the limits in force would let it in if nothing else were here. */
  private boolean canEverFit(Waiter waiter, RouteScope route) {
    TierScope tier = tiers[waiter.tier.ordinal()];
    long needed = waiter.weight;
    for (TierScope other : tiers) {
      needed += other == tier ? 0 : other.reserved;
    }
    return waiter.weight <= route.max && waiter.weight <= tier.max && needed <= limits.max();
  }

  private void grant(Waiter waiter, RouteScope route, long waitedNanos) {
    waiter.phase = Waiter.Phase.HOLDING;
    waiter.waitedNanos = waitedNanos;
    used += waiter.weight;
    tiers[waiter.tier.ordinal()].used += waiter.weight;
    route.used += waiter.weight;
    grants++;
    result(waiter);
  }

  // Places and results.

  private void place(Waiter waiter, RouteScope route) {
    waiter.phase = Waiter.Phase.WAITING;
    tiers[waiter.tier.ordinal()].add(waiter, route.lines[waiter.tier.ordinal()]);
    route.waiting++;
    route.waitingUnits += waiter.weight;
    waiting++;
  }

  private void take(Waiter waiter) {
    RouteScope route = scopeOf(waiter);
    tiers[waiter.tier.ordinal()].remove(waiter, route.lines[waiter.tier.ordinal()]);
    route.waiting--;
    route.waitingUnits -= waiter.weight;
    waiting--;
  }

  private void shed(Waiter waiter, Cause cause) {
    take(waiter);
    refuse(waiter, cause, waiter.predictedNanos);
  }

  private void refuse(Waiter waiter, Cause cause, long predictedNanos) {
    waiter.phase = Waiter.Phase.OUT;
    waiter.shedCause = cause;
    waiter.predictedNanos = predictedNanos;
    sheds.merge(cause, 1L, Long::sum);
    result(waiter);
  }

  private void shedUnfit(Line line) {
    Waiter waiter = line.first();
    while (waiter != null) {
      Waiter next = waiter.next;
      if (!canEverFit(waiter, line.route)) {
        shed(waiter, Cause.LIMIT_LOWERED);
      }
      waiter = next;
    }
  }

  private void result(Waiter waiter) {
    waiter.nextResult = null;
    if (lastResult == null) {
      firstResult = waiter;
    } else {
      lastResult.nextResult = waiter;
    }
    lastResult = waiter;
  }

  /** The results since the last call, chained in order. */
  @Nullable Waiter takeResults() {
    Waiter first = firstResult;
    firstResult = null;
    lastResult = null;
    return first;
  }

  private static RouteScope scopeOf(Waiter waiter) {
    RouteScope route = waiter.route;
    if (route == null) {
      throw new IllegalStateException("admission: a waiter without a route");
    }
    return route;
  }

  private void enforce(Limits next) {
    for (int t = 0; t < tiers.length; t++) {
      tiers[t].max = next.tierMax()[t];
      tiers[t].reserved = next.tierReserved()[t];
    }
    for (RouteScope route : routes.values()) {
      route.removed |= route.configured;
      route.configured = false;
    }
    next.routes()
        .forEach(
            (id, own) -> {
              RouteScope route = routes.computeIfAbsent(id, RouteScope::new);
              route.configured = true;
              route.removed = false;
              route.max = own.max();
              route.queueMax = own.queueMax();
              route.timeoutNanos = own.timeoutNanos();
            });
  }

  // Questions.

  /** What there is, for the operator. */
  Snapshot snapshot(long longestDrainNanos) {
    var byTier = new EnumMap<Priority, Snapshot.Scope>(Priority.class);
    for (Priority tier : TIERS) {
      TierScope scope = tiers[tier.ordinal()];
      byTier.put(tier, new Snapshot.Scope(scope.max, scope.used, scope.waiting));
    }
    var byRoute = new java.util.TreeMap<String, Snapshot.Scope>();
    routes.forEach(
        (id, route) -> byRoute.put(id, new Snapshot.Scope(route.max, route.used, route.waiting)));
    return new Snapshot(
        new Snapshot.Scope(limits.max(), used, waiting),
        Map.copyOf(byTier),
        java.util.Collections.unmodifiableMap(byRoute),
        grants,
        Map.copyOf(sheds),
        longestDrainNanos);
  }
}
