package dev.sluice.http;

import org.jspecify.annotations.Nullable;

/**
 * What a Host field or an absolute-form target names: a host and perhaps a port, read strictly (RFC
 * 3986 3.2, RFC 9110 7.2). A name is letters, digits, {@code - . _ ~}; escapes and the other
 * characters that RFC 3986 would let pass are refused, because no name that resolves has them.
 * Immutable.
 */
public sealed interface Authority {

  /**
   * A well-formed authority.
   *
   * @param host in lower case, one trailing dot removed, IPv6 in brackets
   * @param port 0 to 65535, or -1 where none was given
   */
  record Valid(String host, int port) implements Authority {

    /** The one spelling for routing and keys: without the port where it is the scheme's own. */
    public String normalized(int defaultPort) {
      return port < 0 || port == defaultPort ? host : host + ":" + port;
    }
  }

  /** Not an authority. */
  record Invalid(Fault fault) implements Authority {}

  /** What is wrong with a text that should be an authority. */
  enum Fault {
    EMPTY,
    USERINFO,
    BAD_HOST,
    BAD_PORT
  }

  /** What is wrong with {@code text}, or null where it is well-formed; allocates nothing. */
  static @Nullable Fault fault(String text) {
    return AuthorityParser.fault(text);
  }

  /** Reads {@code host[:port]}. */
  static Authority parse(String text) {
    return AuthorityParser.parse(text);
  }
}
