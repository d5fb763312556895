package dev.sluice.flow;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * How many hold some bytes. Whoever found them without holding them asks {@link #tryPin()}, which
 * fails once the last holder let go; only a holder may touch the bytes. Never recycled, which a
 * buffer's own count is: a stale reference to a recycled buffer would hold the next owner's bytes
 * (DEC-38). Thread-safe.
 */
final class Pins {

  private static final AtomicIntegerFieldUpdater<Pins> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(Pins.class, "count");

  private volatile int count = 1;

  /** One more holder, or false where the last has gone. */
  boolean tryPin() {
    int seen = count;
    while (seen > 0) {
      if (COUNT.compareAndSet(this, seen, seen + 1)) {
        return true;
      }
      seen = count;
    }
    return false;
  }

  /** One holder less; true for the last, who then gives the bytes back. */
  boolean unpin() {
    int left = COUNT.decrementAndGet(this);
    if (left < 0) {
      throw new IllegalStateException("pins: " + left + " (expected: >= 0)");
    }
    return left == 0;
  }

  /** How many hold now. */
  int count() {
    return count;
  }
}
