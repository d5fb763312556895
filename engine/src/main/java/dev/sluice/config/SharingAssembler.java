package dev.sluice.config;

import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What one route permits of sharing, with its defaults. Confined to one reading. */
final class SharingAssembler {

  private final Values values;
  private final String route;

  /**
   * @param route the path of its keys, {@code routes[0].}
   */
  SharingAssembler(Values values, String route) {
    this.values = values;
    this.route = route;
  }

  /** Nothing at all where neither cache nor coalescing is on. */
  SharePolicy policy() {
    boolean coalesces = flag("coalesce.enabled", routeClass().isPublic());
    if (!coalesces && !caches()) {
      return SharePolicy.NONE;
    }
    return new SharePolicy(
        coalesces, values.flag(route + "coalesce.override_origin"), cache(), cookies(), key());
  }

  /** CCH-01, CCH-03: the global switch and the route's own, and a class that may be kept. */
  boolean caches() {
    return routeClass().isPublic() && values.flag("cache.enabled") && flag("cache.enabled", true);
  }

  /** SPL-01, SPL-04. */
  boolean spools() {
    return routeClass() != RouteClass.STREAMING
        && flag("spool.enabled", values.flag("spool.enabled"));
  }

  private CachePolicy cache() {
    if (!caches()) {
      return CachePolicy.OFF;
    }
    return new CachePolicy(
        true,
        values.flag(route + "cache.override_origin"),
        duration("cache.ttl.max"),
        duration("cache.stale_while_revalidate"),
        values.duration(route + "cache.stale_if_error"),
        values.text(route + "cache.statuses").equals("explicit"),
        values.flag(route + "cache.heuristic"));
  }

  private CookiePolicy cookies() {
    return new CookiePolicy(
        values.flag(route + "cookies.assert_public"),
        values.list(route + "cookies.ignore", String.class));
  }

  private KeyPolicy key() {
    return new KeyPolicy(
        QueryMode.valueOf(values.text(route + "cache.query.mode").toUpperCase(Locale.ROOT)),
        values.list(route + "cache.query.keys", String.class),
        values.list(route + "cache.vary.headers", String.class),
        values.list(route + "cache.forward", String.class),
        values.text(route + "cache.request").equals("whole"),
        values.text(route + "cache.rsc").equals("static"));
  }

  private RouteClass routeClass() {
    return RouteClass.valueOf(values.text(route + "class").toUpperCase(Locale.ROOT));
  }

  private boolean flag(String key, boolean absent) {
    return values.sound(route + key) ? values.flag(route + key) : absent;
  }

  private @Nullable Duration duration(String key) {
    return values.sound(route + key) ? values.duration(route + key) : null;
  }
}
