package dev.sluice.wire.http2;

import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.http1.Heads;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A request's head as the fields of HTTP/2: pseudo-headers, then names in lower case. Stateless.
 */
final class OriginRequestFields {

  /** What a connection of HTTP/2 never says, and what is said by pseudo-headers or here. */
  private static final long OWN =
      Heads.OF_THE_CONNECTION | FieldName.setOf(FieldName.HOST, FieldName.TE);

  private static final AsciiString TE = AsciiString.cached("te");
  private static final AsciiString TRAILERS = AsciiString.cached("trailers");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
  private static final AsciiString COOKIE = AsciiString.cached("cookie");
  private static final AsciiString[] LOWER = lowerNames();

  private OriginRequestFields() {}

  /** {@code scheme}: of the connection that it goes out on. */
  static Http2Headers of(RequestOut out, AsciiString scheme) {
    RequestHead head = out.head();
    Http2Headers fields = new DefaultHttp2Headers(false);
    fields.method(head.method());
    fields.scheme(scheme);
    if (!head.authority().isEmpty()) {
      fields.authority(head.authority());
    }
    fields.path(head.target().raw());
    copy(out, fields);
    addLines(out.added(), fields);
    if (wantsTrailers(head.headers())) {
      // RFC 9113 8.2.2: the one thing that it may say.
      fields.add(TE, TRAILERS);
    }
    if (head.framing() instanceof Framing.Length length) {
      fields.add(CONTENT_LENGTH, Long.toString(length.bytes()));
    }
    return fields;
  }

  /** A request's trailers, in wire form. */
  static Http2Headers trailers(byte[] lines) {
    Http2Headers fields = new DefaultHttp2Headers(false);
    addLines(lines, fields);
    return fields;
  }

  private static void copy(RequestOut out, Http2Headers fields) {
    Headers from = out.head().headers();
    for (int i = 0; i < from.size(); i++) {
      FieldName known = from.known(i);
      if (known == FieldName.COOKIE) {
        if ((known.bit() & out.drop()) == 0) {
          addCrumbs(from.value(i), fields);
        }
      } else if (known != null) {
        if ((known.bit() & (OWN | out.drop())) == 0) {
          fields.add(LOWER[known.ordinal()], from.value(i));
        }
      } else {
        addUnknown(out, from, i, fields);
      }
    }
  }

  private static void addUnknown(RequestOut out, Headers from, int index, Http2Headers fields) {
    String name = from.name(index).toLowerCase(Locale.ROOT);
    boolean internal = !out.internal().isEmpty() && from.isNamedIn(index, out.internal());
    if (!internal && !out.dropNames().contains(name)) {
      fields.add(name, from.value(index));
    }
  }

  /** RFC 9113 8.2.3: one cookie to a field, so that what stays the same is sent once. */
  private static void addCrumbs(String cookies, Http2Headers fields) {
    int from = 0;
    for (int end = cookies.indexOf("; "); end >= 0; end = cookies.indexOf("; ", from)) {
      fields.add(COOKIE, cookies.substring(from, end));
      from = end + 2;
    }
    fields.add(COOKIE, cookies.substring(from));
  }

  private static boolean wantsTrailers(Headers headers) {
    for (String line : headers.all(FieldName.TE)) {
      for (String element : line.split(",", -1)) {
        if (element.strip().equalsIgnoreCase("trailers")) {
          return true;
        }
      }
    }
    return false;
  }

  /** Field lines in HTTP/1.1's form, each ended by CRLF. */
  private static void addLines(byte[] lines, Http2Headers fields) {
    int at = 0;
    while (at < lines.length) {
      int colon = indexOf(lines, ':', at);
      int end = indexOf(lines, '\r', colon);
      String name = text(lines, at, colon).toLowerCase(Locale.ROOT);
      fields.add(name, text(lines, colon + 1, end).strip());
      at = end + 2;
    }
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static int indexOf(byte[] bytes, char wanted, int from) {
    int at = from;
    while (bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static AsciiString[] lowerNames() {
    var lower = new AsciiString[FieldName.values().length];
    for (FieldName name : FieldName.values()) {
      lower[name.ordinal()] = AsciiString.cached(name.lower());
    }
    return lower;
  }
}
