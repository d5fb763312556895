package dev.sluice.governor.fetch;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How long each route's completed fetches took of late, for the hold that follows an abandoned one
 * (DEC-29). Thread-safe; a lost update costs one sample of many.
 */
public final class ServiceTimes {

  private static final int SAMPLES = 32;
  private static final long MIN_HOLD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Map<String, Ring> rings = new ConcurrentHashMap<>();

  /** A fetch of {@code route} completed. */
  public void record(String route, long nanos) {
    Ring ring = rings.get(route);
    if (ring == null) {
      ring = rings.computeIfAbsent(route, id -> new Ring());
    }
    ring.add(nanos);
  }

  /** The median within 1 s and 10 s; {@code fallbackNanos} within them where nothing completed. */
  public long holdNanos(String route, long fallbackNanos) {
    Ring ring = rings.get(route);
    long hold = ring == null ? fallbackNanos : ring.median();
    return Math.max(MIN_HOLD_NANOS, Math.min(MAX_HOLD_NANOS, hold));
  }

  /** Forgets routes that are gone. */
  public void retain(java.util.Set<String> routes) {
    rings.keySet().retainAll(routes);
  }

  private static final class Ring {
    private final long[] nanos = new long[SAMPLES];
    private volatile int count;

    void add(long sample) {
      int at = count;
      nanos[Math.floorMod(at, SAMPLES)] = sample;
      count = at + 1;
    }

    long median() {
      long[] sorted = Arrays.copyOf(nanos, Math.min(count, SAMPLES));
      Arrays.sort(sorted);
      return sorted[sorted.length / 2];
    }
  }
}
