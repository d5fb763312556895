package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import org.jspecify.annotations.Nullable;

/** Those of one tier that wait for one route, in order of arrival (I3 of DEC-30). The drain's. */
final class Line {

  final RouteScope route;
  final Priority tier;
  private @Nullable Waiter first;
  private @Nullable Waiter last;

  Line(RouteScope route, Priority tier) {
    this.route = route;
    this.tier = tier;
  }

  @Nullable Waiter first() {
    return first;
  }

  @Nullable Waiter last() {
    return last;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** In its place by rank: behind all others, but for one that arrived before it asked. */
  void add(Waiter waiter) {
    Waiter before = last;
    while (before != null && before.rank > waiter.rank) {
      before = before.previous;
    }
    Waiter behind = before == null ? first : before.next;
    waiter.previous = before;
    waiter.next = behind;
    if (before == null) {
      first = waiter;
    } else {
      before.next = waiter;
    }
    if (behind == null) {
      last = waiter;
    } else {
      behind.previous = waiter;
    }
  }

  void remove(Waiter waiter) {
    if (waiter.previous == null) {
      first = waiter.next;
    } else {
      waiter.previous.next = waiter.next;
    }
    if (waiter.next == null) {
      last = waiter.previous;
    } else {
      waiter.next.previous = waiter.previous;
    }
    waiter.previous = null;
    waiter.next = null;
  }
}
