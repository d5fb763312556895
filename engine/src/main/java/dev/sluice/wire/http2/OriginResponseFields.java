package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.wire.http1.BodyDecoder;
import dev.sluice.wire.http1.ResponseParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an origin's field sections. Each byte is looked at here (RFC 9113 8.2.1), then the fields
 * are read as the lines of an HTTP/1.1 head by the one grammar that reads those, so an answer means
 * the same whichever way it came. Stateless.
 */
final class OriginResponseFields {

  private static final int ESTIMATE = 1024;

  /** What no message of HTTP/2 may carry (RFC 9113 8.2.2). */
  private static final long FORBIDDEN =
      FieldName.setOf(
          FieldName.CONNECTION,
          FieldName.KEEP_ALIVE,
          FieldName.PROXY_CONNECTION,
          FieldName.TE,
          FieldName.TRANSFER_ENCODING,
          FieldName.UPGRADE);

  private OriginResponseFields() {}

  /**
   * A head, interim or final; null where it is malformed.
   *
   * @param toHead whether the request was HEAD
   * @param last whether nothing follows it
   */
  static @Nullable ResponseHead head(Http2Headers fields, boolean toHead, boolean last) {
    CharSequence status = fields.status();
    if (status == null || status.length() != 3) {
      return null;
    }
    ByteBuf out = Unpooled.buffer(ESTIMATE);
    ByteBufUtil.writeAscii(out, "HTTP/1.1 ");
    ByteBufUtil.writeAscii(out, status);
    ByteBufUtil.writeAscii(out, " \r\n");
    int lines = lines(fields, out, true);
    if (lines < 0) {
      return null;
    }
    out.writeByte('\r').writeByte('\n');
    ResponseParser.Response parsed =
        ResponseParser.parse(ByteBufUtil.getBytes(out), lines + 2, toHead);
    return parsed == null || has(parsed.head(), FORBIDDEN) ? null : framed(parsed.head(), last);
  }

  /** About as many as the same head would have in HTTP/1.1. */
  static int bytes(Http2Headers fields) {
    int bytes = 0;
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      bytes += field.getKey().length() + field.getValue().length() + 4;
    }
    return bytes;
  }

  /** Here the stream's end is the body's, and a head may be that end. */
  private static ResponseHead framed(ResponseHead head, boolean last) {
    Framing framing = head.framing();
    if (framing instanceof Framing.UntilClose) {
      framing = last ? new Framing.Length(0) : Framing.Chunked.INSTANCE;
    }
    return new ResponseHead(head.status(), StatusPhrase.of(head.status()), head.headers(), framing);
  }

  /** A trailer section, checked and filtered; null where it is malformed. */
  static @Nullable Trailers trailers(Http2Headers fields, int maxHeader) {
    ByteBuf out = Unpooled.buffer(ESTIMATE);
    ByteBufUtil.writeAscii(out, "0\r\n");
    if (lines(fields, out, false) < 0) {
      return null;
    }
    out.writeByte('\r').writeByte('\n');
    var nothing = new Body(() -> {}, 0, null);
    var decoder = new BodyDecoder(nothing, Framing.Chunked.INSTANCE, maxHeader);
    return decoder.decode(out) == BodyDecoder.Result.DONE ? decoder.trailers() : null;
  }

  /** Appends the fields as lines; how many, or -1 where one of them is none. */
  private static int lines(Http2Headers fields, ByteBuf out, boolean withStatus) {
    int lines = 0;
    int pseudo = 0;
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      CharSequence name = field.getKey();
      if (name.length() > 0 && name.charAt(0) == ':') {
        // The decoder has seen to their names and their place before the others.
        pseudo++;
      } else if (isName(name) && isValue(field.getValue())) {
        line(name, field.getValue(), out);
        lines++;
      } else {
        return -1;
      }
    }
    return pseudo == (withStatus ? 1 : 0) ? lines : -1;
  }

  private static void line(CharSequence name, CharSequence value, ByteBuf out) {
    write(name, out);
    out.writeByte(':').writeByte(' ');
    write(value, out);
    out.writeByte('\r').writeByte('\n');
  }

  private static void write(CharSequence text, ByteBuf out) {
    for (int i = 0; i < text.length(); i++) {
      out.writeByte(text.charAt(i));
    }
  }

  private static boolean has(ResponseHead head, long names) {
    return (head.headers().present() & names) != 0;
  }

  /** RFC 9113 8.2.1: in lower case; which bytes make a token the grammar of heads sees to. */
  private static boolean isName(CharSequence name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == ':' || (c >= 'A' && c <= 'Z')) {
        return false;
      }
    }
    return name.length() > 0;
  }

  /** RFC 9113 8.2.1: no control byte, no white space at either end. */
  private static boolean isValue(CharSequence value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
        return false;
      }
    }
    return length == 0 || !(isBlank(value.charAt(0)) || isBlank(value.charAt(length - 1)));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
