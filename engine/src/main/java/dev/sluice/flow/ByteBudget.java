package dev.sluice.flow;

import java.util.concurrent.atomic.AtomicLong;

/** A process-wide bound on bytes held for one purpose. Thread-safe. */
public final class ByteBudget {

  private final AtomicLong used = new AtomicLong();
  private final long max;

  /** At most {@code max} bytes. */
  public ByteBudget(long max) {
    this.max = max;
  }

  /** Takes {@code bytes} if they fit. */
  public boolean tryTake(long bytes) {
    if (used.addAndGet(bytes) <= max) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /** Takes {@code bytes} even past the bound: they are in memory already. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /** Gives back what was taken. */
  public void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Whether no more should be read into memory. */
  public boolean isSpent() {
    return used.get() >= max;
  }

  /** Bytes held now. */
  public long used() {
    return used.get();
  }

  /** Bytes that may be held. */
  public long max() {
    return max;
  }
}
