package dev.sluice.flow;

import java.util.concurrent.atomic.AtomicLong;

/** A process-wide bound on bytes held for one purpose. Thread-safe. */
public final class ByteBudget {

  private final AtomicLong used = new AtomicLong();
  private volatile long max;

  /** At most {@code max} bytes. */
  public ByteBudget(long max) {
    this.max = max;
  }

  /** Another bound from now on; what is held above it stays until it is given back. */
  public void resize(long bytes) {
    max = bytes;
  }

  /** Takes {@code bytes} if they fit. Nobody ever sees more taken here than the bound. */
  public boolean tryTake(long bytes) {
    long seen = used.get();
    while (bytes <= max - seen) {
      if (used.compareAndSet(seen, seen + bytes)) {
        return true;
      }
      seen = used.get();
    }
    return false;
  }

  /** Takes {@code bytes} even past the bound: they are in memory already. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /** The same for a holder that had {@code before} and has {@code now}, which is returned. */
  public int charge(int before, int now) {
    if (now != before) {
      used.addAndGet(now - before);
    }
    return now;
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
