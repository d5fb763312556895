package dev.sluice.http;

/** The lexical pieces that field values are made of (RFC 9110 5.6). Stateless. */
final class Text {

  private Text() {}

  /** The first index from {@code from} that is not OWS, at most {@code to}. */
  static int skipSpace(String text, int from, int to) {
    int i = from;
    while (i < to && isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** The index behind the last character before {@code to} that is not OWS. */
  static int trimEnd(String text, int from, int to) {
    int i = to;
    while (i > from && isSpace(text.charAt(i - 1))) {
      i--;
    }
    return i;
  }

  static boolean regionEquals(String text, int from, int to, String lower) {
    return to - from == lower.length() && text.regionMatches(true, from, lower, 0, lower.length());
  }

  static boolean isToken(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isTokenCharacter(text.charAt(i))) {
        return false;
      }
    }
    return from < to;
  }

  static boolean isTokenCharacter(char c) {
    boolean letterOrDigit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letterOrDigit || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
