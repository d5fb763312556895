package dev.sluice.http;

/**
 * A request target (RFC 9112 3.2, RFC 3986 6.2.2). Routes match {@code path}; {@code raw} is what
 * the origin gets, byte for byte. Immutable.
 *
 * @param raw origin-form as sent: path and query; {@code *} for asterisk-form
 * @param path percent-decoded once, dot segments removed, without the query
 * @param query behind the first {@code ?} without it; empty where there is none
 * @param hasQuery tells {@code /a?} from {@code /a}
 * @param ambiguous whether two parsers could read the path differently: such a target may be
 *     proxied but is never shared and is private (DEC-33)
 */
public record Target(String raw, String path, String query, boolean hasQuery, boolean ambiguous) {
  public static Target ofOriginForm(String s) {
    return new Target(s, s, "", false, false);
  }
}
