package dev.sluice.http.caching;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads a Range (RFC 9110 14.1.2). Whatever is not to the letter is ignored, which is always
 * allowed (C04), and so are overlapping ranges and more than {@link ByteRange#MOST_RANGES}: they
 * would make an answer larger than the whole. Confined to the call that makes it.
 */
final class ByteRangeReader {

  private static final String UNIT = "bytes=";

  /** A number too large to count is beyond any body. */
  private static final long BEYOND = Long.MAX_VALUE / 16;

  private final long length;
  private final List<ByteRange.One> satisfiable = new ArrayList<>(2);
  private int ranges;

  private ByteRangeReader(long length) {
    this.length = length;
  }

  static ByteRange read(String value, long length) {
    if (!value.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
      return ByteRange.Ignored.INSTANCE;
    }
    return new ByteRangeReader(length).ranges(value);
  }

  private ByteRange ranges(String value) {
    int at = Scan.skipEmpty(value, UNIT.length());
    while (at < value.length()) {
      int end = Scan.nextComma(value, at);
      if (++ranges > ByteRange.MOST_RANGES || !range(value.substring(at, end).strip())) {
        return ByteRange.Ignored.INSTANCE;
      }
      at = Scan.skipEmpty(value, end);
    }
    return result();
  }

  private ByteRange result() {
    // RFC 9110 14.4 has no way to write a part of nothing.
    if (ranges == 0 || length == 0 || overlap()) {
      return ByteRange.Ignored.INSTANCE;
    }
    return switch (satisfiable.size()) {
      case 0 -> ByteRange.Unsatisfiable.INSTANCE;
      case 1 -> satisfiable.get(0);
      default -> new ByteRange.Many(satisfiable);
    };
  }

  /** Reads one range; whether it is well-formed. */
  private boolean range(String spec) {
    int dash = spec.indexOf('-');
    if (dash < 0) {
      return false;
    }
    String first = spec.substring(0, dash);
    String last = spec.substring(dash + 1);
    return first.isEmpty() ? suffix(last) : fromTo(first, last);
  }

  private boolean suffix(String digits) {
    long count = number(digits);
    if (count > 0) {
      satisfiable.add(new ByteRange.One(Math.max(0, length - count), length - 1));
    }
    return count >= 0;
  }

  private boolean fromTo(String first, String last) {
    long from = number(first);
    long to = last.isEmpty() ? BEYOND : number(last);
    if (from < 0 || to < from) {
      return false;
    }
    if (from < length) {
      satisfiable.add(new ByteRange.One(from, Math.min(to, length - 1)));
    }
    return true;
  }

  private boolean overlap() {
    for (int i = 1; i < satisfiable.size(); i++) {
      ByteRange.One one = satisfiable.get(i);
      for (ByteRange.One other : satisfiable.subList(0, i)) {
        if (one.from() <= other.to() && other.from() <= one.to()) {
          return true;
        }
      }
    }
    return false;
  }

  /** The number, at most {@link #BEYOND}, or -1 where {@code digits} are none. */
  private static long number(String digits) {
    if (digits.isEmpty()) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (!Scan.isDigit(c)) {
        return -1;
      }
      number = Math.min(BEYOND, number * 10 + (c - '0'));
    }
    return number;
  }
}
