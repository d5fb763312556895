package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;

/** What admission knows of one route: its limits, what it uses, who waits for it. The drain's. */
final class RouteScope {

  final String id;
  final Line[] lines;
  final ReturnRate rate = new ReturnRate();
  int max = Integer.MAX_VALUE;
  int queueMax = Integer.MAX_VALUE;
  long timeoutNanos;
  int used;
  int waiting;
  int waitingUnits;
  private boolean removed;

  /** Whether a newcomer finds no place. Written by the drain, read by any thread. */
  volatile boolean full;

  RouteScope(String id) {
    this.id = id;
    Priority[] tiers = Priority.values();
    this.lines = new Line[tiers.length];
    for (Priority tier : tiers) {
      lines[tier.ordinal()] = new Line(this, tier);
    }
  }

  /** From now on {@code own}. */
  void enforce(Limits.PerRoute own) {
    removed = false;
    max = own.max();
    queueMax = own.queueMax();
    timeoutNanos = own.timeoutNanos();
  }

  /** It is in the file no more, and goes once nobody is left of it (DEC-36). */
  void outlive(long timeoutOfAllNanos) {
    removed = true;
    timeoutNanos = timeoutOfAllNanos;
  }

  boolean hasRoom(int weight) {
    return used + weight <= max;
  }

  boolean isLimited() {
    return max != Integer.MAX_VALUE;
  }

  /** Somebody came or went. */
  void noteFullness() {
    boolean now = waiting >= Math.max(1, queueMax);
    if (full != now) {
      full = now;
    }
  }

  /** Whether it may be forgotten. */
  boolean isOver() {
    return removed && used == 0 && waiting == 0;
  }
}
