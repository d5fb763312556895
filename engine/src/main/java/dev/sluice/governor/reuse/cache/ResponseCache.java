package dev.sluice.governor.reuse.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.sluice.flow.ByteBudget;
import dev.sluice.flow.StoredBody;
import dev.sluice.outcome.BypassReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that exist, by key, within a bound of bytes. Which ones stay is W-TinyLFU's choice
 * (DEC-24); every byte is in one account until the last who holds it lets go, evicted or not
 * (DEC-38). Thread-safe; nothing here waits.
 */
public final class ResponseCache {

  /** What one entry costs beside its key, head and body. */
  static final int ENTRY_OVERHEAD = 256;

  /** The index leaves a sixteenth of the account to answers on their way in. */
  private static final int HEADROOM = 16;

  /** Entries thrown out at once, at most, where an answer found no room. */
  private static final int MAKE_ROOM = 1024;

  /**
   * What a purge touched.
   *
   * @param number its place in the order of purges
   */
  public record Purged(long number, int entries) {}

  /**
   * What there is, for the operator.
   *
   * @param variants entries that are one of several of their URL, for what the origin's Vary taught
   * @param pinnedBytes of answers that are no longer in the index but still being read
   * @param evictions entries that made room for others, since the start
   * @param purges those that were asked for and those that writes brought with them
   * @param purged entries that purges touched
   */
  public record Occupancy(
      long entries,
      long variants,
      long bytes,
      long maxBytes,
      long pinnedBytes,
      long evictions,
      long purges,
      long purged) {}

  private final ByteBudget account;
  private final Executor maintenance;
  private final PurgeLog purges = new PurgeLog();
  private final Cache<CacheKey, StoredResponse> index;
  private final ConcurrentHashMap<CacheKey, Integer> variants = new ConcurrentHashMap<>();
  private final PathIndex paths = new PathIndex();
  private final AtomicLong indexed = new AtomicLong();
  private final AtomicLong evictions = new AtomicLong();
  private final AtomicLong purged = new AtomicLong();
  private final AtomicLong roomWanted = new AtomicLong();

  /**
   * An empty store.
   *
   * @param maintenance runs evictions and removals, one after the other; never an event loop
   */
  public ResponseCache(long maxMemory, Executor maintenance) {
    this.account = new ByteBudget(maxMemory);
    this.maintenance = maintenance;
    this.index =
        Caffeine.newBuilder()
            .maximumWeight(indexMax(maxMemory))
            .weigher(
                (CacheKey key, StoredResponse entry) ->
                    (int) Math.min(Integer.MAX_VALUE, entry.charged()))
            .executor(this::maintain)
            .removalListener(this::removed)
            .build();
  }

  private static long indexMax(long maxMemory) {
    return maxMemory - maxMemory / HEADROOM;
  }

  /** Another bound from now on; what is above it goes, on the maintenance thread. */
  public void resize(long maxMemory) {
    account.resize(maxMemory);
    maintain(() -> index.policy().eviction().ifPresent(of -> of.setMaximum(indexMax(maxMemory))));
  }

  /** Stopping, the store's last tasks are done by whoever has them. */
  private void maintain(Runnable task) {
    try {
      maintenance.execute(task);
    } catch (RejectedExecutionException stopping) {
      task.run();
    }
  }

  // Reading.

  /** The answer under {@code key}, pinned for the caller, or null. */
  public @Nullable StoredResponse find(CacheKey key) {
    StoredResponse entry = index.getIfPresent(key);
    return entry != null && entry.body().tryPin() ? entry : null;
  }

  /** The answer under {@code key}, unpinned and without any use of it being noted, or null. */
  public @Nullable StoredResponse look(CacheKey key) {
    return index.policy().getIfPresentQuietly(key);
  }

  // Writing.

  /** The last purge's number, for an attempt to note when its first byte is written. */
  public long purgeNumber() {
    return purges.number();
  }

  /** What an answer with such a key, head and body is charged. */
  public static long charge(CacheKey key, int headBytes, long bodyBytes) {
    return key.length() + headBytes + bodyBytes + ENTRY_OVERHEAD;
  }

  /**
   * Takes {@code bytes} of the account for an answer that is about to be kept, or says why not; a
   * store that is full makes room for the next.
   */
  public @Nullable BypassReason reserve(long bytes) {
    if (pinned() > account.max() / 4) {
      return BypassReason.STORE_FULL;
    }
    if (account.tryTake(bytes)) {
      return null;
    }
    // However many find no room at once, one task makes enough of it for the largest.
    if (bytes <= account.max() && roomWanted.getAndAccumulate(bytes, Math::max) == 0) {
      try {
        maintenance.execute(this::makeRoom);
      } catch (RejectedExecutionException stopping) {
        roomWanted.set(0);
      }
    }
    return BypassReason.STORE_FULL;
  }

  /**
   * The same for an answer that takes over the bytes of one that is kept, {@code body}, and takes
   * {@code bytes} with its own head. For holders of the body.
   */
  public @Nullable BypassReason reserveMore(StoredBody body, long bytes) {
    long more = bytes - body.charged();
    if (more <= 0) {
      return null;
    }
    BypassReason full = reserve(more);
    if (full == null) {
      body.chargeMore(more);
    }
    return full;
  }

  /** The account that {@link #reserve} charges and that bodies give back to. */
  public ByteBudget account() {
    return account;
  }

  /** Whether one more variant of {@code primary} may be kept (BEY-05). */
  boolean hasRoomFor(CacheKey primary, int maxVariants) {
    return variants.getOrDefault(primary, 0) < maxVariants;
  }

