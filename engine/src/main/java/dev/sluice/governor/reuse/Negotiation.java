package dev.sluice.governor.reuse;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;

/** What of a client's preferences is in a key: one coding, one of few image types. Stateless. */
final class Negotiation {

  /** No listed coding is accepted, but the plain body is. */
  static final int IDENTITY = -1;

  /** Not even the plain body is accepted; whether a coding would do is then for the origin. */
  static final int REFUSED = -2;

  /** More codings than this have no bit in the sets below. */
  static final int MOST_CODINGS = 30;

  private static final int PLAIN = 30;
  private static final int ANY = 31;
  private static final int LISTED = 32;

  private static final int AVIF = 1;
  private static final int WEBP = 2;

  /** What the image optimizer is asked: it takes the first of its formats that it finds listed. */
  private static final List<String> IMAGE_ACCEPT =
      List.of("*/*", "image/avif,*/*", "image/webp,*/*", "image/avif,image/webp,*/*");

  private Negotiation() {}

  /** The index of the first of {@code codings} that the client accepts, or one of the above. */
  static int coding(Headers headers, List<String> codings, FieldValue value) {
    if (!headers.has(FieldName.ACCEPT_ENCODING)) {
      return IDENTITY;
    }
    long found = 0;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.ACCEPT_ENCODING) {
        found |= codingsIn(value.at(headers, i), codings);
      }
    }
    // RFC 9110 12.5.3: the plain body is acceptable unless it, or everything unlisted, is not.
    if (!isWanted(found, isListed(found, PLAIN) ? PLAIN : ANY, true)) {
      return REFUSED;
    }
    for (int i = 0; i < codings.size(); i++) {
      if (isWanted(found, isListed(found, i) ? i : ANY, false)) {
        return i;
      }
    }
    return IDENTITY;
  }

  private static boolean isListed(long found, int coding) {
    return (found >> LISTED + coding & 1) != 0;
  }

  private static boolean isWanted(long found, int coding, boolean unlisted) {
    return isListed(found, coding) ? (found >> coding & 1) != 0 : unlisted;
  }

  /** A bit for each coding that is listed, and 32 below it one for each that is wanted. */
  private static long codingsIn(CharSequence value, List<String> codings) {
    long found = 0;
    int from = 0;
    while (from < value.length()) {
      int to = Lexis.find(value, ',', from, value.length());
      int start = Lexis.skipSpace(value, from, to);
      int wordEnd = Lexis.trimEnd(value, start, Lexis.find(value, ';', start, to));
      int coding = index(value, start, wordEnd, codings);
      if (coding >= 0) {
        found |= 1L << LISTED + coding | (isWanted(value, wordEnd, to) ? 1L << coding : 0);
      }
      from = to + 1;
    }
    return found;
  }

  private static int index(CharSequence value, int from, int to, List<String> codings) {
    if (Lexis.isExactly(value, from, to, "*")) {
      return ANY;
    }
    if (Lexis.isWord(value, from, to, "identity")) {
      return PLAIN;
    }
    for (int i = 0; i < codings.size(); i++) {
      if (Lexis.isWord(value, from, to, codings.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The Accept that asks the image optimizer for what the client takes (field case C10). */
  static String imageAccept(Headers headers, FieldValue value) {
    int types = 0;
    if (headers.has(FieldName.ACCEPT)) {
      for (int i = 0; i < headers.size(); i++) {
        if (headers.known(i) == FieldName.ACCEPT) {
          types |= imageTypes(value.at(headers, i));
        }
      }
    }
    return IMAGE_ACCEPT.get(types);
  }

  private static int imageTypes(CharSequence value) {
    int types = 0;
    int from = 0;
    while (from < value.length()) {
      int to = Lexis.find(value, ',', from, value.length());
      int start = Lexis.skipSpace(value, from, to);
      int wordEnd = Lexis.trimEnd(value, start, Lexis.find(value, ';', start, to));
      int type =
          Lexis.isWord(value, start, wordEnd, "image/avif")
              ? AVIF
              : Lexis.isWord(value, start, wordEnd, "image/webp") ? WEBP : 0;
      if (type != 0 && isWanted(value, wordEnd, to)) {
        types |= type;
      }
      from = to + 1;
    }
    return types;
  }

  /** Whether the weight behind an element is above zero; one that is no weight counts as zero. */
  private static boolean isWanted(CharSequence value, int from, int to) {
    int at = Lexis.find(value, ';', from, to);
    while (at < to) {
      int start = Lexis.skipSpace(value, at + 1, to);
      int end = Lexis.find(value, ';', start, to);
      if (Lexis.startsWith(value, start, end, "q=")) {
        return isPositive(value, start + 2, Lexis.trimEnd(value, start, end));
      }
      at = end;
    }
    return true;
  }

  /** RFC 9110 12.4.2: 0 to 1 with at most three decimals. */
  private static boolean isPositive(CharSequence value, int from, int to) {
    boolean positive = false;
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      boolean point = c == '.' && i == from + 1;
      if (!point && (c < '0' || c > '9')) {
        return false;
      }
      positive |= c >= '1' && c <= '9';
    }
    return positive;
  }
}
