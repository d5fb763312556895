package dev.sluice.wire.http1;

import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a response's head by RFC 9112, as strictly as a request's: an origin may lie, too. */
public final class ResponseParser {

  private static final byte[] VERSION = Heads.ascii("HTTP/1.");
  private static final int STATUS_AT = 9;

  private ResponseParser() {}

  /** A head and what its line said of the connection. */
  public record Response(ResponseHead head, int minorVersion) {}

  /**
   * Reads one head.
   *
   * @param bytes a whole head with its empty line and no bare LF
   * @param toHead whether the request was HEAD
   * @return null where the head is malformed or its framing ambiguous
   */
  public static @Nullable Response parse(byte[] bytes, int lines, boolean toHead) {
    int minor = minorVersion(bytes);
    int status = minor < 0 ? 0 : status(bytes);
    if (status == 0) {
      return null;
    }
    int lineEnd = STATUS_AT + 3;
    while (Bytes.isValue(bytes[lineEnd])) {
      lineEnd++;
    }
    if (bytes[lineEnd] != '\r' || bytes[lineEnd + 1] != '\n') {
      return null;
    }
    FieldLines fields = FieldLines.parse(bytes, lineEnd + 2, lines - 2);
    Framing framing =
        fields == null ? null : FramingGuard.ofResponse(fields, minor, status, toHead);
    if (fields == null || framing == null) {
      return null;
    }
    return new Response(
        new ResponseHead(status, reason(bytes, status, lineEnd), fields, framing), minor);
  }

  private static int minorVersion(byte[] bytes) {
    if (bytes.length < STATUS_AT + 5) {
      return -1;
    }
    for (int i = 0; i < VERSION.length; i++) {
      if (bytes[i] != VERSION[i]) {
        return -1;
      }
    }
    int minor = bytes[VERSION.length] - '0';
    return (minor == 0 || minor == 1) && bytes[STATUS_AT - 1] == ' ' ? minor : -1;
  }

  /** Three digits from 100 to 599, then a space and a reason, or nothing; 0 = malformed. */
  private static int status(byte[] bytes) {
    int status = 0;
    for (int i = STATUS_AT; i < STATUS_AT + 3; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return 0;
      }
      status = status * 10 + bytes[i] - '0';
    }
    byte behind = bytes[STATUS_AT + 3];
    return status >= 100 && status <= 599 && (behind == ' ' || behind == '\r') ? status : 0;
  }

  private static String reason(byte[] bytes, int status, int lineEnd) {
    int start = STATUS_AT + 4;
    int length = lineEnd - start;
    if (length <= 0) {
      return "";
    }
    if (status == 200 && length == 2 && bytes[start] == 'O' && bytes[start + 1] == 'K') {
      return "OK";
    }
    return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
  }
}
