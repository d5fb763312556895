package dev.sluice.http;

/**
 * A request target (RFC 9112 3.2, RFC 3986 6.2.2). Routes match {@code path}; {@code raw} is what
 * the origin gets, byte for byte. Immutable.
 *
 * @param raw origin-form as sent: path and query; {@code *} for asterisk-form
 * @param path percent-decoded once, dot segments removed, without the query; an escape that makes
 *     the target ambiguous stays as it was sent
 * @param query behind the first {@code ?} without it; empty where there is none
 * @param hasQuery tells {@code /a?} from {@code /a}
 * @param ambiguous whether two parsers could read the path differently: such a target may be
 *     proxied but is never shared and is private (DEC-33)
 */
public record Target(String raw, String path, String query, boolean hasQuery, boolean ambiguous) {

  private static final Target ASTERISK = new Target("*", "*", "", false, false);

  /**
   * Reads an origin-form or asterisk-form target; every string gives a target, an odd one an
   * ambiguous target. A target of plain characters is its own path, uncopied.
   *
   * <p>Ambiguous are: an encoded slash, backslash, question mark, number sign, semicolon, control
   * or dot segment; raw backslash, number sign, semicolon, white space, control or non-ASCII; an
   * empty segment that is not the last; an escape that is invalid, not UTF-8, or would decode
   * twice; and a dot segment sent plainly. Clients resolve plain dot segments before they send, so
   * whoever sends one tests how we and the origin differ.
   */
  public static Target ofOriginForm(String raw) {
    if (raw.equals("*")) {
      return ASTERISK;
    }
    int mark = raw.indexOf('?');
    int pathEnd = mark < 0 ? raw.length() : mark;
    String query = mark < 0 ? "" : raw.substring(mark + 1);
    boolean strayFragment = query.indexOf('#') >= 0;
    if (PathNormalizer.isPlain(raw, pathEnd)) {
      String path = mark < 0 ? raw : raw.substring(0, pathEnd);
      return new Target(raw, path, query, mark >= 0, strayFragment);
    }
    var normalizer = new PathNormalizer(raw, pathEnd);
    String path = normalizer.normalize();
    return new Target(raw, path, query, mark >= 0, strayFragment || normalizer.isAmbiguous());
  }

  /** Whether the server itself is asked, not a resource of it (RFC 9112 3.2.4). */
  public boolean isAsterisk() {
    return raw.equals("*");
  }
}
