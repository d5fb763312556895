package dev.sluice.governor.classify;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;

/** Finds the cookies that switch a Next.js origin to drafts (NXT-10, NXT-11). Stateless. */
final class DraftCookies {

  private static final String PRERENDER_BYPASS = "__prerender_bypass";
  private static final String PREVIEW_DATA = "__next_preview_data";

  private DraftCookies() {}

  /** By exact name; only the origin can tell whether the value is right. */
  static boolean isPresent(Headers headers) {
    if (!headers.has(FieldName.COOKIE)) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.COOKIE && isIn(headers, i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Looks at the beginning of each cookie, in place: most requests have cookies, and none of it.
   */
  private static boolean isIn(Headers headers, int line) {
    int length = headers.valueLength(line);
    int at = 0;
    while (at < length) {
      at = skipSpace(headers, line, at);
      if (names(headers, line, at, PRERENDER_BYPASS) || names(headers, line, at, PREVIEW_DATA)) {
        return true;
      }
      while (at < length && headers.valueAt(line, at) != ';') {
        at++;
      }
      at++;
    }
    return false;
  }

  private static boolean names(Headers headers, int line, int from, String name) {
    int end = from + name.length();
    if (end > headers.valueLength(line)) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (headers.valueAt(line, from + i) != name.charAt(i)) {
        return false;
      }
    }
    return isEnd(headers, line, end);
  }

  /** A name without a value is a cookie to some parsers, so it counts. */
  private static boolean isEnd(Headers headers, int line, int from) {
    int at = skipSpace(headers, line, from);
    if (at == headers.valueLength(line)) {
      return true;
    }
    char behind = headers.valueAt(line, at);
    return behind == '=' || behind == ';';
  }

  private static int skipSpace(Headers headers, int line, int from) {
    int at = from;
    while (at < headers.valueLength(line) && Elements.isSpace(headers.valueAt(line, at))) {
      at++;
    }
    return at;
  }
}
