package dev.sluice.wire.client;

import java.util.concurrent.TimeUnit;

/**
 * Whether a client keeps to a minimum rate (DEC-32): bytes over the time in which the client is the
 * one we wait for, averaged over 10 s after a grace of 10 s. Confined to its connection's loop.
 */
final class RateGuard {

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long minBytesPerSecond;
  private boolean graceOver;
  private long waitedNanos;
  private long bytes;

  /** 0 judges nobody. */
  RateGuard(long minBytesPerSecond) {
    this.minBytesPerSecond = minBytesPerSecond;
  }

  /** A new message begins. */
  void reset() {
    graceOver = false;
    waitedNanos = 0;
    bytes = 0;
  }

  /** Adds time spent waiting for the client and what it moved meanwhile; true = too slow. */
  boolean isBreached(long waited, long moved) {
    if (minBytesPerSecond == 0) {
      return false;
    }
    waitedNanos += waited;
    bytes += moved;
    if (waitedNanos < WINDOW_NANOS) {
      return false;
    }
    boolean tooSlow =
        graceOver && bytes < minBytesPerSecond * waitedNanos / TimeUnit.SECONDS.toNanos(1);
    graceOver = true;
    waitedNanos = 0;
    bytes = 0;
    return tooSlow;
  }
}
