package dev.sluice.http.caching;

import org.jspecify.annotations.Nullable;

/** The cache directives that are understood (RFC 9111 5.2, RFC 5861, RFC 8246). */
enum Directive {
  NO_STORE("no-store", Form.RESTRICTION),
  NO_CACHE("no-cache", Form.RESTRICTION),
  PRIVATE("private", Form.RESTRICTION),
  MUST_REVALIDATE("must-revalidate", Form.RESTRICTION),
  PROXY_REVALIDATE("proxy-revalidate", Form.RESTRICTION),
  PUBLIC("public", Form.FLAG),
  ONLY_IF_CACHED("only-if-cached", Form.FLAG),
  MUST_UNDERSTAND("must-understand", Form.FLAG),
  IMMUTABLE("immutable", Form.FLAG),
  MAX_AGE("max-age", Form.SECONDS),
  S_MAXAGE("s-maxage", Form.SECONDS),
  STALE_WHILE_REVALIDATE("stale-while-revalidate", Form.SECONDS),
  STALE_IF_ERROR("stale-if-error", Form.SECONDS),
  MAX_STALE("max-stale", Form.SECONDS),
  MIN_FRESH("min-fresh", Form.SECONDS);

  /** How a directive is written and what a damaged one means. */
  private enum Form {
    /** A flag that holds even where the text around it is damaged. */
    RESTRICTION,
    FLAG,
    SECONDS
  }

  private static final Directive[] ALL = values();

  private final String name;
  private final Form form;

  Directive(String name, Form form) {
    this.name = name;
    this.form = form;
  }

  /** The directive written between {@code from} and {@code to} in any case, or null. */
  static @Nullable Directive find(String text, int from, int to) {
    int length = to - from;
    for (Directive directive : ALL) {
      String name = directive.name;
      if (name.length() == length && text.regionMatches(true, from, name, 0, length)) {
        return directive;
      }
    }
    return null;
  }

  boolean isSeconds() {
    return form == Form.SECONDS;
  }

  boolean isRestriction() {
    return form == Form.RESTRICTION;
  }

  int bit() {
    return 1 << ordinal();
  }

  /** The stricter of two values of this directive (RFC 9111 4.2.1 leaves the choice). */
  long stricter(long one, long other) {
    return this == MIN_FRESH ? Math.max(one, other) : Math.min(one, other);
  }
}
