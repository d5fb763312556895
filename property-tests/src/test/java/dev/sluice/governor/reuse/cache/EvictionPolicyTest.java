package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * BEY-09, CCH-16: the store's hit ratio on a Zipfian workload beside that of the policies it stands
 * in for, FIFO and second-chance clock, over the same requests and the same number of answers. The
 * workload is such that these two give the figures of CCH-16.
 */
class EvictionPolicyTest {

  private static final int ANSWERS = 78;
  private static final int KEYS = 1_000;
  private static final int REQUESTS = 400_000;
  private static final int WARM_UP = 50_000;
  private static final double SKEW = 1.05;
  private static final long SEED = 20_240_229;
  private static final int BODY = 8;

  @Test
  void zipf_oursIsAboveClockAndClockAboveFifo() {
    int[] requests = zipf();
    double fifo = ratio(requests, new Clock(false));
    double clock = ratio(requests, new Clock(true));
    var store = new Ours();
    double ours = ratio(requests, store);
    store.empty();
    System.out.printf(
        "eviction: zipf skew %.3f, %d keys, %d answers of equal size, %d requests (%d to warm up):"
            + " fifo %.3f, clock %.3f, ours %.3f%n",
        SKEW, KEYS, ANSWERS, REQUESTS, WARM_UP, fifo, clock, ours);

    assertThat(fifo).isBetween(0.515, 0.535);
    assertThat(clock).isBetween(0.590, 0.610);
    assertThat(ours).isGreaterThan(clock).isGreaterThan(0.600);
  }

  private interface Policy {
    /** Whether it was there; if not, it is now. */
    boolean request(int key);
  }

  private static double ratio(int[] requests, Policy policy) {
    int hits = 0;
    for (int i = 0; i < requests.length; i++) {
      if (policy.request(requests[i]) && i >= WARM_UP) {
        hits++;
      }
    }
    return (double) hits / (requests.length - WARM_UP);
  }

  private static int[] zipf() {
    double[] cumulated = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += 1 / Math.pow(i + 1, SKEW);
      cumulated[i] = sum;
    }
    var random = new Random(SEED);
    int[] requests = new int[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      requests[i] = found < 0 ? -found - 1 : found;
    }
    return requests;
  }

  /** FIFO, or with a second chance for what was asked for since it was looked at last. */
  private static final class Clock implements Policy {
    private final boolean secondChance;
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    private final Map<Integer, Boolean> asked = new HashMap<>();

    Clock(boolean secondChance) {
      this.secondChance = secondChance;
    }

    @Override
    public boolean request(int key) {
      if (asked.containsKey(key)) {
        asked.put(key, secondChance);
        return true;
      }
      if (queue.size() == ANSWERS) {
        evict();
      }
      queue.add(key);
      asked.put(key, false);
      return false;
    }

    private void evict() {
      int eldest = queue.remove();
      while (asked.getOrDefault(eldest, false)) {
        asked.put(eldest, false);
        queue.add(eldest);
        eldest = queue.remove();
      }
      asked.remove(eldest);
    }
  }

  /** The store itself, with room for as many answers and its headroom beside. */
  private static final class Ours implements Policy {
    private final CacheKey[] keys = new CacheKey[KEYS];
    private final ResponseCache cache;

    Ours() {
      for (int i = 0; i < KEYS; i++) {
        keys[i] = Entries.key("/" + (10_000_000 + i));
      }
      // The index has 15 of 16 parts of the account.
      cache = new ResponseCache(Entries.charge(keys[0], BODY) * ANSWERS * 16 / 15, Runnable::run);
    }

    void empty() {
      cache.purge(new PurgeSelector.All(), false);
      assertThat(cache.account().used()).isZero();
    }

    @Override
    public boolean request(int number) {
      CacheKey key = keys[number];
      StoredResponse found = cache.find(key);
      if (found != null) {
        found.body().unpin();
        return true;
      }
      if (cache.reserve(Entries.charge(key, BODY)) == null) {
        String path = "/" + (10_000_000 + number);
        assertThat(cache.put(Entries.of(cache, path, new byte[BODY]), 0)).isTrue();
        assertThat(cache.occupancy().entries()).isLessThanOrEqualTo(ANSWERS + 1);
      }
      return false;
    }
  }
}
