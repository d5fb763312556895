package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What the directives of one field say, of a request or of a response (RFC 9111 5.2, RFC 5861).
 * Where a field is damaged or contradicts itself the stricter reading holds: of two values the one
 * that keeps less, an invalid number is 0, a number too large is 2^31, and {@code private} and
 * {@code no-cache} with a list of fields count as if they had none (C02). Immutable.
 */
public final class CacheControl {

  /** What an accessor of seconds gives where the directive is absent. */
  public static final long ABSENT = -1;

  /** No directive at all. */
  public static final CacheControl NONE = new Builder().build(false);

  private final int present;
  private final long[] seconds;
  private final boolean targeted;

  private CacheControl(int present, long[] seconds, boolean targeted) {
    this.present = present;
    this.seconds = seconds;
    this.targeted = targeted;
  }

  /** Reads all lines of {@code field} as one list. */
  public static CacheControl of(Headers headers, FieldName field) {
    if (!headers.has(field)) {
      return NONE;
    }
    var builder = new Builder();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == field) {
        DirectiveReader.read(headers.value(i), builder);
      }
    }
    return builder.build(false);
  }

  /** Whether a field meant for caches like this one stands in for the common ones (RFC 9213). */
  boolean isTargeted() {
    return targeted;
  }

  public boolean noStore() {
    return has(Directive.NO_STORE);
  }

  /** Qualified or not. */
  public boolean noCache() {
    return has(Directive.NO_CACHE);
  }

  /** Qualified or not. */
  public boolean isPrivate() {
    return has(Directive.PRIVATE);
  }

  public boolean isPublic() {
    return has(Directive.PUBLIC);
  }

  public boolean mustRevalidate() {
    return has(Directive.MUST_REVALIDATE);
  }

  public boolean proxyRevalidate() {
    return has(Directive.PROXY_REVALIDATE);
  }

  public boolean onlyIfCached() {
    return has(Directive.ONLY_IF_CACHED);
  }

  public boolean mustUnderstand() {
    return has(Directive.MUST_UNDERSTAND);
  }

  /** RFC 8246. */
  public boolean immutable() {
    return has(Directive.IMMUTABLE);
  }

  /** Seconds, or {@link #ABSENT}. */
  public long maxAge() {
    return seconds(Directive.MAX_AGE);
  }

  /** Seconds, or {@link #ABSENT}. */
  public long sMaxAge() {
    return seconds(Directive.S_MAXAGE);
  }

  /** Seconds, or {@link #ABSENT}; without a value 0, never endless (RFC 5861 3). */
  public long staleWhileRevalidate() {
    return seconds(Directive.STALE_WHILE_REVALIDATE);
  }

  /** Seconds, or {@link #ABSENT}; without a value 0 (RFC 5861 4). */
  public long staleIfError() {
    return seconds(Directive.STALE_IF_ERROR);
  }

  /** Seconds, or {@link #ABSENT}. */
  public long minFresh() {
    return seconds(Directive.MIN_FRESH);
  }

  /** Seconds, or {@link #ABSENT}; without a value any staleness will do (RFC 9111 5.2.1.2). */
  public long maxStale() {
    return seconds(Directive.MAX_STALE);
  }

  private boolean has(Directive directive) {
    return (present & directive.bit()) != 0;
  }

  private long seconds(Directive directive) {
    return has(directive) ? seconds[directive.ordinal()] : ABSENT;
  }

  /** Gathers directives as they are read. Confined to the call that makes it. */
  static final class Builder {

    private final long[] seconds = new long[Directive.values().length];
    private int present;

    void flag(Directive directive) {
      present |= directive.bit();
    }

    /** Takes a directive as it was written; {@code argument} is null where it had none. */
    void add(Directive directive, @Nullable String argument) {
      if (!directive.isSeconds()) {
        flag(directive);
      } else if (argument == null) {
        seconds(directive, directive == Directive.MAX_STALE ? Scan.MAX_SECONDS : 0);
      } else {
        seconds(directive, Math.max(0, Scan.seconds(argument)));
      }
    }

    void seconds(Directive directive, long value) {
      int index = directive.ordinal();
      seconds[index] =
          (present & directive.bit()) == 0 ? value : directive.stricter(seconds[index], value);
      flag(directive);
    }

    CacheControl build(boolean targeted) {
      return new CacheControl(present, seconds, targeted);
    }
  }
}
