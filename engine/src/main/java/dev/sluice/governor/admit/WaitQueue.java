package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Those that wait, in lines by tier and route (I3 of DEC-30). Whether one more may wait is not
 * judged here. The drain's.
 */
final class WaitQueue {

  private static final Priority[] TIERS = Priority.values();

  private final ConcurrencyLimit limit;
  private int waiting;

  /** Whether a newcomer finds no place. Written by the drain, read by any thread. */
  private volatile boolean full;

  WaitQueue(ConcurrencyLimit limit) {
    this.limit = limit;
  }

  boolean isEmpty() {
    return waiting == 0;
  }

  int waiting() {
    return waiting;
  }

  void add(Waiter waiter) {
    RouteScope route = waiter.scope();
    waiter.phase = Waiter.Phase.WAITING;
    limit.tier(waiter.tier).add(waiter, route.lines[waiter.tier.ordinal()]);
    route.waiting++;
    route.waitingUnits += waiter.weight;
    waiting++;
    noteFullness(route);
  }

  void remove(Waiter waiter) {
    RouteScope route = waiter.scope();
    limit.tier(waiter.tier).remove(waiter, route.lines[waiter.tier.ordinal()]);
    route.waiting--;
    route.waitingUnits -= waiter.weight;
    waiting--;
    noteFullness(route);
  }

  /** A place was wanted and there was none, in {@code route}'s queue or in the one of all. */
  void turnedAway(RouteScope route) {
    if (route.queueMax == 0) {
      route.full = true;
    }
    if (limit.queueMax() == 0) {
      full = true;
    }
  }

  /** Units of {@code route} came back, or the bounds are others. */
  void noteFullness(RouteScope route) {
    route.noteFullness();
    boolean now = waiting >= Math.max(1, limit.queueMax());
    if (full != now) {
      full = now;
    }
  }

  /** Whether who came to {@code route} now would be shed, or another for it. Any thread. */
  boolean isFull(RouteScope route) {
    return full || route.full;
  }

  /** Units that wait in {@code tier} and those above. */
  long unitsDownTo(Priority tier) {
    long units = 0;
    for (int t = 0; t <= tier.ordinal(); t++) {
      units += limit.tier(TIERS[t]).waitingUnits;
    }
    return units;
  }

  /** The newest of the lowest tier below {@code tier}, of one route or, for null, of all. */
  @Nullable Waiter newestBelow(Priority tier, @Nullable RouteScope within) {
    for (int t = TIERS.length - 1; t > tier.ordinal(); t--) {
      Waiter newest = newestOf(limit.tier(TIERS[t]), within);
      if (newest != null) {
        return newest;
      }
    }
    return null;
  }

  private static @Nullable Waiter newestOf(TierScope tier, @Nullable RouteScope within) {
    Waiter newest = null;
    for (Line line : tier.lines) {
      Waiter last = line.last();
      boolean eligible = within == null || line.route == within;
      if (eligible && last != null && (newest == null || last.rank > newest.rank)) {
        newest = last;
      }
    }
    return newest;
  }
}
