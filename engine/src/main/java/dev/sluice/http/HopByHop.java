package dev.sluice.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that concern one hop only and are never carried to the next (RFC 9110 7.6.1).
 * Stateless.
 *
 * <p>A sender may name more of them in Connection, but not at the cost of somebody else's rules: a
 * name of our vocabulary that is not dropped anyway is end-to-end, and so are the fields by which
 * an origin knows the client and its intent. Naming those in Connection changes nothing, or a
 * client could strip Cookie, Host or the forwarded address from its own request.
 */
public final class HopByHop {

  /** Dropped from requests and responses alike; each hop writes its own where it needs one. */
  public static final long FIELDS =
      FieldName.setOf(
          FieldName.CONNECTION,
          FieldName.HTTP2_SETTINGS,
          FieldName.KEEP_ALIVE,
          // RFC 9110 11.7: proxy authentication is between a client and its next proxy.
          FieldName.PROXY_AUTHENTICATE,
          FieldName.PROXY_AUTHORIZATION,
          FieldName.PROXY_CONNECTION,
          FieldName.TE,
          FieldName.TRANSFER_ENCODING,
          FieldName.UPGRADE);

  /** End-to-end names beyond the vocabulary. */
  private static final List<String> PROTECTED =
      List.of("origin", "referer", "true-client-ip", "cf-connecting-ip");

  private static final List<String> PROTECTED_PREFIXES =
      List.of(
          "accept-",
          "access-control-",
          "content-",
          "sec-",
          "x-client-",
          "x-forwarded-",
          "x-real-",
          "x-sluice-");

  private HopByHop() {}

  /** Whether a line of this name stops here; null is a name outside the vocabulary. */
  public static boolean isDropped(@Nullable FieldName name) {
    return name != null && (FIELDS & name.bit()) != 0;
  }

  /** The further names that Connection asks to drop, in lower case; almost always none. */
  public static List<String> connectionNames(Headers headers) {
    return ConnectionOptions.of(headers).names();
  }

  static boolean isDropped(String lowerName) {
    return isDropped(FieldName.find(lowerName));
  }

  /** Whether the field is end-to-end whatever Connection says. */
  static boolean isProtected(String lowerName) {
    FieldName known = FieldName.find(lowerName);
    if (known != null) {
      return !isDropped(known);
    }
    for (String prefix : PROTECTED_PREFIXES) {
      if (lowerName.startsWith(prefix)) {
        return true;
      }
    }
    return PROTECTED.contains(lowerName);
  }
}
