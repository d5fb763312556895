package dev.sluice.governor.classify;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;

/** What Accept says about the few media types that matter here (RFC 9110 12.5.1). Stateless. */
final class AcceptedTypes {

  static final int HTML = 1;
  static final int JSON = 2;

  /** {@code *}/{@code *}, {@code text/*}, or no Accept at all. */
  static final int ANY = 4;

  private AcceptedTypes() {}

  /** The set of the above that is listed with a weight above zero. */
  static int of(Headers headers) {
    if (!headers.has(FieldName.ACCEPT)) {
      return ANY;
    }
    int found = 0;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.ACCEPT) {
        found |= of(headers.value(i));
      }
    }
    return found;
  }

  private static int of(String value) {
    int found = 0;
    int from = 0;
    while (from < value.length()) {
      int to = Elements.end(value, from);
      int type = type(value, from, to);
      if (type != 0 && !isRefused(value, from, to)) {
        found |= type;
      }
      from = to + 1;
    }
    return found;
  }

  private static int type(String value, int from, int to) {
    if (Elements.isNamed(value, from, to, "text/html")
        || Elements.isNamed(value, from, to, "application/xhtml+xml")) {
      return HTML;
    }
    if (Elements.isNamed(value, from, to, "application/json")
        || Elements.isNamed(value, from, to, "application/problem+json")) {
      return JSON;
    }
    boolean any =
        Elements.isNamed(value, from, to, "*/*") || Elements.isNamed(value, from, to, "text/*");
    return any ? ANY : 0;
  }

  /** {@code q=0}, {@code q=0.0} and so on. */
  private static boolean isRefused(String value, int from, int to) {
    int semicolon = value.indexOf(';', from);
    while (semicolon >= 0 && semicolon < to) {
      int i = semicolon + 1;
      while (i < to && Elements.isSpace(value.charAt(i))) {
        i++;
      }
      if (value.regionMatches(true, i, "q=0", 0, 3)) {
        return isZero(value, i + 3, to);
      }
      semicolon = value.indexOf(';', i);
    }
    return false;
  }

  private static boolean isZero(String value, int from, int to) {
    for (int i = from; i < to && value.charAt(i) != ';'; i++) {
      char c = value.charAt(i);
      if (c != '.' && c != '0' && !Elements.isSpace(c)) {
        return false;
      }
    }
    return true;
  }
}
