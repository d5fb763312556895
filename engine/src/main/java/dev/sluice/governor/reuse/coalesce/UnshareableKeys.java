package dev.sluice.governor.reuse.coalesce;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.time.Ticker;
import java.time.Duration;

/**
 * Keys whose answer proved unshareable a moment ago: while one is remembered nobody waits behind
 * another for an answer that would not serve (DEC-44). The least recently used goes first.
 * Thread-safe.
 *
 * @param <K> a key
 */
public final class UnshareableKeys<K> {

  /** Keys remembered at most. */
  static final int MOST = 100_000;

  private final Ticker ticker;
  private final Cache<K, Long> until;

  public UnshareableKeys(Ticker ticker) {
    this.ticker = ticker;
    this.until = Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
  }

  /** Nobody boards a flight of {@code key} for as long as {@code time}; zero remembers nothing. */
  public void remember(K key, Duration time) {
    if (!time.isZero()) {
      until.put(key, ticker.nanos() + time.toNanos());
    }
  }

  /** An answer to {@code key} turned out shareable. */
  public void forget(K key) {
    until.invalidate(key);
  }

  /** Whether it was remembered, and not too long ago. */
  public boolean isRemembered(K key) {
    Long end = until.getIfPresent(key);
    return end != null && end - ticker.nanos() > 0;
  }

  /** How many are remembered, about. */
  public long size() {
    return until.estimatedSize();
  }
}
