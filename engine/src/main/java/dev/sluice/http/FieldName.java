package dev.sluice.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The field names that some rule of ours reads, drops or writes; every other name is carried
 * without a look. At most 64, so that a set of them is one {@code long}.
 */
public enum FieldName {
  ACCEPT("Accept"),
  ACCEPT_ENCODING("Accept-Encoding"),
  AGE("Age"),
  AUTHORIZATION("Authorization"),
  CACHE_CONTROL("Cache-Control"),
  CACHE_STATUS("Cache-Status"),
  CDN_CACHE_CONTROL("CDN-Cache-Control"),
  CONNECTION("Connection"),
  CONTENT_ENCODING("Content-Encoding"),
  CONTENT_LENGTH("Content-Length"),
  CONTENT_RANGE("Content-Range"),
  CONTENT_TYPE("Content-Type"),
  COOKIE("Cookie"),
  DATE("Date"),
  ETAG("ETag"),
  EXPECT("Expect"),
  EXPIRES("Expires"),
  FORWARDED("Forwarded"),
  HOST("Host"),
  HTTP2_SETTINGS("HTTP2-Settings"),
  IF_MATCH("If-Match"),
  IF_MODIFIED_SINCE("If-Modified-Since"),
  IF_NONE_MATCH("If-None-Match"),
  IF_RANGE("If-Range"),
  IF_UNMODIFIED_SINCE("If-Unmodified-Since"),
  KEEP_ALIVE("Keep-Alive"),
  LAST_MODIFIED("Last-Modified"),
  LOCATION("Location"),
  NEXT_ACTION("Next-Action"),
  NEXT_ROUTER_PREFETCH("Next-Router-Prefetch"),
  NEXT_ROUTER_SEGMENT_PREFETCH("Next-Router-Segment-Prefetch"),
  NEXT_ROUTER_STATE_TREE("Next-Router-State-Tree"),
  NEXT_URL("Next-Url"),
  PRAGMA("Pragma"),
  PROXY_AUTHENTICATE("Proxy-Authenticate"),
  PROXY_AUTHORIZATION("Proxy-Authorization"),
  PROXY_CONNECTION("Proxy-Connection"),
  PROXY_STATUS("Proxy-Status"),
  PURPOSE("Purpose"),
  RANGE("Range"),
  RETRY_AFTER("Retry-After"),
  RSC("RSC"),
  SEC_FETCH_DEST("Sec-Fetch-Dest"),
  SEC_FETCH_MODE("Sec-Fetch-Mode"),
  SEC_PURPOSE("Sec-Purpose"),
  SERVER("Server"),
  SET_COOKIE("Set-Cookie"),
  SURROGATE_CONTROL("Surrogate-Control"),
  TE("TE"),
  TRACEPARENT("traceparent"),
  TRACESTATE("tracestate"),
  TRAILER("Trailer"),
  TRANSFER_ENCODING("Transfer-Encoding"),
  UPGRADE("Upgrade"),
  USER_AGENT("User-Agent"),
  VARY("Vary"),
  VIA("Via"),
  X_FORWARDED_FOR("X-Forwarded-For"),
  X_FORWARDED_HOST("X-Forwarded-Host"),
  X_FORWARDED_PROTO("X-Forwarded-Proto"),
  X_NEXTJS_CACHE("X-Nextjs-Cache"),
  X_NEXTJS_DATA("X-Nextjs-Data"),
  X_SLUICE("X-Sluice");

  private final String name;
  private final String lower;

  FieldName(String name) {
    this.name = name;
    this.lower = name.toLowerCase(Locale.ROOT);
  }

  /** As it is written. */
  public String text() {
    return name;
  }

  /** In lower case, as HTTP/2 writes it and as comparisons want it. */
  public String lower() {
    return lower;
  }

  /** This name as a set of one. */
  public long bit() {
    return 1L << ordinal();
  }

  /** The set of {@code names}. */
  public static long setOf(FieldName... names) {
    long set = 0;
    for (FieldName name : names) {
      set |= name.bit();
    }
    return set;
  }

  /**
   * The constant for {@code name} in any case, or null; for configuration and tests, not for the
   * hot path.
   */
  public static @Nullable FieldName find(String name) {
    for (FieldName candidate : values()) {
      if (candidate.lower.equalsIgnoreCase(name)) {
        return candidate;
      }
    }
    return null;
  }
}
