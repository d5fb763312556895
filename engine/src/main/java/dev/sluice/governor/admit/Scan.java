package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DEC-30's scan: grants whoever may go, from the highest tier down and by arrival within one. A
 * full route is passed over; the first that only the global limit holds back saves for itself, and
 * from then on a lower tier may use no more than what is reserved for it. The drain's.
 */
final class Scan {

  private static final Logger log = LoggerFactory.getLogger(Scan.class);
  private static final Priority[] TIERS = Priority.values();

  private final ConcurrencyLimit limit;
  private final WaitQueue queue;
  private final Decisions decisions;
  private final Set<RouteScope> blocked = new HashSet<>();

  Scan(ConcurrencyLimit limit, WaitQueue queue, Decisions decisions) {
    this.limit = limit;
    this.queue = queue;
    this.decisions = decisions;
  }

  void run(Now now) {
    if (queue.isEmpty()) {
      return;
    }
    // I2: a lower tier's grant can fill the route of the one that a higher tier saves for, and free
    // those behind it; so a pass that granted is followed by another.
    long before;
    do {
      before = decisions.grants();
      blocked.clear();
      boolean saving = false;
      for (Priority tier : TIERS) {
        saving = pass(limit.tier(tier), saving, now);
      }
    } while (decisions.grants() != before && !queue.isEmpty());
  }

  /** Goes through one tier's lines; whether somebody here or above saves. */
  private boolean pass(TierScope tier, boolean savingAbove, Now now) {
    int at = 0;
    while (at < tier.lines.size()) {
      RouteScope route = tier.lines.get(at).route;
      Waiter waiter = tier.headOf(at);
      if (blocked.contains(route)) {
        at++;
      } else if (!route.hasRoom(waiter.weight)) {
        blocked.add(route);
        at++;
      } else if (limit.isAtItsShare(tier, waiter.weight)) {
        return savingAbove;
      } else if (savingAbove && tier.used + waiter.weight > tier.reserved) {
        return true;
      } else if (!limit.hasRoom(tier, waiter.weight)) {
        return true;
      } else {
        grant(waiter, now);
        // The line's next head may have its place anywhere behind.
        at = 0;
      }
    }
    return savingAbove;
  }

  /** One whose charge fails goes without, so that it holds up nobody behind it (DEC-48). */
  private void grant(Waiter waiter, Now now) {
    queue.remove(waiter);
    try {
      limit.charge(waiter);
    } catch (RuntimeException e) {
      log.error("admission: a waiter of route {} cannot be charged and is shed", waiter.routeId, e);
      limit.forget(waiter.scope());
      decisions.shed(waiter, Cause.INTERNAL_ERROR);
      return;
    }
    decisions.granted(waiter, now.nanos() - waiter.enteredNanos);
  }
}
