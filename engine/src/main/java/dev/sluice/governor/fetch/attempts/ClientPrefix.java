package dev.sluice.governor.fetch.attempts;

/**
 * The network that a client is in, as one number: of an IPv4 address the first 24 bits, of an IPv6
 * one the first 64, so that who may choose its address within its network is still one client.
 * Stateless.
 */
public final class ClientPrefix {

  /** Nobody asked: a refresh in the background. */
  public static final long NOBODY = -1;

  private static final int GROUPS = 8;
  private static final int GROUPS_KEPT = 4;

  private ClientPrefix() {}

  /** The prefix of an IP literal; of what is none, a number of its own. */
  public static long of(String address) {
    return address.indexOf(':') < 0 ? ofV4(address) : ofV6(address);
  }

  private static long ofV4(String address) {
    int end = address.lastIndexOf('.');
    long prefix = 0;
    for (int i = 0; i < Math.max(0, end); i++) {
      char c = address.charAt(i);
      prefix =
          c == '.' ? prefix << 8 : (prefix & ~0xffL) | (prefix & 0xff) * 10 + Math.max(0, c - '0');
    }
    return end < 0 ? address.hashCode() : prefix;
  }

  /** RFC 4291 2.2: groups of four hexadecimal digits; one run of zero groups may be left out. */
  private static long ofV6(String address) {
    int gap = address.indexOf("::");
    String before = gap < 0 ? address : address.substring(0, gap);
    String[] head = before.isEmpty() ? new String[0] : before.split(":", GROUPS);
    long prefix = 0;
    for (int i = 0; i < GROUPS_KEPT; i++) {
      prefix = prefix << 16 | (i < head.length ? group(head[i]) : 0);
    }
    return gap < 0 ? prefix : prefix | tail(address.substring(gap + 2));
  }

  /** What stands behind the gap reaches the first four groups only if it is longer than four. */
  private static long tail(String after) {
    String[] groups = after.isEmpty() ? new String[0] : after.split(":", GROUPS);
    long prefix = 0;
    for (int i = 0; i < groups.length; i++) {
      int place = GROUPS - groups.length + i;
      if (place >= 0 && place < GROUPS_KEPT) {
        prefix |= group(groups[i]) << 16 * (GROUPS_KEPT - 1 - place);
      }
    }
    return prefix;
  }

  private static long group(String digits) {
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      value = value << 4 | Math.max(0, Character.digit(digits.charAt(i), 16));
    }
    return value & 0xffff;
  }
}
