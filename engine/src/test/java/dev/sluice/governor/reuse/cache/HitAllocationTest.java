package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A hit's look-up allocates nothing; what the store has to note of it, it notes elsewhere. */
class HitAllocationTest {

  private static final int HITS = 100_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void findAndUnpin_allocateNothing() {
    var cache = new ResponseCache(1 << 20, Runnable::run);
    CacheKey key = Entries.key("/a");
    assertThat(cache.reserve(Entries.charge(key, 1000))).isNull();
    assertThat(cache.put(Entries.of(cache, "/a", new byte[1000]), 0)).isTrue();
    hit(cache, key);

    long before = THREADS.getCurrentThreadAllocatedBytes();
    int found = hit(cache, key);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

    assertThat(found).isEqualTo(HITS);
    // Not a byte a hit: what remains is the measurement's own and the maintenance's first steps.
    assertThat(allocated).isLessThan(HITS / 10);
    cache.purge(new PurgeSelector.All(), false);
    assertThat(cache.account().used()).isZero();
  }

  private static int hit(ResponseCache cache, CacheKey key) {
    int found = 0;
    for (int i = 0; i < HITS; i++) {
      StoredResponse entry = cache.find(key);
      if (entry != null) {
        entry.body().unpin();
        found++;
      }
    }
    return found;
  }
}
