package dev.sluice.governor.reuse.coalesce;

import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys whose answer proved unshareable a moment ago: while one is remembered nobody waits behind
 * another for an answer that would not serve (DEC-44). The least recently used goes first.
 * Thread-safe: one lock, held for a look into a map, and not taken while nothing is remembered.
 *
 * @param <K> a key
 */
public final class UnshareableKeys<K> {

  /** Keys remembered at most. */
  static final int MOST = 100_000;

  /** Outdated keys dropped with each new one at most, so that they do not pile up. */
  private static final int SWEPT = 2;

  private final Ticker ticker;

  /** By key, when it is forgotten; the least recently used first. Guarded by itself. */
  private final LinkedHashMap<K, Long> until = new LinkedHashMap<>(16, 0.75f, true);

  /** How many there are, for who does not want the lock. */
  private volatile int size;

  public UnshareableKeys(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Nobody boards a flight of {@code key} for as long as {@code time}; zero remembers nothing. */
  public void remember(K key, Duration time) {
    if (time.isZero()) {
      return;
    }
    long now = ticker.nanos();
    synchronized (until) {
      until.put(key, now + time.toNanos());
      sweep(now);
      size = until.size();
    }
  }

  /** Drops what is over among the eldest, and the eldest where there are too many. */
  private void sweep(long now) {
    Iterator<Map.Entry<K, Long>> eldest = until.entrySet().iterator();
    for (int i = 0; i < SWEPT && eldest.hasNext(); i++) {
      Map.Entry<K, Long> entry = eldest.next();
      if (until.size() > MOST || isOver(entry.getValue(), now)) {
        eldest.remove();
      }
    }
  }

  /** An answer to {@code key} turned out shareable. */
  public void forget(K key) {
    if (size == 0) {
      return;
    }
    synchronized (until) {
      until.remove(key);
      size = until.size();
    }
  }

  /** Whether it was remembered, and not too long ago. */
  public boolean isRemembered(K key) {
    if (size == 0) {
      return false;
    }
    long now = ticker.nanos();
    synchronized (until) {
      Long end = until.get(key);
      if (end == null || !isOver(end, now)) {
        return end != null;
      }
      until.remove(key);
      size = until.size();
      return false;
    }
  }

  private static boolean isOver(long end, long now) {
    return end - now <= 0;
  }

  /** How many are remembered; some of them may be over. */
  public long size() {
    return size;
  }
}
