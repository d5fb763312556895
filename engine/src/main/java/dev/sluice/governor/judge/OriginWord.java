package dev.sluice.governor.judge;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.CacheControl;
import dev.sluice.http.caching.Freshness;
import dev.sluice.http.caching.TargetedControl;
import dev.sluice.outcome.BypassReason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the origin itself says of sharing its answer, before any route has its say. Immutable.
 *
 * @param control the directives that govern
 * @param forbids the reason why the answer is not to be shared; null where the origin has none
 * @param staleOnArrival whether the framework says that a newer answer is being made (DEC-16)
 * @param validator whether the answer can be confirmed later
 */
record OriginWord(
    CacheControl control,
    Freshness freshness,
    @Nullable BypassReason forbids,
    boolean staleOnArrival,
    boolean validator) {

  static OriginWord of(ResponseHead head, long receivedMillis) {
    Headers headers = head.headers();
    CacheControl control = TargetedControl.governing(headers);
    return new OriginWord(
        control,
        Freshness.of(headers, control, receivedMillis),
        forbids(control, head.status()),
        isStaleOnArrival(headers),
        headers.has(FieldName.ETAG) || headers.has(FieldName.LAST_MODIFIED));
  }

  /** Seconds, or -1 where the origin gave none. */
  long lifetimeSeconds() {
    return freshness.lifetimeSeconds();
  }

  /** Whether the origin permits sharing by giving a lifetime that is none too short for it. */
  boolean isExplicitlyFresh() {
    return forbids == null && lifetimeSeconds() > 0;
  }

  /** Whether nothing but a confirmation by the origin makes the answer good again (C07). */
  boolean forbidsStale() {
    return control.mustRevalidate() || control.proxyRevalidate() || control.noCache();
  }

  private static @Nullable BypassReason forbids(CacheControl control, int status) {
    // RFC 9111 5.2.2.3: beside must-understand, no-store is for caches that do not know the status.
    if (control.noStore() && !(control.mustUnderstand() && Statuses.isStorable(status))) {
      return BypassReason.NO_STORE;
    }
    if (control.isPrivate()) {
      return BypassReason.PRIVATE;
    }
    return control.noCache() ? BypassReason.NO_CACHE : null;
  }

  private static boolean isStaleOnArrival(Headers headers) {
    for (String line : headers.all(FieldName.X_NEXTJS_CACHE)) {
      if (line.toUpperCase(Locale.ROOT).contains("STALE")) {
        return true;
      }
    }
    return false;
  }
}
