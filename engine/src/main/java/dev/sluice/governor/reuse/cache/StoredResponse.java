package dev.sluice.governor.reuse.cache;

import dev.sluice.flow.StoredBody;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An answer that exists: its head, its complete body and for how long and by what right it may be
 * used. Immutable but for three marks. Thread-safe; the body's bytes are for who pinned it.
 */
public final class StoredResponse {

  /** What may be done with it now. */
  public enum Standing {
    /** It may be served as it is. */
    FRESH,
    /** It may be served while one request refreshes it (RFC 5861 3). */
    REVALIDATE,
    /** It may be served where the origin fails, or has no room (RFC 5861 4, BEY-02). */
    IF_ERROR,
    /** It may only be asked about. */
    EXPIRED
  }

  /**
   * What it is filed under.
   *
   * @param primary the key without what answers taught to look at; equal to {@code key} for most
   * @param path the target's normalized path, for purges; never part of the key (KEY-24)
   * @param tags in order, each once (CCH-18)
   */
  public record Filing(CacheKey key, CacheKey primary, String path, List<String> tags) {
    public Filing {
      tags = List.copyOf(tags);
    }
  }

  /**
   * When it came, by both clocks.
   *
   * @param nanos on the ticker
   * @param epochMillis by the time of day
   * @param suspendedMillis how far the wall clock had run ahead of the ticker by then (DEC-49)
   */
  public record Received(long nanos, long epochMillis, long suspendedMillis) {}

  /** A wall clock that ran ahead by more was not corrected: the machine was suspended. */
  private static final long SUSPENDED_MILLIS = 2000;

  private final Filing filing;
  private final EncodedHead head;
  private final StoredBody body;
  private final Lifetime lifetime;
  private final int rights;
  private final Received received;
  private final long charged;
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile boolean softlyPurged;
  private volatile int failedRefreshes;
  private volatile long nextRefreshNanos;

  /** Takes over its maker's pin on {@code body}: it is the index's once the entry is put. */
  public StoredResponse(
      Filing filing,
      EncodedHead head,
      StoredBody body,
      Lifetime lifetime,
      int rights,
      Received received) {
    this.filing = filing;
    this.head = head;
    this.body = body;
    this.lifetime = lifetime;
    this.rights = rights;
    this.received = received;
    this.charged = body.charged();
    this.nextRefreshNanos = received.nanos();
  }

  /**
   * Its age, in milliseconds. What a suspended machine slept through counts; a wall clock that was
   * corrected by a little, or set back, changes nothing (DEC-49).
   */
  public long ageMillis(long nowNanos, long suspendedMillisNow) {
    long slept = suspendedMillisNow - received.suspendedMillis();
    return lifetime.initialAgeMillis()
        + TimeUnit.NANOSECONDS.toMillis(nowNanos - received.nanos())
        + (slept > SUSPENDED_MILLIS ? slept : 0);
  }

  /** What may be done with it at {@code ageMillis}. */
  public Standing standing(long ageMillis) {
    if (softlyPurged) {
      // What nobody may have stale does not become a stand-in by being made stale (DEC-15, C07).
      boolean mayBeStale = lifetime.staleIfErrorMillis() > 0;
      return mayBeStale && lifetime.standsInAt(ageMillis) ? Standing.IF_ERROR : Standing.EXPIRED;
    }
    if (lifetime.isFreshAt(ageMillis)) {
      return Standing.FRESH;
    }
    if (lifetime.servesAt(ageMillis)) {
      return Standing.REVALIDATE;
    }
    return lifetime.standsInAt(ageMillis) ? Standing.IF_ERROR : Standing.EXPIRED;
  }

  public Filing filing() {
    return filing;
  }

  public ResponseHead plainHead() {
    return head.plain();
  }

  public EncodedHead encodedHead() {
    return head;
  }

  public Received received() {
    return received;
  }

  public StoredBody body() {
    return body;
  }

  /** What the account was charged for it when it was made; its body's charge may have grown. */
  long charged() {
    return charged;
  }

  public Lifetime lifetime() {
    return lifetime;
  }

  /** By what right it was stored (DEC-36). */
  public int rights() {
    return rights;
  }

  /**
   * Its freshness is over, whatever it was; where it may be stale at all it still serves where the
   * origin fails (DEC-39).
   */
  void purgeSoftly() {
    softlyPurged = true;
  }

  /** Whether a soft purge met it. */
  public boolean isSoftlyPurged() {
    return softlyPurged;
  }

  /** Whether the caller is to refresh it: true for one at a time, and not behind a failure. */
  public boolean tryRefresh(long nowNanos) {
    return nowNanos - nextRefreshNanos >= 0 && refreshing.compareAndSet(false, true);
  }

  /**
   * The refresh came to nothing: the next one waits for a second, doubling to 30 s (DEC-40).
   *
   * @param spread between -0.2 and 0.2: what the wait is longer or shorter by
   */
  public void refreshFailed(long nowNanos, double spread) {
    int failures = Math.min(failedRefreshes, 5);
    failedRefreshes = failures + 1;
    long seconds = Math.min(30, 1L << failures);
    nextRefreshNanos = nowNanos + (long) (TimeUnit.SECONDS.toNanos(seconds) * (1 + spread));
    refreshing.set(false);
  }
}
