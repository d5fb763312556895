package dev.sluice.http.caching;

/**
 * For how long a stored answer may be used (RFC 9111 4.2, RFC 5861). Immutable.
 *
 * @param initialAgeMillis its age when it was received (RFC 9111 4.2.3)
 * @param freshMillis fresh while its age is below this
 * @param staleWhileRevalidateMillis may be served, while it is refreshed, for so long past that
 * @param staleIfErrorMillis may be served instead of an error for so long past that
 */
public record Lifetime(
    long initialAgeMillis,
    long freshMillis,
    long staleWhileRevalidateMillis,
    long staleIfErrorMillis) {}
