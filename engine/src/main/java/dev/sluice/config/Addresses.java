package dev.sluice.config;

import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.net.NetSettings.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and compares {@code host:port}; names are not looked up. Stateless. */
final class Addresses {

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?");
  private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
  private static final Pattern OCTETS =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");
  private static final int LARGEST_PORT = 65_535;
  private static final String EXPECTED = "host:port, as 127.0.0.1:8080 or [::1]:8080";

  private Addresses() {}

  /** The address, or what is wrong with it; a listener may leave the port to the kernel with 0. */
  static Parsed parse(String text, int smallestPort) {
    int colon = text.lastIndexOf(':');
    if (text.contains("/")) {
      return new Bad("is not an address", EXPECTED, "leave out scheme and path");
    }
    if (colon < 0 || text.endsWith("]")) {
      return new Bad("has no port", EXPECTED, "write " + text + ":8080");
    }
    String port = text.substring(colon + 1);
    if (!PORT.matcher(port).matches() || outside(Integer.parseInt(port), smallestPort)) {
      return new Bad(
          "has no valid port", "a port from " + smallestPort + " to " + LARGEST_PORT, "");
    }
    return host(text.substring(0, colon), Integer.parseInt(port));
  }

  private static boolean outside(int port, int smallest) {
    return port < smallest || port > LARGEST_PORT;
  }

  private static Parsed host(String host, int port) {
    if (host.isEmpty()) {
      return new Bad("has no host", EXPECTED, "every interface is 0.0.0.0:" + port);
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (bare.indexOf(':') >= 0) {
      return bracketed && isIpv6(bare)
          ? new Good(new Address(bare.toLowerCase(Locale.ROOT), port))
          : new Bad("is not an address", EXPECTED, "IPv6 stands in brackets");
    }
    boolean valid =
        DIGITS_AND_DOTS.matcher(bare).matches()
            ? OCTETS.matcher(bare).matches()
            : NAME.matcher(bare).matches();
    return valid && !bracketed
        ? new Good(new Address(bare.toLowerCase(Locale.ROOT), port))
        : new Bad("has no valid host", EXPECTED, "");
  }

  private static boolean isIpv6(String text) {
    return canonical(text) != null;
  }

  /** Whether binding both would be binding one address twice. */
  static boolean overlap(Address a, Address b) {
    if (a.port() != b.port() || a.port() == 0) {
      return false;
    }
    String one = comparable(a.host());
    String other = comparable(b.host());
    return one.equals(other) || covers(one, other) || covers(other, one);
  }

  private static boolean covers(String wildcard, String host) {
    return wildcard.equals("0:0:0:0:0:0:0:0")
        || (wildcard.equals("0.0.0.0") && host.indexOf(':') < 0);
  }

  private static String comparable(String host) {
    if (host.equals("localhost")) {
      return "127.0.0.1";
    }
    String canonical = host.indexOf(':') >= 0 ? canonical(host) : null;
    return canonical == null ? host : canonical;
  }

  /** A text with a colon is only ever read as a literal, never looked up. */
  private static @Nullable String canonical(String literal) {
    try {
      return InetAddress.getByName(literal).getHostAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
