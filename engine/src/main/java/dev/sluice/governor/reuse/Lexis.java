package dev.sluice.governor.reuse;

/** Looks at pieces of a value without making strings of them. Stateless. */
final class Lexis {

  private Lexis() {}

  /** Whether the characters from {@code at} on begin with {@code lower}, in any ASCII case. */
  static boolean startsWith(CharSequence text, int at, int to, String lower) {
    int length = lower.length();
    if (to - at < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (lower(text.charAt(at + i)) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the piece is {@code lower}, in any ASCII case. */
  static boolean isWord(CharSequence text, int from, int to, String lower) {
    return to - from == lower.length() && startsWith(text, from, to, lower);
  }

  /** Whether the piece is {@code exact}, letter by letter. */
  static boolean isExactly(CharSequence text, int from, int to, String exact) {
    if (to - from != exact.length()) {
      return false;
    }
    for (int i = 0; i < exact.length(); i++) {
      if (text.charAt(from + i) != exact.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Where {@code c} stands next, at most {@code to}. */
  static int find(CharSequence text, char c, int from, int to) {
    int i = from;
    while (i < to && text.charAt(i) != c) {
      i++;
    }
    return i;
  }

  static int skipSpace(CharSequence text, int from, int to) {
    int i = from;
    while (i < to && isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  static int trimEnd(CharSequence text, int from, int to) {
    int i = to;
    while (i > from && isSpace(text.charAt(i - 1))) {
      i--;
    }
    return i;
  }

  static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
