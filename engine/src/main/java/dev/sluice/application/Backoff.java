package dev.sluice.application;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the application is started again: half a second, twice as long after each
 * further end, at most half a minute, give or take a fifth. One that ran for half a minute begins
 * anew. Confined to its owner's thread.
 */
final class Backoff {

  static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final double JITTER = 0.2;

  private final RandomGenerator random;
  private long nextNanos = FIRST_NANOS;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The wait behind a run of {@code ranNanos}. */
  long after(long ranNanos) {
    if (ranNanos >= STEADY_NANOS) {
      nextNanos = FIRST_NANOS;
    }
    long wait = nextNanos;
    nextNanos = Math.min(2 * wait, MOST_NANOS);
    return Math.round(wait * (1 + JITTER * (2 * random.nextDouble() - 1)));
  }
}
