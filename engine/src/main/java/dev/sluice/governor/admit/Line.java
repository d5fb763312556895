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

  void add(Waiter waiter) {
    waiter.previous = last;
    waiter.next = null;
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
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
