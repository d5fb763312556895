package dev.sluice.http.caching;

/** The lexical pieces of the fields that caches read (RFC 9110 5.6). Stateless. */
final class Scan {

  /** RFC 9111 1.2.2: a larger number of seconds counts as this one. */
  static final long MAX_SECONDS = 1L << 31;

  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private Scan() {}

  /** The first index from {@code from} that is no OWS; the length where there is none. */
  static int skipSpace(String text, int from) {
    int i = from;
    while (i < text.length() && isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** The first index from {@code from} that is neither OWS nor a comma (RFC 9110 5.6.1.2). */
  static int skipEmpty(String text, int from) {
    int i = from;
    while (i < text.length() && (isSpace(text.charAt(i)) || text.charAt(i) == ',')) {
      i++;
    }
    return i;
  }

  /** The index behind the token that begins at {@code from}; {@code from} where none does. */
  static int tokenEnd(String text, int from) {
    int i = from;
    while (i < text.length() && isTokenChar(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** The index of the next comma, quoted or not; the length where there is none. */
  static int nextComma(String text, int from) {
    int comma = text.indexOf(',', from);
    return comma < 0 ? text.length() : comma;
  }

  /** The index of the quote that ends the quoted string opened at {@code open}, or -1. */
  static int closingQuote(String text, int open) {
    for (int i = open + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        return i;
      }
    }
    return -1;
  }

  /**
   * Seconds as RFC 9111 1.2.2 writes them, at most {@link #MAX_SECONDS}; -1 where {@code text} is
   * anything but digits.
   */
  static long seconds(String text) {
    if (text.isEmpty()) {
      return -1;
    }
    long seconds = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isDigit(c)) {
        return -1;
      }
      seconds = Math.min(MAX_SECONDS, seconds * 10 + (c - '0'));
    }
    return seconds;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  static boolean isTokenChar(char c) {
    return isLower(c) || (c >= 'A' && c <= 'Z') || isDigit(c) || TOKEN_MARKS.indexOf(c) >= 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
