package dev.sluice.bench.journey;

import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Filing;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the store costs with a thousand pages in it. Its maintenance, which has a thread of its own
 * in a running proxy, is done by the benchmark's: all bytes are counted either way.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreBenchmark {

  /** A power of two. */
  private static final int PAGES = 1024;

  private static final long MAX_MEMORY = 64L << 20;

  private final Example example = new Example();
  private final ResponseCache cache = new ResponseCache(MAX_MEMORY, Runnable::run);
  private final EncodedHead head = Example.encode(Requests.rendered(""));
  private final Page page = Page.whole();
  private final Filing[] stored = new Filing[PAGES];
  private final Filing unknown = filing("/products/unknown");
  private final int rights = example.rights(Requests.head(Requests.browser(Example.PRODUCT)));
  private int turn;

  /** Fills the store. */
  @Setup
  public void fill() {
    for (int i = 0; i < PAGES; i++) {
      stored[i] = filing("/products/" + i);
      keep(stored[i]);
    }
    if (cache.occupancy().entries() != PAGES) {
      throw new IllegalStateException(cache.occupancy() + " (expected: " + PAGES + " entries)");
    }
  }

  /** Lets go of everything. */
  @TearDown
  public void end() {
    cache.clear();
    page.release();
    if (cache.occupancy().bytes() != 0) {
      throw new IllegalStateException(cache.occupancy() + " (expected: no bytes)");
    }
  }

  private Filing filing(String target) {
    RequestHead request = Requests.head(Requests.browser(target));
    Keyed keyed = example.select(request, example.classify(request));
    return Example.filing(keyed);
  }

  private void keep(Filing filing) {
    if (!Example.store(filing, head, rights, page, cache)) {
      throw new IllegalStateException(filing + ": not kept (expected: room for it)");
    }
  }

  private Filing next() {
    turn = (turn + 1) & (PAGES - 1);
    return stored[turn];
  }

  /** An answer that is there, held and let go. */
  @Benchmark
  public StoredResponse get() {
    StoredResponse found = cache.find(next().key());
    if (found == null) {
      throw new IllegalStateException("not found (expected: a stored page)");
    }
    found.body().unpin();
    return found;
  }

  /** One that is not. */
  @Benchmark
  public @Nullable StoredResponse miss() {
    return cache.find(unknown.key());
  }

  /** A page in the place of the one that was there: copied, charged, filed, the old one freed. */
  @Benchmark
  public long put() {
    keep(next());
    return cache.account().used();
  }
}
