package dev.sluice.governor.judge;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import java.time.Duration;

/** What the judge's tests judge by. Stateless. */
final class Policies {

  /** A public page, asked for with gzip. */
  static final Asked PAGE = page(false, false, false, false);

  static final Asked RSC = page(true, false, false, false);
  static final Asked PREFETCH = page(true, true, false, false);

  /** The whole of the lead's request reached the origin, its cookies too. */
  static final Asked WHOLE = page(false, false, true, true);

  static final CachePolicy CACHE =
      new CachePolicy(true, false, null, null, Duration.ZERO, false, false);

  /** The origin's word holds; both coalescing and the store are on. */
  static final SharePolicy PLAIN = policy(CACHE);

  /** The example's microcache: 2 s, then 30 s stale while revalidated, 5 min on errors. */
  static final SharePolicy OVERRIDE =
      policy(
          new CachePolicy(
              true,
              true,
              Duration.ofSeconds(2),
              Duration.ofSeconds(30),
              Duration.ofMinutes(5),
              false,
              false));

  static final SharePolicy COALESCE_OVERRIDE =
      new SharePolicy(true, true, CACHE, CookiePolicy.PRIVATE, KeyPolicy.WHOLE_TARGET);

  private Policies() {}

  static SharePolicy policy(CachePolicy cache) {
    return new SharePolicy(true, false, cache, CookiePolicy.PRIVATE, KeyPolicy.WHOLE_TARGET);
  }

  static Asked page(boolean rsc, boolean prefetch, boolean whole, boolean cookies) {
    RequestClass requestClass = prefetch ? RequestClass.PREFETCH : RequestClass.PUBLIC_DOCUMENT;
    return new Asked(
        RouteClass.PUBLIC_SSR, requestClass, rsc, prefetch, "/p", "gzip", whole, cookies);
  }

  static Asked file(String path) {
    return new Asked(
        RouteClass.STATIC, RequestClass.STATIC_ASSET, false, false, path, "gzip", false, false);
  }
}
