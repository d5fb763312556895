package dev.sluice.governor.fetch.attempts;

import java.time.Duration;

/**
 * A sliding window cut into tenths, which are numbered from its first moment on. What is older than
 * the window never counts; what is in its oldest tenth may not count any more. Immutable.
 */
record Slices(long startNanos, long sliceNanos) {

  /** The slices that count. */
  static final int COUNT = 10;

  static Slices from(long now, Duration window) {
    return new Slices(now, Math.max(1, window.toNanos() / COUNT));
  }

  /** The number of the slice that {@code now} is in. */
  long at(long now) {
    return Math.max(0, now - startNanos) / sliceNanos;
  }
}
