package dev.sluice.wire.http1;

import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a message's body ends, where every parser must agree (RFC 9112 6.1, 6.3, 11.2): whatever two
 * parties could read differently has no framing here, and the message is refused.
 */
public final class FramingGuard {

  /** More digits than any body needs; longer ones are malformed. */
  private static final int MAX_LENGTH_DIGITS = 18;

  /**
   * Codings that change content (RFC 9110 16.6.1 registers them): such a body, passed on without
   * its label, would be taken for the content itself.
   */
  private static final Set<String> CODINGS =
      Set.of("aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "zstd");

  private FramingGuard() {}

  /** A request's framing, or null where it is ambiguous or malformed. */
  public static @Nullable Framing ofRequest(FieldLines fields, int minorVersion) {
    Framing declared = declared(fields, minorVersion);
    return declared instanceof Framing.UntilClose ? Framing.None.INSTANCE : declared;
  }

  /**
   * A response's framing, or null where it is ambiguous or malformed.
   *
   * @param toHead whether the request was HEAD
   */
  public static @Nullable Framing ofResponse(
      FieldLines fields, int minorVersion, int status, boolean toHead) {
    boolean toItsEnd = minorVersion > 0 && endsWithConnection(fields);
    Framing declared = toItsEnd ? Framing.UntilClose.INSTANCE : declared(fields, minorVersion);
    // RFC 9112 6.3: these never have a body, whatever their fields declare.
    boolean bodiless = toHead || status < 200 || status == 204 || status == 304;
    return declared != null && bodiless ? Framing.None.INSTANCE : declared;
  }

  /**
   * Whether the one coding that a response names is no framing at all: then its body goes on to the
   * connection's end (RFC 9112 6.3), which no two parsers see elsewhere. What looks like {@code
   * chunked} to some parser, a list, a second line or a length beside it stays a refusal (H01).
   */
  private static boolean endsWithConnection(FieldLines fields) {
    String coding = fields.first(FieldName.TRANSFER_ENCODING);
    if (coding == null
        || fields.isRepeated(FieldName.TRANSFER_ENCODING)
        || fields.has(FieldName.CONTENT_LENGTH)) {
      return false;
    }
    String lower = coding.toLowerCase(Locale.ROOT);
    return isAlphanumeric(lower) && !lower.contains("chunk") && !CODINGS.contains(lower);
  }

  private static boolean isAlphanumeric(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
  }

  private static @Nullable Framing declared(FieldLines fields, int minorVersion) {
    boolean coded = fields.has(FieldName.TRANSFER_ENCODING);
    boolean measured = fields.has(FieldName.CONTENT_LENGTH);
    if (coded) {
      return measured || minorVersion == 0 ? null : coded(fields);
    }
    return measured ? measured(fields) : Framing.UntilClose.INSTANCE;
  }

  private static @Nullable Framing coded(FieldLines fields) {
    boolean plain =
        !fields.isRepeated(FieldName.TRANSFER_ENCODING)
            && "chunked".equalsIgnoreCase(fields.first(FieldName.TRANSFER_ENCODING));
    return plain ? Framing.Chunked.INSTANCE : null;
  }

  private static @Nullable Framing measured(FieldLines fields) {
    String value = fields.first(FieldName.CONTENT_LENGTH);
    if (value == null
        || value.isEmpty()
        || value.length() > MAX_LENGTH_DIGITS
        || fields.isRepeated(FieldName.CONTENT_LENGTH)) {
      return null;
    }
    long length = 0;
    for (int i = 0; i < value.length(); i++) {
      char digit = value.charAt(i);
      if (digit < '0' || digit > '9') {
        return null;
      }
      length = length * 10 + digit - '0';
    }
    return new Framing.Length(length);
  }
}
