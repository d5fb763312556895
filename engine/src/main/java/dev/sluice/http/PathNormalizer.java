package dev.sluice.http;

/**
 * One pass over a path that is not plain: decodes each escape once, removes dot segments and notes
 * what two parsers could read differently (RFC 3986 5.2.4, 6.2.2). Confined to one call.
 */
final class PathNormalizer {

  /** Characters that every parser takes for themselves. */
  private static final boolean[] PLAIN = plainCharacters();

  private final String raw;
  private final int end;
  private final StringBuilder out;
  private int segmentStart;
  private boolean ambiguous;

  PathNormalizer(String raw, int end) {
    this.raw = raw;
    this.end = end;
    this.out = new StringBuilder(end + 1);
  }

  /** Whether the path is its own normal form: plain characters, no dot or empty segment. */
  static boolean isPlain(String raw, int end) {
    if (end == 0 || raw.charAt(0) != '/') {
      return false;
    }
    char before = 0;
    for (int i = 0; i < end; i++) {
      char c = raw.charAt(i);
      // A dot that begins a segment is left to the long way, be it /.well-known or a dot segment.
      if (c >= 128 || !PLAIN[c] || (before == '/' && (c == '/' || c == '.'))) {
        return false;
      }
      before = c;
    }
    return true;
  }

  String normalize() {
    int i = 0;
    if (end == 0 || raw.charAt(0) != '/') {
      ambiguous = true;
    } else {
      i = 1;
    }
    out.append('/');
    segmentStart = 1;
    while (i < end) {
      i = step(i);
    }
    removeDotSegment();
    ambiguous |= decodesTwice();
    return out.toString();
  }

  boolean isAmbiguous() {
    return ambiguous;
  }

  /** Consumes the character or the escape at {@code i} and returns where to go on. */
  private int step(int i) {
    char c = raw.charAt(i);
    if (c == '%') {
      return escape(i);
    }
    if (c == '/') {
      ambiguous |= out.length() == segmentStart;
      if (!removeDotSegment()) {
        out.append('/');
        segmentStart = out.length();
      }
      return i + 1;
    }
    ambiguous |= c >= 128 || !PLAIN[c];
    out.append(c);
    return i + 1;
  }

  /** Takes a dot segment back at its end; the slash before it stays (RFC 3986 5.2.4). */
  private boolean removeDotSegment() {
    int length = out.length() - segmentStart;
    boolean dots =
        (length == 1 || length == 2)
            && out.charAt(segmentStart) == '.'
            && out.charAt(out.length() - 1) == '.';
    if (!dots) {
      return false;
    }
    ambiguous = true;
    out.setLength(segmentStart);
    if (length == 2 && segmentStart > 1) {
      segmentStart = out.lastIndexOf("/", segmentStart - 2) + 1;
      out.setLength(segmentStart);
    }
    return true;
  }

  private int escape(int i) {
    int first = octet(i);
    if (first < 0) {
      return keep(i, i + 1);
    }
    if (first < 0x80) {
      if (first < 0x20 || first == 0x7f || "/\\?#;".indexOf(first) >= 0) {
        return keep(i, i + 3);
      }
      out.append((char) first);
      return i + 3;
    }
    return multiByte(i, first);
  }

  /** RFC 3629 3: shortest form only, no surrogates, at most U+10FFFF. */
  private int multiByte(int i, int first) {
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    int point = first & (0x3f >> more);
    for (int k = 1; k <= more; k++) {
      int octet = octet(i + 3 * k);
      if ((octet & 0xc0) != 0x80 || octet < 0) {
        return keep(i, i + 3);
      }
      point = point << 6 | (octet & 0x3f);
    }
    int least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    boolean surrogate = point >= 0xd800 && point <= 0xdfff;
    if (first < 0xc2 || first > 0xf4 || point < least || point > 0x10ffff || surrogate) {
      return keep(i, i + 3);
    }
    out.appendCodePoint(point);
    return i + 3 * (more + 1);
  }

  private int keep(int from, int to) {
    ambiguous = true;
    out.append(raw, from, to);
    return to;
  }

  /** The octet that the escape at {@code i} stands for, or -1. */
  private int octet(int i) {
    if (i + 2 >= end || raw.charAt(i) != '%') {
      return -1;
    }
    int high = hex(raw.charAt(i + 1));
    int low = hex(raw.charAt(i + 2));
    return (high | low) < 0 ? -1 : high << 4 | low;
  }

  private boolean decodesTwice() {
    for (int i = out.indexOf("%"); i >= 0 && i + 2 < out.length(); i = out.indexOf("%", i + 1)) {
      if ((hex(out.charAt(i + 1)) | hex(out.charAt(i + 2))) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static int hex(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private static boolean[] plainCharacters() {
    var plain = new boolean[128];
    for (char c = 0x21; c < 0x7f; c++) {
      // Brackets, bars and the like are sent raw by browsers and mean nothing to a path parser.
      plain[c] = "%\\;#?".indexOf(c) < 0;
    }
    return plain;
  }
}
