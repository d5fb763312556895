package dev.sluice.governor.reuse.cache;

import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;

/**
 * The last purges in their order. A flight notes the number when its first byte is written; what
 * lands is kept only if no purge since then meant it, and what began before the log's reach is not
 * kept (DEC-39). Order is a number, never a time (DEC-49). Thread-safe: a purge's entry in the log
 * and an answer's entry in the store exclude each other, so one always sees the other.
 */
final class PurgeLog {

  /** Purges remembered. */
  static final int REACH = 4096;

  private final PurgeSelector[] ring = new PurgeSelector[REACH];
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile long number;

  /** The number of the last purge. */
  long number() {
    return number;
  }

  /** Writes a purge down and returns its number. */
  long append(PurgeSelector selector) {
    lock.writeLock().lock();
    try {
      long next = number + 1;
      ring[(int) (next % REACH)] = selector;
      number = next;
      return next;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Runs {@code keep}, and returns what that says, unless a purge after {@code noted} meant such an
   * answer: then false.
   */
  boolean unlessPurged(long noted, String path, List<String> tags, BooleanSupplier keep) {
    lock.readLock().lock();
    try {
      return !isPurged(noted, path, tags) && keep.getAsBoolean();
    } finally {
      lock.readLock().unlock();
    }
  }

  private boolean isPurged(long noted, String path, List<String> tags) {
    long last = number;
    if (last - noted > REACH) {
      return true;
    }
    for (long n = noted + 1; n <= last; n++) {
      if (ring[(int) (n % REACH)].matches(path, tags)) {
        return true;
      }
    }
    return false;
  }
}
