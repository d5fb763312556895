package dev.sluice;

import java.io.IOException;

/** What the scripts of {@link FrameOrigin} have in common. Stateless. */
final class FrameScripts {

  /** The stream of a connection's first request (RFC 9113 5.1.1). */
  static final int FIRST = 1;

  private FrameScripts() {}

  /** A small whole answer. */
  static void ok(FrameOrigin.Connection connection, int stream) throws IOException {
    connection.headers(stream, 0, ":status", "200", "content-length", "2");
    connection.data(stream, FrameOrigin.END_STREAM, "ok");
  }

  /** {@code /first} gets what the case says, all others an answer on the same connection. */
  static FrameOrigin.Script firstGets(FrameOrigin.Script first) {
    return (connection, stream, fields) -> {
      if (fields.path().toString().equals("/first")) {
        first.asked(connection, stream, fields);
      } else {
        ok(connection, stream);
      }
    };
  }
}