  /** Whether an answer under {@code key} may be kept: it is there already, or there is room. */
  public boolean mayKeep(CacheKey key, CacheKey primary, int maxVariants) {
    return hasRoomFor(primary, maxVariants) || index.asMap().containsKey(key);
  }

  /**
   * Keeps {@code entry} unless a purge after {@code noted} meant it; its pin is the index's from
   * then on, or is let go.
   */
  public boolean put(StoredResponse entry, long noted) {
    return keep(entry, noted, entry.filing().tags(), () -> insert(entry));
  }

  /**
   * The same for what a confirmation made of {@code old}, in its place: unless a purge meant either
   * of them, whose tags may differ, and only where the old one is still there, so that nothing
   * newer is lost and nothing comes back that was taken out (DEC-39, DEC-47).
   */
  public boolean replace(StoredResponse old, StoredResponse entry, long noted) {
    var tags = new ArrayList<>(old.filing().tags());
    tags.addAll(entry.filing().tags());
    return keep(entry, noted, tags, () -> swap(old, entry));
  }

  private boolean keep(
      StoredResponse entry, long noted, List<String> tags, BooleanSupplier intoTheIndex) {
    boolean kept = purges.unlessPurged(noted, entry.filing().path(), tags, intoTheIndex);
    if (!kept) {
      entry.body().unpin();
    }
    return kept;
  }

  private boolean insert(StoredResponse entry) {
    count(entry);
    index.put(entry.filing().key(), entry);
    return true;
  }

  private boolean swap(StoredResponse old, StoredResponse entry) {
    count(entry);
    boolean done = index.asMap().replace(entry.filing().key(), old, entry);
    if (!done) {
      discount(entry);
    }
    return done;
  }

  /** Before it is in the index, so that a purge of its path misses nothing that is. */
  private void count(StoredResponse entry) {
    StoredResponse.Filing filing = entry.filing();
    indexed.addAndGet(entry.charged());
    if (!filing.primary().equals(filing.key())) {
      variants.merge(filing.primary(), 1, Integer::sum);
    }
    paths.add(entry);
  }

  private void discount(StoredResponse entry) {
    StoredResponse.Filing filing = entry.filing();
    paths.remove(entry);
    if (!filing.primary().equals(filing.key())) {
      variants.computeIfPresent(filing.primary(), (primary, count) -> count > 1 ? count - 1 : null);
    }
    indexed.addAndGet(-entry.charged());
  }

  /** Takes {@code entry} out, and no other that has come in its place. */
  public void remove(StoredResponse entry) {
    drop(entry);
  }

  private boolean drop(StoredResponse entry) {
    return index.asMap().remove(entry.filing().key(), entry);
  }

  /** The one place where the index lets go, whatever the cause. */
  private void removed(@Nullable CacheKey key, @Nullable StoredResponse entry, RemovalCause cause) {
    if (entry == null) {
      return;
    }
    discount(entry);
    if (cause.wasEvicted()) {
      evictions.incrementAndGet();
    }
    entry.body().unpin();
  }

  private void makeRoom() {
    long wanted = roomWanted.getAndSet(0);
    index.cleanUp();
    long missing = wanted - (account.max() - account.used());
    index.policy().eviction().ifPresent(eviction -> evictColdest(eviction, missing));
  }

  private void evictColdest(Policy.Eviction<CacheKey, StoredResponse> eviction, long bytes) {
    long found = 0;
    for (StoredResponse entry : eviction.coldest(MAKE_ROOM).values()) {
      if (found >= bytes) {
        return;
      }
      found += entry.charged();
      if (drop(entry)) {
        evictions.incrementAndGet();
      }
    }
  }

  // Purging.

  /** Removes what {@code selector} means, or, softly, ends its freshness (DEC-39). */
  public Purged purge(PurgeSelector selector, boolean soft) {
    long number = purges.append(selector);
    int touched = 0;
    for (StoredResponse entry : meant(selector)) {
      if (soft ? expire(entry) : drop(entry)) {
        touched++;
      }
    }
    purged.addAndGet(touched);
    return new Purged(number, touched);
  }

  /** A path is found at once, a prefix by a look at each path; else each entry is looked at. */
  private List<StoredResponse> meant(PurgeSelector selector) {
    if (selector instanceof PurgeSelector.Path path) {
      return paths.of(path.exact());
    }
    if (selector instanceof PurgeSelector.Prefix) {
      return paths.where(path -> selector.matches(path, List.of()));
    }
    var meant = new ArrayList<StoredResponse>();
    for (StoredResponse entry : index.asMap().values()) {
      if (selector.matches(entry.filing().path(), entry.filing().tags())) {
        meant.add(entry);
      }
    }
    return meant;
  }

  /** False where another has come in its place already. */
  private boolean expire(StoredResponse entry) {
    entry.purgeSoftly();
    return look(entry.filing().key()) == entry;
  }

  /** Lets go of everything, on the maintenance thread while there is one. */
  public void clear() {
    maintain(
        () -> {
          index.invalidateAll();
          index.cleanUp();
        });
  }

  /** What there is. */
  public Occupancy occupancy() {
    return new Occupancy(
        index.estimatedSize(),
        variants.values().stream().mapToLong(Integer::longValue).sum(),
        account.used(),
        account.max(),
        pinned(),
        evictions.get(),
        purges.number(),
        purged.get());
  }

  private long pinned() {
    return Math.max(0, account.used() - indexed.get());
  }
}
