package dev.sluice.governor.judge;

import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.http.caching.CacheControl;
import java.time.Duration;

/**
 * For how long beyond its freshness an answer serves, in milliseconds (RFC 5861, DEC-15). The
 * origin's prohibition is final; its own windows hold within the route's; the route's hold alone
 * only where neither s-maxage nor a lifetime of 0 speaks against them, or where the operator
 * vouches. Immutable.
 *
 * @param whileRevalidateMillis served at once, and refreshed behind it
 * @param ifErrorMillis served instead of an error or a refusal for load; at least the other
 */
record StaleWindows(long whileRevalidateMillis, long ifErrorMillis) {

  static final StaleWindows NONE = new StaleWindows(0, 0);

  /** The origin's own window where the route names none: Next.js sends a year (DEC-15). */
  private static final Duration DEFAULT_CAP = Duration.ofSeconds(60);

  /**
   * The windows of an answer.
   *
   * @param overridden whether the operator's word stands in for the origin's altogether
   * @param vouched whether the route has the override and the answer is one that it reaches
   */
  static StaleWindows of(OriginWord word, CachePolicy route, boolean overridden, boolean vouched) {
    if (word.forbidsStale() && !overridden) {
      return NONE;
    }
    CacheControl control = overridden ? CacheControl.NONE : word.control();
    boolean routeAlone = vouched || control.sMaxAge() == CacheControl.ABSENT;
    boolean routeExtends = routeAlone && (vouched || word.lifetimeSeconds() != 0);
    long whileRevalidate = whileRevalidate(control, route, routeExtends);
    return new StaleWindows(
        whileRevalidate, Math.max(whileRevalidate, ifError(control, route, routeAlone)));
  }

  private static long whileRevalidate(
      CacheControl control, CachePolicy route, boolean routeExtends) {
    Duration configured = route.staleWhileRevalidate();
    long origins = control.staleWhileRevalidate();
    if (origins != CacheControl.ABSENT) {
      return Math.min(origins * 1000, (configured == null ? DEFAULT_CAP : configured).toMillis());
    }
    return configured == null || !routeExtends ? 0 : configured.toMillis();
  }

  private static long ifError(CacheControl control, CachePolicy route, boolean routeAlone) {
    long configured = route.staleIfError().toMillis();
    long origins = control.staleIfError();
    if (origins != CacheControl.ABSENT) {
      return configured == 0 ? origins * 1000 : Math.min(origins * 1000, configured);
    }
    if (routeAlone) {
      return configured;
    }
    // Whoever permits stale answers while a refresh is tried permits them while it fails.
    return Math.min(configured, Math.max(0, control.staleWhileRevalidate()) * 1000);
  }
}
