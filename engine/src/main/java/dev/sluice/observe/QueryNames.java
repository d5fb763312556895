package dev.sluice.observe;

/**
 * What a log may tell of a query: which parameters there were, never what they held. A pair tells
 * its name only where that is plainly one; a token that stands alone, padded or not, is a value.
 */
final class QueryNames {

  /** More of it would make a log line of a client's choosing. */
  private static final int MAX_LENGTH = 256;

  private static final int MAX_NAME = 40;
  private static final String HIDDEN = "*";

  private QueryNames() {}

  static String of(String query) {
    if (query.isEmpty()) {
      return "";
    }
    var names = new StringBuilder();
    int from = 0;
    while (from <= query.length() && names.length() < MAX_LENGTH) {
      int end = query.indexOf('&', from);
      int to = end < 0 ? query.length() : end;
      append(names, query, from, to);
      from = to + 1;
    }
    return names.toString();
  }

  private static void append(StringBuilder names, String query, int from, int to) {
    if (from == to) {
      return;
    }
    if (names.length() > 0) {
      names.append(',');
    }
    int equals = query.indexOf('=', from);
    if (equals < 0
        || equals >= to
        || !isName(query, from, equals)
        || isPadding(query, equals, to)) {
      names.append(HIDDEN);
    } else {
      names.append(query, from, equals);
    }
  }

  private static boolean isName(String query, int from, int to) {
    if (from == to || to - from > MAX_NAME) {
      return false;
    }
    for (int i = from; i < to; i++) {
      char c = query.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letter && "_-.[]$".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Nothing but {@code =} to the end: base64 ends so, and then what precedes it is no name. */
  private static boolean isPadding(String query, int equals, int to) {
    int i = equals;
    while (i < to && query.charAt(i) == '=') {
      i++;
    }
    return i == to;
  }
}
