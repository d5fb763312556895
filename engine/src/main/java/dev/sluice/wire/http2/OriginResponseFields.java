package dev.sluice.wire.http2;

import dev.sluice.flow.Trailers;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.wire.http1.FieldLines;
import dev.sluice.wire.http1.FramingGuard;
import dev.sluice.wire.http1.TrailerFields;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Reads an upstream's field sections, as strictly as a client's ({@link FieldSection}): what comes
 * of them means the same as an answer of HTTP/1.1 with these lines. Stateless.
 */
final class OriginResponseFields {

  private static final int MALFORMED = -1;

  private OriginResponseFields() {}

  /**
   * A head, interim or final; null where it is malformed.
   *
   * @param toHead whether the request was HEAD
   * @param last whether nothing follows it
   */
  static @Nullable ResponseHead head(ReceivedFields fields, boolean toHead, boolean last) {
    // RFC 9113 8.3.2: one pseudo-header, and before all others.
    boolean begins = fields.size() > 0 && fields.name(0).contentEquals(":status");
    int status = begins ? status(fields.value(0)) : MALFORMED;
    FieldLines lines = status == MALFORMED ? null : FieldSection.lines(fields, 1);
    Framing framing = lines == null ? null : FramingGuard.ofResponse(lines, 1, status, toHead);
    if (lines == null || framing == null) {
      return null;
    }
    if (framing instanceof Framing.UntilClose) {
      // Here the stream's end is the body's, and a head may be that end.
      framing = last ? new Framing.Length(0) : Framing.Chunked.INSTANCE;
    }
    return new ResponseHead(status, StatusPhrase.of(status), lines, framing);
  }

  /** A trailer section, checked and filtered; null where it is malformed. */
  static @Nullable Trailers trailers(ReceivedFields fields) {
    FieldLines lines = FieldSection.lines(fields, 0);
    return lines == null ? null : TrailerFields.kept(lines);
  }

  /** About as many as the same head would have in HTTP/1.1. */
  static int bytes(ReceivedFields fields) {
    int bytes = 0;
    for (int i = 0; i < fields.size(); i++) {
      bytes += fields.name(i).length() + fields.value(i).length() + 4;
    }
    return bytes;
  }

  /** Three digits from 100 to 599. */
  private static int status(AsciiString text) {
    if (text.length() != 3) {
      return MALFORMED;
    }
    int status = 0;
    for (int i = 0; i < 3; i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return MALFORMED;
      }
      status = status * 10 + digit - '0';
    }
    return status >= 100 && status <= 599 ? status : MALFORMED;
  }
}
