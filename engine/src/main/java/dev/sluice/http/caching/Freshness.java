package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;

/**
 * How old a response was when it came, and for how long it is fresh from its making on (RFC 9111
 * 4.2). The time between asking and its coming is not in it. Immutable.
 *
 * @param lifetimeSeconds the explicit lifetime, or {@link CacheControl#ABSENT}
 * @param initialAgeMillis the corrected initial age (RFC 9111 4.2.3)
 * @param heuristicSeconds what may stand in for an explicit lifetime, a tenth of the age of
 *     Last-Modified (RFC 9111 4.2.2); 0 where there is an explicit one or no Last-Modified
 */
public record Freshness(long lifetimeSeconds, long initialAgeMillis, long heuristicSeconds) {

  /**
   * A Date this much behind the clock is no age: it is written in whole seconds, and the clocks of
   * two machines are never quite the same.
   */
  private static final long DATE_TOLERANCE_MILLIS = 2000;

  private static final long UNREADABLE = -1;

  /**
   * Of a response that came at {@code receivedMillis} since 1970.
   *
   * @param governing the directives that this cache goes by ({@link TargetedControl})
   */
  public static Freshness of(Headers response, CacheControl governing, long receivedMillis) {
    String text = response.first(FieldName.DATE);
    long date = text == null ? HttpDate.INVALID : HttpDate.parse(text, receivedMillis);
    // RFC 9110 6.6.1: without a Date the time of receipt stands in.
    long made = date == HttpDate.INVALID ? receivedMillis : date;
    long lifetime = lifetimeSeconds(response, governing, made, receivedMillis);
    long heuristic =
        lifetime == CacheControl.ABSENT ? heuristicSeconds(response, made, receivedMillis) : 0;
    return new Freshness(lifetime, initialAgeMillis(response, made, receivedMillis), heuristic);
  }

  /** Whether the origin said for how long the response is fresh, be it not at all. */
  public boolean isExplicit() {
    return lifetimeSeconds != CacheControl.ABSENT;
  }

  // RFC 9111 4.2.1, for a shared cache
  private static long lifetimeSeconds(
      Headers response, CacheControl governing, long made, long receivedMillis) {
    if (governing.sMaxAge() != CacheControl.ABSENT) {
      return governing.sMaxAge();
    }
    if (governing.maxAge() != CacheControl.ABSENT) {
      return governing.maxAge();
    }
    if (governing.isTargeted() || !response.has(FieldName.EXPIRES)) {
      return CacheControl.ABSENT;
    }
    long lifetime = Scan.MAX_SECONDS;
    for (String line : response.all(FieldName.EXPIRES)) {
      long expires = HttpDate.parse(line, receivedMillis);
      // RFC 9111 5.3: an invalid date, as "0", is one in the past.
      lifetime = Math.min(lifetime, expires == HttpDate.INVALID ? 0 : (expires - made) / 1000);
    }
    return Math.max(0, lifetime);
  }

  // RFC 9111 4.2.3
  private static long initialAgeMillis(Headers response, long made, long receivedMillis) {
    long apparent = receivedMillis - made;
    long ageMillis = ageSeconds(response) * 1000;
    return Math.max(apparent < DATE_TOLERANCE_MILLIS ? 0 : apparent, ageMillis);
  }

  /**
   * One number of seconds, or older than any lifetime. RFC 9111 5.1 would ignore what is no number
   * and take the first of several; but whoever wrote such a field had the response for a while, and
   * what cannot be read is better asked for again than taken for new.
   */
  private static long ageSeconds(Headers response) {
    List<String> lines = response.all(FieldName.AGE);
    if (lines.isEmpty()) {
      return 0;
    }
    long seconds = lines.size() == 1 ? Scan.seconds(lines.get(0).strip()) : UNREADABLE;
    return seconds == UNREADABLE ? Scan.MAX_SECONDS : seconds;
  }

  private static long heuristicSeconds(Headers response, long made, long receivedMillis) {
    String text = response.first(FieldName.LAST_MODIFIED);
    long modified = text == null ? HttpDate.INVALID : HttpDate.parse(text, receivedMillis);
    if (modified == HttpDate.INVALID) {
      return 0;
    }
    return Math.min(Scan.MAX_SECONDS, Math.max(0, (made - modified) / 10_000));
  }
}
