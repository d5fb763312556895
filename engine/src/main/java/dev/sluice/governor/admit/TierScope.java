package dev.sluice.governor.admit;

import java.util.ArrayList;
import java.util.List;

/**
 * What admission knows of one tier; its lines that have waiters, by their head's rank. The drain's.
 */
final class TierScope {

  final ReturnRate rate = new ReturnRate();
  final List<Line> lines = new ArrayList<>();
  int max = Integer.MAX_VALUE;
  int reserved;
  int used;
  int waiting;
  int waitingUnits;

  boolean hasRoom(int weight) {
    return used + weight <= max;
  }

  /** Its share of the global scope that nobody else may use now. */
  int unusedReservation() {
    return Math.max(0, reserved - used);
  }

  void add(Waiter waiter, Line line) {
    boolean first = line.isEmpty();
    line.add(waiter);
    if (first) {
      insert(line);
    }
    waiting++;
    waitingUnits += waiter.weight;
  }

  void remove(Waiter waiter, Line line) {
    boolean head = line.first() == waiter;
    line.remove(waiter);
    if (head) {
      lines.remove(line);
      if (!line.isEmpty()) {
        insert(line);
      }
    }
    waiting--;
    waitingUnits -= waiter.weight;
  }

  /** Who is first in the line at {@code at}. */
  Waiter headOf(int at) {
    return headOf(lines.get(at));
  }

  private void insert(Line line) {
    long rank = headOf(line).rank;
    int at = lines.size();
    while (at > 0 && headOf(at - 1).rank > rank) {
      at--;
    }
    lines.add(at, line);
  }

  private static Waiter headOf(Line line) {
    Waiter head = line.first();
    if (head == null) {
      throw new IllegalStateException("admission: an empty line among those that wait");
    }
    return head;
  }
}
