package dev.sluice.wire;

import dev.sluice.http.RequestHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.http1.RequestParser;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A request's head as text, read as one that came over HTTP/1.1 is. Immutable. */
public sealed interface HeadText {

  /** One that may go on. */
  record Read(RequestHead head) implements HeadText {}

  /** One that is turned away before anybody asks what it is. */
  record Refused(Cause cause) implements HeadText {}

  /**
   * Reads a head.
   *
   * @param requestLine the first line, without its end
   * @param fields the field lines, each likewise; no line has an end within
   */
  static HeadText of(String requestLine, List<String> fields) {
    var text = new StringBuilder(requestLine).append("\r\n");
    fields.forEach(line -> text.append(line).append("\r\n"));
    byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    RequestParser.Parsed parsed = RequestParser.parse(head, fields.size() + 2, Integer.MAX_VALUE);
    return parsed instanceof RequestParser.Request request
        ? new Read(request.head())
        : new Refused(((RequestParser.Refusal) parsed).cause());
  }
}
