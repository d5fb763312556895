package dev.sluice.wire.http1;

import dev.sluice.http.AbsoluteForm;
import dev.sluice.http.Authority;
import dev.sluice.http.ConnectionOptions;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.Cause;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's head by RFC 9112, strictly: what two parsers could read differently is refused
 * here, before anything else looks at it.
 */
public final class RequestParser {

  /** What a head turned out to be. */
  public sealed interface Parsed {}

  /** A head that may go on. */
  public record Request(RequestHead head) implements Parsed {}

  /** A head that may not. */
  public record Refusal(Cause cause) implements Parsed {}

  private static final Refusal BAD = new Refusal(Cause.BAD_REQUEST);
  private static final byte[] VERSION = Heads.ascii("HTTP/1.");

  private final byte[] bytes;
  private final int lines;
  private final int maxTarget;

  private RequestParser(byte[] bytes, int lines, int maxTarget) {
    this.bytes = bytes;
    this.lines = lines;
    this.maxTarget = maxTarget;
  }

  /**
   * Reads one head.
   *
   * @param bytes a whole head with its empty line, its lines ended by CRLF and no bare LF
   * @param lines the number of lines, the first and the empty one included
   */
  public static Parsed parse(byte[] bytes, int lines, int maxTarget) {
    return new RequestParser(bytes, lines, maxTarget).parse();
  }

  /**
   * RFC 9112 9.3: HTTP/1.1 stays open unless it says close, HTTP/1.0 closes unless it says
   * keep-alive.
   */
  public static boolean wantsKeepAlive(RequestHead head) {
    ConnectionOptions options = ConnectionOptions.of(head.headers());
    return !options.close() && (head.minorVersion() == 1 || options.keepAlive());
  }

  private Parsed parse() {
    int methodEnd = 0;
    while (Bytes.isToken(bytes[methodEnd])) {
      methodEnd++;
    }
    int targetEnd = methodEnd + 1;
    if (methodEnd == 0 || bytes[methodEnd] != ' ') {
      return BAD;
    }
    while (Bytes.isTarget(bytes[targetEnd])) {
      targetEnd++;
    }
    // RFC 9112 3: single spaces, a target that is not empty.
    if (targetEnd == methodEnd + 1 || bytes[targetEnd] != ' ') {
      return BAD;
    }
    if (targetEnd - methodEnd - 1 > maxTarget) {
      return new Refusal(Cause.URI_TOO_LONG);
    }
    int minor = minorVersion(targetEnd + 1);
    if (minor < 0) {
      return minor == BAD_VERSION ? BAD : new Refusal(Cause.VERSION);
    }
    FieldLines fields = FieldLines.parse(bytes, targetEnd + 1 + VERSION.length + 3, lines - 2);
    if (fields == null) {
      return BAD;
    }
    return head(method(methodEnd), text(methodEnd + 1, targetEnd), minor, fields);
  }

  private static final int BAD_VERSION = -1;
  private static final int OTHER_VERSION = -2;

  /** HTTP/1.0 and HTTP/1.1, spelled exactly so. */
  private int minorVersion(int at) {
    for (int i = 0; i < VERSION.length; i++) {
      if (bytes[at + i] != VERSION[i]) {
        return isOtherVersion(at) ? OTHER_VERSION : BAD_VERSION;
      }
    }
    int digit = bytes[at + VERSION.length];
    if (!isLineEnd(at + VERSION.length + 1)) {
      return BAD_VERSION;
    }
    return digit == '0' || digit == '1' ? digit - '0' : BAD_VERSION;
  }

  /** HTTP/digit.digit: well-formed (RFC 9112 2.3), but not ours. */
  private boolean isOtherVersion(int at) {
    return bytes.length - at > 10
        && text(at, at + 5).equals("HTTP/")
        && Character.isDigit(bytes[at + 5])
        && bytes[at + 6] == '.'
        && Character.isDigit(bytes[at + 7])
        && isLineEnd(at + 8);
  }

  /** CRLF; a CR alone is not one, and the head's last two bytes are (RFC 9112 2.2). */
  private boolean isLineEnd(int at) {
    return bytes[at] == '\r' && bytes[at + 1] == '\n';
  }

  private Parsed head(String method, String target, int minor, FieldLines fields) {
    Framing framing = FramingGuard.ofRequest(fields, minor);
    if (framing == null
        || fields.isRepeated(FieldName.HOST)
        || ConnectionOptions.of(fields).malformed()) {
      return BAD;
    }
    String host = fields.first(FieldName.HOST);
    if (host == null ? minor == 1 : Authority.fault(host) != null) {
      return BAD;
    }
    if (!isExpectationKnown(fields, minor)) {
      return new Refusal(Cause.EXPECTATION_FAILED);
    }
    String authority = host == null ? "" : host;
    if (target.charAt(0) == '/' || target.equals("*")) {
      return target.equals("*") && !method.equals("OPTIONS")
          ? BAD
          : origin(method, target, authority, minor, fields, framing);
    }
    if (method.equals("CONNECT")) {
      return new Refusal(Cause.METHOD_NOT_ALLOWED);
    }
    return absolute(method, target, minor, fields, framing);
  }

  private Parsed absolute(
      String method, String target, int minor, FieldLines fields, Framing framing) {
    // RFC 9112 3.2.2: the target's authority wins over Host.
    if (!(AbsoluteForm.split(method, target) instanceof AbsoluteForm.Split form)) {
      return BAD;
    }
    return origin(method, form.originForm(), authorityOf(target), minor, fields, framing);
  }

  /** As it was sent, so that the origin sees the spelling that the client used. */
  private static String authorityOf(String target) {
    int from = target.indexOf("//") + 2;
    int to = from;
    while (to < target.length() && "/?".indexOf(target.charAt(to)) < 0) {
      to++;
    }
    return target.substring(from, to);
  }

  private static Parsed origin(
      String method, String raw, String authority, int minor, FieldLines fields, Framing framing) {
    Target target =
        raw.equals("*") ? new Target("*", "*", "", false, true) : Target.ofOriginForm(raw);
    return request(method, target, authority, minor, fields, framing);
  }

  private static Parsed request(
      String method,
      Target target,
      String authority,
      int minor,
      FieldLines fields,
      Framing framing) {
    return new Request(new RequestHead(method, target, authority, minor, fields, framing));
  }

  /** RFC 9110 10.1.1: the one expectation there is. */
  public static boolean isExpectationKnown(Headers fields, int minor) {
    @Nullable String expect = fields.first(FieldName.EXPECT);
    return expect == null || minor == 0 || expect.equalsIgnoreCase("100-continue");
  }

  private String method(int end) {
    if (end == 3 && bytes[0] == 'G' && bytes[1] == 'E' && bytes[2] == 'T') {
      return "GET";
    }
    return text(0, end);
  }

  private String text(int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }
}
