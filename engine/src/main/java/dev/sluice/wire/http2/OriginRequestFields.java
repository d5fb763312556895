package dev.sluice.wire.http2;

import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.wire.RequestOut;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/** A request's head as an upstream gets it over HTTP/2 (RFC 9113 8.3.1). Stateless. */
final class OriginRequestFields {

  /** What is said by pseudo-headers, or in a form of its own. */
  private static final long OWN =
      SentFields.OF_THE_CONNECTION | FieldName.setOf(FieldName.HOST, FieldName.COOKIE);

  private static final AsciiString METHOD = AsciiString.cached(":method");
  private static final AsciiString SCHEME = AsciiString.cached(":scheme");
  private static final AsciiString AUTHORITY = AsciiString.cached(":authority");
  private static final AsciiString PATH = AsciiString.cached(":path");
  private static final AsciiString TE = AsciiString.cached("te");
  private static final AsciiString TRAILERS = AsciiString.cached("trailers");
  private static final AsciiString COOKIE = AsciiString.cached("cookie");

  private OriginRequestFields() {}

  /** Fills {@code fields}; {@code scheme}: of the connection that it goes out on. */
  static SentFields of(SentFields fields, RequestOut out, AsciiString scheme) {
    RequestHead head = out.head();
    fields.reset().put(METHOD, text(head.method())).put(SCHEME, scheme);
    if (!head.authority().isEmpty()) {
      fields.put(AUTHORITY, text(head.authority()));
    }
    fields.put(PATH, text(head.target().raw()));
    fields.putAll(head.headers(), OWN | out.drop(), out.dropNames(), out.internal());
    if ((out.drop() & FieldName.COOKIE.bit()) == 0) {
      putCrumbs(head.headers(), fields);
    }
    fields.putLines(out.added());
    if (wantsTrailers(head.headers())) {
      // RFC 9113 8.2.2: the one thing that it may say.
      fields.put(TE, TRAILERS);
    }
    if (head.framing() instanceof Framing.Length length) {
      fields.put(FieldName.CONTENT_LENGTH, length.bytes());
    }
    return fields;
  }

  /** RFC 9113 8.2.3: one cookie to a field, so that what stays the same is sent once. */
  private static void putCrumbs(Headers headers, SentFields fields) {
    for (String cookies : headers.all(FieldName.COOKIE)) {
      int from = 0;
      for (int end = cookies.indexOf("; "); end >= 0; end = cookies.indexOf("; ", from)) {
        putCrumb(cookies.substring(from, end), fields);
        from = end + 2;
      }
      putCrumb(cookies.substring(from), fields);
    }
  }

  /** RFC 9113 8.2.1: a value neither begins nor ends with a blank. */
  private static void putCrumb(String cookie, SentFields fields) {
    String crumb = cookie.strip();
    if (!crumb.isEmpty()) {
      fields.put(COOKIE, text(crumb));
    }
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

  private static AsciiString text(String latin1) {
    return new AsciiString(latin1.getBytes(StandardCharsets.ISO_8859_1), false);
  }
}
