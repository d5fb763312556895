package dev.sluice.governor.judge;

import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import dev.sluice.outcome.BypassReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The origin's word and the route's policy put together, for an answer that no barrier keeps alone.
 * Confined to the call that makes it.
 */
final class Terms {

  private final Asked asked;
  private final int status;
  private final boolean untilClose;
  private final SharePolicy policy;
  private final CachePolicy cache;
  private final OriginWord word;

  /** Whether the operator may vouch for an answer of this kind (DEC-11, DEC-43). */
  private final boolean reachable;

  /** Whether the operator does. */
  private final boolean vouched;

  Terms(Asked asked, ResponseHead head, SharePolicy policy, OriginWord word) {
    this.asked = asked;
    this.status = head.status();
    this.untilClose = head.framing() instanceof Framing.UntilClose;
    this.policy = policy;
    this.cache = policy.cache();
    this.word = word;
    this.reachable = Statuses.isStorable(status) && !asked.isStatic();
    this.vouched = reachable && cache.override();
  }

  Sharing sharing() {
    BypassReason forbids = word.forbids();
    if (forbids != null && !vouched) {
      return refused(forbids);
    }
    if (word.lifetimeSeconds() > 0) {
      return lives(word.lifetimeSeconds() * 1000, forbids == null ? 0 : Rights.OVERRIDE);
    }
    Duration ceiling = cache.ttlMax();
    if (vouched && ceiling != null) {
      return lives(ceiling.toMillis(), Rights.OVERRIDE);
    }
    return withoutLifetime(forbids);
  }

  /** The origin gave no lifetime, or one of 0, and the operator gave none either. */
  private Sharing withoutLifetime(@Nullable BypassReason forbids) {
    if (forbids != null) {
      return refused(forbids);
    }
    if (word.lifetimeSeconds() == 0 && !asked.isStatic()) {
      return lives(0, 0);
    }
    long heuristic = word.freshness().heuristicSeconds();
    boolean may = reachable && cache.heuristic() && Statuses.isHeuristic(status);
    return may && heuristic > 0
        ? lives(heuristic * 1000, Rights.HEURISTIC)
        : refused(BypassReason.NO_FRESHNESS);
  }

  private Sharing lives(long millis, int right) {
    StaleWindows windows = StaleWindows.of(word, cache, word.forbids() != null, vouched);
    Lifetime lifetime = lifetime(millis, windows);
    boolean serves = word.staleOnArrival() || lifetime.servesAt(lifetime.initialAgeMillis());
    if (!serves && !isWorthKeeping()) {
      return refused(BypassReason.NO_FRESHNESS);
    }
    boolean aboard = serves || overridesFlight();
    BypassReason notKept = notKept();
    if (notKept == null) {
      return new Sharing.Kept(lifetime, rights(right | rightTo(windows)), aboard);
    }
    return aboard ? together(notKept) : new Sharing.Alone(BypassReason.NO_FRESHNESS);
  }

  /** A reload that takes the override back takes back what only that let be stale (DEC-36). */
  private int rightTo(StaleWindows windows) {
    boolean own = !vouched || windows.equals(StaleWindows.of(word, cache, false, false));
    return own ? 0 : Rights.OVERRIDE;
  }

  private Lifetime lifetime(long millis, StaleWindows windows) {
    Duration ceiling = cache.ttlMax();
    long fresh = ceiling == null ? millis : Math.min(millis, ceiling.toMillis());
    long age = word.freshness().initialAgeMillis();
    // DEC-16: the framework's stale answer says its full lifetime; it is one for errors only.
    return word.staleOnArrival()
        ? new Lifetime(age, 0, 0, windows.ifErrorMillis())
        : new Lifetime(age, fresh, windows.whileRevalidateMillis(), windows.ifErrorMillis());
  }

  /** Whether an answer that is stale already can be confirmed, or was meant to serve stale. */
  private boolean isWorthKeeping() {
    boolean mayServeStale = word.control().staleIfError() > 0 && !word.forbidsStale();
    return !asked.isStatic() && (word.validator() || mayServeStale);
  }

  /** Why an answer that may be shared is not kept; null where it is. */
  private @Nullable BypassReason notKept() {
    if (!cache.enabled()) {
      return BypassReason.CACHE_OFF;
    }
    // C03: whether all of it came cannot be told from whether the origin broke off.
    if (untilClose && !cache.explicitStatuses()) {
      return BypassReason.UNTIL_CLOSE;
    }
    if (!asked.prefetch()) {
      return null;
    }
    if (status != Statuses.OK) {
      return BypassReason.STATUS;
    }
    // BEY-24: what makes it a prefetch is in the key, unless the request went out whole.
    return word.lifetimeSeconds() > 0 && !asked.wholeRequest() ? null : BypassReason.PREFETCH;
  }

  private int rights(int right) {
    return Rights.PLAIN
        | right
        | (asked.originGotCookies() ? Rights.COOKIES_ASSERTED : 0)
        | (Statuses.isStorable(status) && !untilClose ? 0 : Rights.EXPLICIT_STATUSES);
  }

  private Sharing refused(BypassReason reason) {
    return overridesFlight() ? together(reason) : new Sharing.Alone(reason);
  }

  /** The weaker override: one flight may be shared against the origin's word (DEC-09). */
  private boolean overridesFlight() {
    return reachable && policy.coalesceOverride();
  }

  private Sharing together(BypassReason notKept) {
    return policy.coalesce() ? new Sharing.Together(notKept) : new Sharing.Alone(notKept);
  }
}
