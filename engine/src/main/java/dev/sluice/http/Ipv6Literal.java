package dev.sluice.http;

/** The grammar of an IPv6 address without brackets and zone (RFC 3986 3.2.2). Stateless. */
final class Ipv6Literal {

  private static final int GROUPS = 8;

  private Ipv6Literal() {}

  static boolean isValid(String text, int from, int to) {
    int groups = 0;
    boolean elided = false;
    int i = from;
    if (text.startsWith("::", from) && from + 2 <= to) {
      elided = true;
      i = from + 2;
    }
    while (i < to) {
      int groupEnd = groupEnd(text, i, to);
      if (groupEnd < to && text.charAt(groupEnd) == '.') {
        groups += 2;
        return isIpv4(text, i, to) && fits(groups, elided);
      }
      if (groupEnd == i || groupEnd - i > 4) {
        return false;
      }
      groups++;
      if (groupEnd == to) {
        break;
      }
      boolean gap = text.startsWith("::", groupEnd) && groupEnd + 2 <= to;
      if (text.charAt(groupEnd) != ':' || (gap && elided) || (!gap && groupEnd + 1 == to)) {
        return false;
      }
      elided |= gap;
      i = groupEnd + (gap ? 2 : 1);
    }
    return fits(groups, elided);
  }

  private static boolean fits(int groups, boolean elided) {
    return elided ? groups < GROUPS : groups == GROUPS;
  }

  private static int groupEnd(String text, int from, int to) {
    int i = from;
    while (i < to && text.charAt(i) < 128 && Character.digit(text.charAt(i), 16) >= 0) {
      i++;
    }
    return i;
  }

  private static boolean isIpv4(String text, int from, int to) {
    int octets = 0;
    int i = from;
    while (i <= to) {
      int value = 0;
      int start = i;
      while (i < to && text.charAt(i) >= '0' && text.charAt(i) <= '9' && i - start < 3) {
        value = value * 10 + text.charAt(i++) - '0';
      }
      boolean leadingZero = i - start > 1 && text.charAt(start) == '0';
      if (i == start || value > 255 || leadingZero || (i < to && text.charAt(i) != '.')) {
        return false;
      }
      octets++;
      i++;
    }
    return octets == 4 && i == to + 1;
  }
}
