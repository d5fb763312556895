package dev.sluice.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The grammar behind {@link Authority#parse}. Stateless. */
final class AuthorityParser {

  /** RFC 1035 2.3.4, in characters. */
  private static final int MAX_NAME = 255;

  private static final int NO_PORT = -1;
  private static final int BAD_PORT = -2;

  private AuthorityParser() {}

  static Authority parse(String text) {
    Authority.Fault fault = fault(text);
    if (fault != null) {
      return new Authority.Invalid(fault);
    }
    int hostEnd = hostEnd(text);
    return new Authority.Valid(fold(text, hostEnd), port(text, hostEnd));
  }

  static Authority.@Nullable Fault fault(String text) {
    if (text.isEmpty()) {
      return Authority.Fault.EMPTY;
    }
    if (text.indexOf('@') >= 0) {
      return Authority.Fault.USERINFO;
    }
    boolean literal = isLiteral(text);
    int hostEnd = hostEnd(text);
    boolean wellFormed =
        literal ? Ipv6Literal.isValid(text, 1, hostEnd - 1) : isName(text, hostEnd);
    if (!wellFormed) {
      return hostEnd == 0 && !literal ? Authority.Fault.EMPTY : Authority.Fault.BAD_HOST;
    }
    return port(text, hostEnd) == BAD_PORT ? Authority.Fault.BAD_PORT : null;
  }

  private static boolean isLiteral(String text) {
    return text.charAt(0) == '[';
  }

  private static int hostEnd(String text) {
    int end = isLiteral(text) ? text.indexOf(']') + 1 : text.indexOf(':');
    return end < 0 ? text.length() : end;
  }

  private static boolean isName(String text, int end) {
    int last = end > 0 && text.charAt(end - 1) == '.' ? end - 1 : end;
    if (last == 0 || last > MAX_NAME) {
      return false;
    }
    char before = '.';
    for (int i = 0; i < last; i++) {
      char c = text.charAt(i);
      boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
      boolean emptyLabel = c == '.' && before == '.';
      if (emptyLabel || (!letterOrDigit && "-._~".indexOf(c) < 0)) {
        return false;
      }
      before = c;
    }
    return before != '.';
  }

  /** RFC 3986 3.2.3: digits, perhaps none behind the colon. */
  private static int port(String text, int hostEnd) {
    if (hostEnd == text.length()) {
      return NO_PORT;
    }
    if (text.charAt(hostEnd) != ':' || text.length() - hostEnd > 6) {
      return BAD_PORT;
    }
    int port = hostEnd + 1 == text.length() ? NO_PORT : 0;
    for (int i = hostEnd + 1; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return BAD_PORT;
      }
      port = port * 10 + text.charAt(i) - '0';
    }
    return port > 65535 ? BAD_PORT : port;
  }

  private static String fold(String text, int hostEnd) {
    int end = text.charAt(hostEnd - 1) == '.' ? hostEnd - 1 : hostEnd;
    // Both return the same string where there is nothing to change.
    return text.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
