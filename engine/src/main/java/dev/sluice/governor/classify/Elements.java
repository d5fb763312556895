package dev.sluice.governor.classify;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;

/** Looks for one element in comma-separated field values, without splitting them. Stateless. */
final class Elements {

  private Elements() {}

  /** Whether a line of {@code name} has the element, in any case and with any parameters. */
  static boolean contains(Headers headers, FieldName name, String element) {
    if (!headers.has(name)) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == name && contains(headers.value(i), element)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(String value, String element) {
    int from = 0;
    while (from < value.length()) {
      int to = end(value, from);
      if (isNamed(value, from, to, element)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  /** Where the element that begins at {@code from} ends. */
  static int end(String value, int from) {
    int comma = value.indexOf(',', from);
    return comma < 0 ? value.length() : comma;
  }

  /** Whether the element within the bounds is {@code name}, whatever its parameters. */
  static boolean isNamed(String value, int from, int to, String name) {
    int start = from;
    while (start < to && isSpace(value.charAt(start))) {
      start++;
    }
    int after = start + name.length();
    return after <= to
        && value.regionMatches(true, start, name, 0, name.length())
        && (after == to || value.charAt(after) == ';' || isSpace(value.charAt(after)));
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
