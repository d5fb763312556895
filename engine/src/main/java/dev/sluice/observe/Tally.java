package dev.sluice.observe;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A row of counters that one thread writes and any thread reads. A single writer needs no atomic
 * addition: a plain read and an ordered write are enough.
 */
final class Tally {

  private final AtomicLongArray counts;

  Tally(int size) {
    this.counts = new AtomicLongArray(size);
  }

  /** For the writer only. */
  void add(int index, long amount) {
    counts.setRelease(index, counts.getPlain(index) + amount);
  }

  long get(int index) {
    return counts.getAcquire(index);
  }

  int size() {
    return counts.length();
  }
}
