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
      if (headers.known(i) == FieldName.COOKIE) {
        String value = headers.value(i);
        if (names(value, PRERENDER_BYPASS) || names(value, PREVIEW_DATA)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean names(String value, String name) {
    int at = value.indexOf(name);
    while (at >= 0) {
      if (isStart(value, at) && isEnd(value, at + name.length())) {
        return true;
      }
      at = value.indexOf(name, at + 1);
    }
    return false;
  }

  private static boolean isStart(String value, int at) {
    int i = at - 1;
    while (i >= 0 && Elements.isSpace(value.charAt(i))) {
      i--;
    }
    return i < 0 || value.charAt(i) == ';';
  }

  /** A name without a value is a cookie to some parsers, so it counts. */
  private static boolean isEnd(String value, int at) {
    int i = at;
    while (i < value.length() && Elements.isSpace(value.charAt(i))) {
      i++;
    }
    return i == value.length() || value.charAt(i) == '=' || value.charAt(i) == ';';
  }
}
