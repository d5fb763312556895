package dev.sluice.wire.http2;

import dev.sluice.flow.Trailers;
import dev.sluice.http.Authority;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.http1.Bytes;
import dev.sluice.wire.http1.FieldLines;
import dev.sluice.wire.http1.FramingGuard;
import dev.sluice.wire.http1.RequestParser;
import dev.sluice.wire.http1.TrailerFields;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's field section by RFC 9113 8.3: which pseudo-headers, in which place, with which
 * values, and that they and the fields tell one story. What two parsers could read differently is
 * malformed. Confined to one call.
 */
final class RequestFields {

  /** What a section turned out to be. */
  sealed interface Read {}

  /** A request that may go on. */
  record Request(RequestHead head) implements Read {}

  /** Well-formed, but turned away with a status. */
  record Refused(Cause cause) implements Read {}

  /** Malformed (RFC 9113 8.1.1): the stream ends with PROTOCOL_ERROR. */
  enum Malformed implements Read {
    INSTANCE
  }

  private final FieldSection section = new FieldSection();
  private @Nullable AsciiString method;
  private @Nullable AsciiString scheme;
  private @Nullable AsciiString authority;
  private @Nullable AsciiString path;
  private @Nullable AsciiString host;

  private RequestFields() {}

  /**
   * Reads what was decoded.
   *
   * @param ended whether the request has no body
   */
  static Read of(ReceivedFields fields, boolean ended, int maxTarget) {
    var reading = new RequestFields();
    return reading.takeAll(fields) ? reading.judge(ended, maxTarget) : Malformed.INSTANCE;
  }

  /** A trailer section, or null where it is malformed: no pseudo-headers here (RFC 9113 8.1). */
  static @Nullable Trailers trailers(ReceivedFields fields) {
    FieldLines lines = FieldSection.lines(fields, 0);
    return lines == null ? null : TrailerFields.kept(lines);
  }

  private boolean takeAll(ReceivedFields fields) {
    boolean regular = false;
    for (int i = 0; i < fields.size(); i++) {
      AsciiString name = fields.name(i);
      AsciiString value = fields.value(i);
      if (!FieldSection.isValue(value)) {
        return false;
      }
      boolean pseudo = !name.isEmpty() && name.byteAt(0) == ':';
      // RFC 9113 8.3: all of them before any regular field.
      if (pseudo ? regular || !pseudo(name, value) : !field(name, value)) {
        return false;
      }
      regular |= !pseudo;
    }
    return true;
  }

  /** Each at most once, and no other. */
  private boolean pseudo(AsciiString name, AsciiString value) {
    switch (name.toString()) {
      case ":method" -> {
        boolean first = method == null;
        method = value;
        return first;
      }
      case ":scheme" -> {
        boolean first = scheme == null;
        scheme = value;
        return first;
      }
      case ":authority" -> {
        boolean first = authority == null;
        authority = value;
        return first;
      }
      case ":path" -> {
        boolean first = path == null;
        path = value;
        return first;
      }
      default -> {
        return false;
      }
    }
  }

  private boolean field(AsciiString name, AsciiString value) {
    if (!FieldSection.isName(name)) {
      return false;
    }
    FieldName known = FieldSection.known(name);
    if (known != FieldName.HOST) {
      return section.add(known, name, value);
    }
    boolean first = host == null;
    host = value;
    return first;
  }

  private Read judge(boolean ended, int maxTarget) {
    if (method == null || !isToken(method)) {
      return Malformed.INSTANCE;
    }
    if (method.contentEquals("CONNECT")) {
      // RFC 9113 8.5: with an authority and nothing else.
      boolean wellFormed = scheme == null && path == null && isAuthority(authority);
      return wellFormed ? new Refused(Cause.METHOD_NOT_ALLOWED) : Malformed.INSTANCE;
    }
    if (scheme == null || path == null || path.isEmpty()) {
      return Malformed.INSTANCE;
    }
    if (!isPath(path, method)) {
      return Malformed.INSTANCE;
    }
    String named = authority();
    if (named == null) {
      return Malformed.INSTANCE;
    }
    if (!isHttp(scheme)) {
      return new Refused(Cause.BAD_REQUEST);
    }
    if (path.length() > maxTarget) {
      return new Refused(Cause.URI_TOO_LONG);
    }
    return request(method.toString(), path.toString(), named, ended);
  }

  private Read request(String verb, String target, String named, boolean ended) {
    FieldLines lines = section.toLines();
    Framing declared = lines == null ? null : FramingGuard.ofRequest(lines, 1);
    if (lines == null || declared == null) {
      return Malformed.INSTANCE;
    }
    boolean announced = declared instanceof Framing.Length length && length.bytes() > 0;
    if (ended && announced) {
      return Malformed.INSTANCE;
    }
    if (!RequestParser.isExpectationKnown(lines, 1)) {
      return new Refused(Cause.EXPECTATION_FAILED);
    }
    // Without a length the body's end is the stream's: chunks, to an origin of HTTP/1.1.
    boolean open = !ended && declared instanceof Framing.None;
    Target asked =
        target.equals("*") ? new Target("*", "*", "", false, true) : Target.ofOriginForm(target);
    return new Request(
        new RequestHead(verb, asked, named, 1, lines, open ? Framing.Chunked.INSTANCE : declared));
  }

  /** RFC 9113 8.3.1: a path, or the asterisk of OPTIONS; nothing that HTTP/1.1 would not carry. */
  private static boolean isPath(AsciiString path, AsciiString method) {
    for (int i = 0; i < path.length(); i++) {
      if (!Bytes.isTarget(path.byteAt(i))) {
        return false;
      }
    }
    return path.byteAt(0) == '/' || (path.contentEquals("*") && method.contentEquals("OPTIONS"));
  }

  private static boolean isToken(AsciiString text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Bytes.isToken(text.byteAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isHttp(AsciiString scheme) {
    return scheme.contentEquals("http") || scheme.contentEquals("https");
  }

  private static boolean isAuthority(@Nullable AsciiString text) {
    return text != null && Authority.fault(text.toString()) == null;
  }

  /** The one host that is asked, or null where there is none, or Host names another (8.3.1). */
  private @Nullable String authority() {
    AsciiString chosen = authority == null ? host : authority;
    if (!isAuthority(chosen) || chosen == null) {
      return null;
    }
    boolean agreed = host == null || authority == null || isSame(authority, host);
    return agreed ? chosen.toString() : null;
  }

  private boolean isSame(AsciiString one, AsciiString other) {
    int port = scheme != null && scheme.contentEquals("https") ? 443 : 80;
    return Authority.parse(one.toString()) instanceof Authority.Valid first
        && Authority.parse(other.toString()) instanceof Authority.Valid second
        && first.normalized(port).equals(second.normalized(port));
  }
}
