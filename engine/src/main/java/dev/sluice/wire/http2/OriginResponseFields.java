package dev.sluice.wire.http2;

import dev.sluice.flow.Trailers;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.wire.http1.FieldLines;
import dev.sluice.wire.http1.FramingGuard;
import dev.sluice.wire.http1.TrailerFields;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Map;
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
  static @Nullable ResponseHead head(Http2Headers fields, boolean toHead, boolean last) {
    int status = status(fields.status());
    FieldLines lines = status == MALFORMED ? null : lines(fields, 1);
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
  static @Nullable Trailers trailers(Http2Headers fields) {
    FieldLines lines = lines(fields, 0);
    return lines == null ? null : TrailerFields.kept(lines);
  }

  /** About as many as the same head would have in HTTP/1.1. */
  static int bytes(Http2Headers fields) {
    int bytes = 0;
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      bytes += field.getKey().length() + field.getValue().length() + 4;
    }
    return bytes;
  }

  /** Three digits from 100 to 599. */
  private static int status(@Nullable CharSequence text) {
    if (text == null || text.length() != 3) {
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

  /** The fields behind so many pseudo-headers; null where one of them is malformed. */
  private static @Nullable FieldLines lines(Http2Headers fields, int pseudoHeaders) {
    var section = new FieldSection();
    int pseudo = 0;
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      AsciiString name = AsciiString.of(field.getKey());
      AsciiString value = AsciiString.of(field.getValue());
      if (!name.isEmpty() && name.charAt(0) == ':') {
        // The decoder has seen to their names and their place before the others.
        pseudo++;
      } else if (!FieldSection.isName(name)
          || !FieldSection.isValue(value)
          || !section.add(FieldSection.known(name), name, value)) {
        return null;
      }
    }
    return pseudo == pseudoHeaders ? section.toLines() : null;
  }
}
