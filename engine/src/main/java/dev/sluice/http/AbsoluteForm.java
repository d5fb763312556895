package dev.sluice.http;

/** An absolute-form request target taken apart (RFC 9112 3.2.2). Immutable. */
public sealed interface AbsoluteForm {

  /**
   * A target that is served: its authority wins over Host.
   *
   * @param scheme http or https, in lower case
   * @param originForm what goes on to the origin; an empty path is {@code /}, and {@code *} with
   *     OPTIONS (RFC 9112 3.2.4)
   */
  record Split(String scheme, Authority.Valid authority, String originForm)
      implements AbsoluteForm {}

  /** A target that is refused with 400. */
  record Refused(Fault fault) implements AbsoluteForm {}

  /** Why an absolute-form target is refused. */
  enum Fault {
    /** Neither http nor https. */
    FOREIGN_SCHEME,
    /** RFC 9110 4.2.4: userinfo is a way to disguise the host. */
    USERINFO,
    /** RFC 9110 4.2.1: an empty host is invalid. */
    EMPTY_HOST,
    /** The host or the port breaks the grammar. */
    BAD_AUTHORITY
  }

  /** Whether {@code target} is neither origin-form nor asterisk-form and so belongs here. */
  static boolean isCandidate(String target) {
    return !target.startsWith("/") && !target.equals("*");
  }

  /** Takes {@code target} apart as a request of {@code method} means it. */
  static AbsoluteForm split(String method, String target) {
    int schemeLength =
        target.regionMatches(true, 0, "http://", 0, 7)
            ? 4
            : target.regionMatches(true, 0, "https://", 0, 8) ? 5 : 0;
    if (schemeLength == 0) {
      return new Refused(Fault.FOREIGN_SCHEME);
    }
    int from = schemeLength + 3;
    int to = authorityEnd(target, from);
    Authority authority = Authority.parse(target.substring(from, to));
    if (authority instanceof Authority.Valid valid) {
      String scheme = schemeLength == 4 ? "http" : "https";
      return new Split(scheme, valid, originForm(method, target.substring(to)));
    }
    return new Refused(faultOf(((Authority.Invalid) authority).fault()));
  }

  private static String originForm(String method, String rest) {
    if (rest.isEmpty()) {
      return method.equals("OPTIONS") ? "*" : "/";
    }
    return rest.charAt(0) == '?' ? "/" + rest : rest;
  }

  private static Fault faultOf(Authority.Fault fault) {
    return switch (fault) {
      case EMPTY -> Fault.EMPTY_HOST;
      case USERINFO -> Fault.USERINFO;
      case BAD_HOST, BAD_PORT -> Fault.BAD_AUTHORITY;
    };
  }

  private static int authorityEnd(String target, int from) {
    int i = from;
    while (i < target.length() && target.charAt(i) != '/' && target.charAt(i) != '?') {
      i++;
    }
    return i;
  }
}
