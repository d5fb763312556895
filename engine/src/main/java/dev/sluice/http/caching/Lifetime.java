package dev.sluice.http.caching;

/**
 * How long a kept answer serves, all in milliseconds. Ages are counted from the answer's making;
 * the stale windows begin where freshness ends. Immutable.
 *
 * @param initialAgeMillis the age it came with (RFC 9111 4.2.3)
 * @param freshMillis the whole freshness lifetime; 0 = stale on arrival
 * @param staleWhileRevalidateMillis for how long beyond that it is served while it is refreshed
 * @param staleIfErrorMillis for how long beyond freshness it is served when the origin fails or
 *     admission says no (BEY-02); never shorter than the window before it
 */
public record Lifetime(
    long initialAgeMillis,
    long freshMillis,
    long staleWhileRevalidateMillis,
    long staleIfErrorMillis) {

  /** Whether an answer of this age is fresh. */
  public boolean isFreshAt(long ageMillis) {
    return ageMillis < freshMillis;
  }

  /** Whether an answer of this age may be served at once, be it that a refresh begins with it. */
  public boolean servesAt(long ageMillis) {
    return ageMillis < freshMillis + staleWhileRevalidateMillis;
  }

  /** Whether an answer of this age may stand in for an error or a refusal for load. */
  public boolean standsInAt(long ageMillis) {
    return ageMillis < freshMillis + staleIfErrorMillis;
  }
}
