package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * BEY-08 on real threads: the origin's content changes, it is purged, and from the purge's answer
 * on nobody finds what is older, whatever landed meanwhile.
 */
class PurgeRaceTest {

  private static final int PURGES = 2_000;

  private final ExecutorService maintenance = Executors.newSingleThreadExecutor();
  private final ResponseCache cache = new ResponseCache(1 << 20, maintenance);
  private final CacheKey key = Entries.key("/page");
  private final AtomicInteger origin = new AtomicInteger();

  /** What every look from now on must at least see. */
  private final AtomicInteger floor = new AtomicInteger();

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong landed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();

  @Test
  void purges_againstLandingsAndLooks_neverResurrect() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> work =
          new ArrayList<>(List.of(this::fly, this::fly, this::look, this::purge));
      for (Future<Void> each : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(landed.get()).isPositive();
    assertThat(refused.get()).as("the race took place").isPositive();
    assertThat(hits.get()).isPositive();

    cache.purge(new PurgeSelector.All(), false);
    maintenance.shutdown();
    assertThat(maintenance.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(cache.account().used()).isZero();
  }

  private Void fly() {
    while (!over.get()) {
      long noted = cache.purgeNumber();
      int version = origin.get();
      byte[] body = {(byte) (version >>> 16), (byte) (version >>> 8), (byte) version};
      if (cache.reserve(Entries.charge(key, body.length)) == null) {
        (cache.put(Entries.of(cache, "/page", body), noted) ? landed : refused).incrementAndGet();
      }
    }
    return null;
  }

  private Void look() {
    while (!over.get()) {
      int least = floor.get();
      StoredResponse found = cache.find(key);
      if (found != null) {
        ByteBuf bytes = found.body().whole();
        int version = bytes.getUnsignedMedium(0);
        bytes.release();
        boolean soft = found.isSoftlyPurged();
        found.body().unpin();
        hits.incrementAndGet();
        assertThat(version >= least || soft).as("version %s, purged %s", version, least).isTrue();
      }
    }
    return null;
  }

  private Void purge() {
    try {
      for (int i = 0; i < PURGES; i++) {
        int version = origin.incrementAndGet();
        cache.purge(new PurgeSelector.Path("/page"), i % 3 == 0);
        floor.set(version);
        letSomethingLand();
      }
    } finally {
      over.set(true);
    }
    return null;
  }

  /** So that each purge meets landings; only so long, in case those threads have failed. */
  private void letSomethingLand() {
    long before = landed.get() + refused.get();
    for (int i = 0; i < 1_000_000 && landed.get() + refused.get() == before; i++) {
      Thread.onSpinWait();
    }
  }
}
