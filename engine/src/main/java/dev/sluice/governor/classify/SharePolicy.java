package dev.sluice.governor.classify;

import dev.sluice.http.FieldName;
import dev.sluice.http.HopByHop;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a route permits of sharing one answer among clients. It only ever widens what the origin
 * says within the absolute barriers; whether an answer is shared is judged on the answer.
 * Immutable.
 *
 * @param coalesce whether like requests may board one flight (COA-02)
 * @param coalesceOverride whether a flight may be shared against {@code private, no-store}, storing
 *     nothing (DEC-09)
 */
public record SharePolicy(
    boolean coalesce,
    boolean coalesceOverride,
    CachePolicy cache,
    CookiePolicy cookies,
    KeyPolicy key) {

  /** Nothing is shared. */
  public static final SharePolicy NONE =
      new SharePolicy(false, false, CachePolicy.OFF, CookiePolicy.PRIVATE, KeyPolicy.WHOLE_TARGET);

  /** Whether anything may be shared at all. */
  public boolean isOn() {
    return coalesce || cache.enabled();
  }

  /**
   * What may be kept, and for how long.
   *
   * @param enabled the route's switch and the global one together (CCH-01, CCH-03)
   * @param override whether the operator vouches for the answers against the origin's word (SHR-09)
   * @param ttlMax the ceiling on freshness, never a floor (CCH-06); null = as the origin says
   * @param staleWhileRevalidate null = the origin's own value, at most 60 s (DEC-15)
   * @param staleIfError zero = the origin's own value
   * @param explicitStatuses whether every final status but 206 and 304 may be stored if the origin
   *     gave explicit freshness (DEC-11), and a body that ends with its connection (C03)
   * @param heuristic whether an answer without explicit freshness lives a tenth of its age (DEC-11)
   */
  public record CachePolicy(
      boolean enabled,
      boolean override,
      @Nullable Duration ttlMax,
      @Nullable Duration staleWhileRevalidate,
      Duration staleIfError,
      boolean explicitStatuses,
      boolean heuristic) {

    /** Nothing is kept. */
    public static final CachePolicy OFF =
        new CachePolicy(false, false, null, null, Duration.ZERO, false, false);
  }

  /**
   * What cookies mean (DEC-08).
   *
   * @param assertPublic whether requests with cookies may share, too
   * @param ignored names, or beginnings of names with {@code *} behind, of cookies that do not
   *     count as cookies
   */
  public record CookiePolicy(boolean assertPublic, List<String> ignored) {

    /** Each cookie makes its request private. */
    public static final CookiePolicy PRIVATE = new CookiePolicy(false, List.of());

    public CookiePolicy {
      ignored = List.copyOf(ignored);
    }
  }

  /** How {@code cache.query.keys} is read (KEY-13). */
  public enum QueryMode {
    /** Every parameter is in the key. */
    ALL,
    /** Only the listed ones are. */
    INCLUDE,
    /** All but the listed ones are. */
    EXCLUDE,
    /** None is. */
    NONE
  }

  /**
   * What is in the key, and with it in the origin's request (DEC-34).
   *
   * @param queryKeys parameter names for the modes include and exclude
   * @param varyHeaders request fields in the key, in lower case (KEY-15)
   * @param forward request fields that reach the origin and join the key, in lower case
   * @param whole whether the lead's request goes out as it came, and only the answer's Vary
   *     separates
   * @param rscStatic whether the route's RSC answers are the same for every state tree (DEC-23)
   */
  public record KeyPolicy(
      QueryMode queryMode,
      List<String> queryKeys,
      List<String> varyHeaders,
      List<String> forward,
      boolean whole,
      boolean rscStatic) {

    /** All of the target and nothing else. */
    public static final KeyPolicy WHOLE_TARGET =
        new KeyPolicy(QueryMode.ALL, List.of(), List.of(), List.of(), false, false);

    /** Fields that are one client's own, or one request's, so that no key of them is shared. */
    private static final Set<String> PERSONAL =
        Set.of(
            "authorization",
            "cache-control",
            "content-length",
            "content-type",
            "cookie",
            "expect",
            "forwarded",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "next-action",
            "pragma",
            "range",
            "set-cookie",
            "traceparent",
            "tracestate",
            "trailer",
            "via",
            "x-forwarded-for");

    public KeyPolicy {
      queryKeys = List.copyOf(queryKeys);
      varyHeaders = List.copyOf(varyHeaders);
      forward = List.copyOf(forward);
    }

    /** Whether a request field may be in a key, and with it in a request made for many. */
    public static boolean mayHave(String lowerName) {
      return !PERSONAL.contains(lowerName)
          && !HopByHop.isDropped(FieldName.find(lowerName))
          && !InternalFields.names().contains(lowerName);
    }
  }
}
