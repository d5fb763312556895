package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What the tests of HTTP/2's wire have in common. Stateless. */
final class Http2Wire {

  static final int NO_ERROR = 0;
  static final int PROTOCOL_ERROR = 1;
  static final int INTERNAL_ERROR = 2;
  static final int FLOW_CONTROL_ERROR = 3;
  static final int STREAM_CLOSED = 5;
  static final int FRAME_SIZE_ERROR = 6;
  static final int REFUSED_STREAM = 7;
  static final int CANCEL = 8;
  static final int COMPRESSION_ERROR = 9;
  static final int ENHANCE_YOUR_CALM = 11;

  private Http2Wire() {}

  /** A plain proxy that takes HTTP/2 in the clear. */
  static ProxyFile h2c() {
    return ProxyFile.plain().server("h2c: true");
  }

  /** A connection whose preface and SETTINGS are exchanged. */
  static RawFrames connect(Running running, Sluice sluice, int... settings) {
    return RawFrames.open(running.client(sluice), settings);
  }

  /** The connection was told this and nothing else is served on it. */
  static void assertGoneAway(RawFrames client, int code) {
    RawFrames.Frame frame = client.await(RawFrames.GOAWAY);
    assertThat(frame.code()).as(frame + " " + debug(frame)).isEqualTo(code);
  }

  /** The stream was reset so, and the connection goes on. */
  static void assertReset(RawFrames client, int stream, int code) {
    RawFrames.Frame frame = Objects.requireNonNull(client.next());
    while (frame.type() != RawFrames.RST_STREAM && frame.type() != RawFrames.GOAWAY) {
      frame = Objects.requireNonNull(client.next());
    }
    assertThat(frame.type()).as(frame.toString()).isEqualTo(RawFrames.RST_STREAM);
    assertThat(frame.stream()).isEqualTo(stream);
    assertThat(frame.code()).isEqualTo(code);
    assertThat(client.isAlive()).isTrue();
  }

  private static String debug(RawFrames.Frame frame) {
    return new String(frame.payload(), StandardCharsets.ISO_8859_1);
  }

  static byte[] bytes(int count) {
    return new byte[count];
  }
}
