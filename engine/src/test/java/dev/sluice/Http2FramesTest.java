package dev.sluice;

import static dev.sluice.Http2Wire.FLOW_CONTROL_ERROR;
import static dev.sluice.Http2Wire.FRAME_SIZE_ERROR;
import static dev.sluice.Http2Wire.PROTOCOL_ERROR;
import static dev.sluice.Http2Wire.STREAM_CLOSED;
import static dev.sluice.Http2Wire.assertReset;
import static dev.sluice.Http2Wire.bytes;
import static dev.sluice.fixture.RawFrames.ACK;
import static dev.sluice.fixture.RawFrames.CONTINUATION;
import static dev.sluice.fixture.RawFrames.DATA;
import static dev.sluice.fixture.RawFrames.END_HEADERS;
import static dev.sluice.fixture.RawFrames.END_STREAM;
import static dev.sluice.fixture.RawFrames.GOAWAY;
import static dev.sluice.fixture.RawFrames.HEADERS;
import static dev.sluice.fixture.RawFrames.PADDED;
import static dev.sluice.fixture.RawFrames.PING;
import static dev.sluice.fixture.RawFrames.PRIORITY;
import static dev.sluice.fixture.RawFrames.PUSH_PROMISE;
import static dev.sluice.fixture.RawFrames.RST_STREAM;
import static dev.sluice.fixture.RawFrames.SETTINGS;
import static dev.sluice.fixture.RawFrames.WINDOW_UPDATE;
import static dev.sluice.fixture.RawFrames.WITH_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** PRX-04: frames and their errors by RFC 9113 3, 4 and 6, one behaviour a test, frame by frame. */
class Http2FramesTest {

  /** The origin waits for the body, so that no answer overtakes what is wrong with it. */
  private static final String UPLOAD = "/?upload=1";

  private static final int ANY = -1;

  @RegisterExtension static final Running running = new Running();
  private static Sluice sluice;

  @BeforeAll
  static void start() {
    SlowOrigin origin = running.slowOrigin();
    sluice = running.proxy(origin.port(), Http2Wire.h2c());
  }

  private static RawFrames connect(int... settings) {
    return Http2Wire.connect(running, sluice, settings);
  }

  /** What ends the connection, and with which code. */
  static Stream<Arguments> connectionErrors() {
    return Stream.of(
        row(
            "4.2 frame larger than SETTINGS_MAX_FRAME_SIZE",
            FRAME_SIZE_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).data(1, true, bytes(16_385))),
        row(
            "4.2 HEADERS larger than SETTINGS_MAX_FRAME_SIZE",
            FRAME_SIZE_ERROR,
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, bytes(16_385))),
        row(
            "4.3 header block interrupted by PRIORITY",
            PROTOCOL_ERROR,
            c -> begin(c).frame(PRIORITY, 0, 1, bytes(5))),
        row(
            "4.3 header block interrupted on another stream",
            PROTOCOL_ERROR,
            c -> begin(c).frame(CONTINUATION, END_HEADERS, 3, bytes(0))),
        row("4.3 header block interrupted by HEADERS", PROTOCOL_ERROR, c -> begin(c).get(3, "/")),
        row(
            "5.5 header block interrupted by an unknown frame",
            PROTOCOL_ERROR,
            c -> begin(c).frame(22, 0, 0, bytes(0))),
        row("6.1 DATA on stream 0", PROTOCOL_ERROR, c -> c.data(0, true, bytes(4))),
        row(
            "6.1 DATA with padding of its length",
            PROTOCOL_ERROR,
            c ->
                c.request(1, "POST", UPLOAD, false)
                    .frame(DATA, PADDED, 1, new byte[] {6, 1, 2, 3, 4, 5})),
        row(
            "6.1 padded DATA without a padding's length",
            FRAME_SIZE_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).frame(DATA, PADDED, 1, bytes(0))),
        row("6.2 HEADERS on stream 0", PROTOCOL_ERROR, c -> c.get(0, "/")),
        row(
            "6.2 HEADERS with padding longer than its payload",
            PROTOCOL_ERROR,
            c -> c.frame(HEADERS, END_HEADERS | PADDED, 1, new byte[] {17, 1, 2})),
        row(
            "6.2 HEADERS too short for its priority",
            FRAME_SIZE_ERROR,
            c -> c.frame(HEADERS, END_HEADERS | WITH_PRIORITY, 1, bytes(4))),
        row("6.3 PRIORITY on stream 0", PROTOCOL_ERROR, c -> c.frame(PRIORITY, 0, 0, bytes(5))),
        row("6.4 RST_STREAM on stream 0", PROTOCOL_ERROR, c -> c.reset(0, 8)),
        row("6.4 RST_STREAM on an idle stream", PROTOCOL_ERROR, c -> c.reset(1, 8)),
        row(
            "6.4 RST_STREAM of 3 bytes",
            FRAME_SIZE_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).frame(RST_STREAM, 0, 1, bytes(3))),
        row(
            "6.5 SETTINGS ACK with a payload",
            FRAME_SIZE_ERROR,
            c -> c.frame(SETTINGS, ACK, 0, bytes(6))),
        row(
            "6.5 SETTINGS on a stream",
            PROTOCOL_ERROR,
            c -> c.frame(SETTINGS, 0, 1, RawFrames.parameters(3, 100))),
        row("6.5 SETTINGS of 7 bytes", FRAME_SIZE_ERROR, c -> c.frame(SETTINGS, 0, 0, bytes(7))),
        row("6.5.2 ENABLE_PUSH of 2", PROTOCOL_ERROR, c -> c.settings(2, 2)),
        row(
            "6.5.2 INITIAL_WINDOW_SIZE of 2^31",
            FLOW_CONTROL_ERROR,
            c -> c.settings(4, Integer.MIN_VALUE)),
        row("6.5.2 MAX_FRAME_SIZE below 2^14", PROTOCOL_ERROR, c -> c.settings(5, 16_383)),
        row("6.5.2 MAX_FRAME_SIZE above 2^24-1", PROTOCOL_ERROR, c -> c.settings(5, 1 << 24)),
        row(
            "6.6 PUSH_PROMISE from a client",
            PROTOCOL_ERROR,
            c -> c.frame(PUSH_PROMISE, END_HEADERS, 1, bytes(4))),
        row("6.7 PING on a stream", PROTOCOL_ERROR, c -> c.frame(PING, 0, 1, bytes(8))),
        row("6.7 PING of 6 bytes", FRAME_SIZE_ERROR, c -> c.frame(PING, 0, 0, bytes(6))),
        row("6.8 GOAWAY on a stream", PROTOCOL_ERROR, c -> c.frame(GOAWAY, 0, 1, bytes(8))),
        row("6.8 GOAWAY of 4 bytes", FRAME_SIZE_ERROR, c -> c.frame(GOAWAY, 0, 0, bytes(4))),
        row("6.9 WINDOW_UPDATE by 0 on the connection", PROTOCOL_ERROR, c -> c.windowUpdate(0, 0)),
        row(
            "6.9 WINDOW_UPDATE of 3 bytes",
            FRAME_SIZE_ERROR,
            c -> c.frame(WINDOW_UPDATE, 0, 0, bytes(3))),
        row("6.9 WINDOW_UPDATE on an idle stream", PROTOCOL_ERROR, c -> c.windowUpdate(1, 10)),
        row(
            "6.9.1 connection window above 2^31-1",
            FLOW_CONTROL_ERROR,
            c -> c.windowUpdate(0, Integer.MAX_VALUE).windowUpdate(0, Integer.MAX_VALUE)),
        row(
            "6.9.2 a change of INITIAL_WINDOW_SIZE overflows a stream",
            FLOW_CONTROL_ERROR,
            c ->
                c.request(1, "POST", UPLOAD, false)
                    .windowUpdate(1, Integer.MAX_VALUE - 65_535)
                    .settings(4, Integer.MAX_VALUE)),
        row(
            "6.10 CONTINUATION on stream 0",
            PROTOCOL_ERROR,
            c -> begin(c).frame(CONTINUATION, END_HEADERS, 0, bytes(0))),
        row(
            "6.10 CONTINUATION behind a whole header block",
            PROTOCOL_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).frame(CONTINUATION, END_HEADERS, 1, bytes(0))),
        row(
            "6.10 CONTINUATION behind DATA",
            PROTOCOL_ERROR,
            c ->
                c.request(1, "POST", UPLOAD, false)
                    .data(1, false, bytes(1))
                    .frame(CONTINUATION, END_HEADERS, 1, bytes(0))),
        row(
            "6.10 CONTINUATION behind continued HEADERS that ended",
            PROTOCOL_ERROR,
            c ->
                begin(c)
                    .frame(CONTINUATION, END_HEADERS, 1, bytes(0))
                    .frame(CONTINUATION, END_HEADERS, 1, bytes(0))),
        row("5.1 DATA on an idle stream", PROTOCOL_ERROR, c -> c.data(1, true, bytes(1))),
        row(
            "5.1 CONTINUATION on an idle stream",
            PROTOCOL_ERROR,
            c -> c.frame(CONTINUATION, END_HEADERS, 1, bytes(1))),
        row("5.1.1 an even stream", PROTOCOL_ERROR, c -> c.get(2, "/")),
        row("5.1.1 a lower stream", PROTOCOL_ERROR, c -> c.get(5, "/?ms=50").get(3, "/")),
        row("5.1 HEADERS behind both ends", STREAM_CLOSED, c -> done(c).get(1, "/")),
        row("5.1 DATA behind both ends", STREAM_CLOSED, c -> done(c).data(1, true, bytes(1))),
        row(
            "5.1 CONTINUATION behind both ends",
            ANY,
            c -> done(c).frame(CONTINUATION, END_HEADERS, 1, bytes(1))));
  }

  /** HEADERS whose block goes on. */
  private static RawFrames begin(RawFrames client) {
    byte[] block =
        client.block(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a.example");
    return client.frame(HEADERS, END_STREAM, 1, block);
  }

  /** A stream that both sides ended. */
  private static RawFrames done(RawFrames client) {
    client.get(1, "/");
    assertThat(client.answer(1).status()).isEqualTo(200);
    return client;
  }

  private static Arguments row(String name, int code, Consumer<RawFrames> client) {
    return Arguments.of(name, code, client);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void connectionErrors(String name, int code, Consumer<RawFrames> sends) {
    RawFrames client = connect();

    sends.accept(client);

    RawFrames.Frame frame = client.await(GOAWAY);
    if (code != ANY) {
      assertThat(frame.code()).as(frame.toString()).isEqualTo(code);
    } else {
      assertThat(frame.code()).isIn(PROTOCOL_ERROR, STREAM_CLOSED);
    }
    while (client.next() != null) {
      // What was on its way.
    }
  }

  /** What ends one stream; the connection goes on. */
  static Stream<Arguments> streamErrors() {
    return Stream.of(
        row(
            "6.3 PRIORITY of 4 bytes",
            FRAME_SIZE_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).frame(PRIORITY, 0, 1, bytes(4))),
        row(
            "5.3.1 HEADERS that depends on itself",
            PROTOCOL_ERROR,
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | WITH_PRIORITY,
                    1,
                    joined(new byte[] {0, 0, 0, 1, 16}, block(c)))),
        row(
            "5.3.1 PRIORITY that depends on itself",
            PROTOCOL_ERROR,
            c ->
                c.request(1, "POST", UPLOAD, false)
                    .frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 1, 16})),
        row(
            "6.9 WINDOW_UPDATE by 0",
            PROTOCOL_ERROR,
            c -> c.request(1, "POST", UPLOAD, false).windowUpdate(1, 0)),
        row(
            "6.9.1 stream window above 2^31-1",
            FLOW_CONTROL_ERROR,
            c ->
                c.request(1, "POST", UPLOAD, false)
                    .windowUpdate(1, Integer.MAX_VALUE)
                    .windowUpdate(1, Integer.MAX_VALUE)),
        row(
            "5.1 half-closed (remote): DATA",
            STREAM_CLOSED,
            c -> c.get(1, "/?ms=3000").data(1, true, bytes(1))),
        row(
            "5.1 half-closed (remote): HEADERS",
            STREAM_CLOSED,
            c -> c.get(1, "/?ms=3000").get(1, "/")),
        row(
            "5.1 closed: DATA behind the client's reset",
            STREAM_CLOSED,
            c -> c.request(1, "POST", UPLOAD, false).reset(1, 8).data(1, true, bytes(1))),
        row(
            "5.1 closed: HEADERS behind the client's reset",
            STREAM_CLOSED,
            c -> c.request(1, "POST", UPLOAD, false).reset(1, 8).get(1, "/")));
  }

  private static byte[] block(RawFrames client) {
    return client.block(
        ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a.example");
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void streamErrors(String name, int code, Consumer<RawFrames> sends) {
    RawFrames client = connect();

    sends.accept(client);

    assertReset(client, 1, code);
  }

  /** What is allowed, odd as it looks. */
  static Stream<Arguments> fine() {
    return Stream.of(
        row("4.1 unknown frame", 0, c -> c.frame(22, 0xff, 0, bytes(8))),
        row("4.1 undefined flags", 0, c -> c.frame(PING, 0x16, 0, bytes(8))),
        row("4.1 reserved bit", 0, c -> c.frame(PING, 0, Integer.MIN_VALUE, bytes(8))),
        row(
            "4.2 DATA of 2^14 bytes",
            0,
            c -> c.request(1, "POST", UPLOAD, false).data(1, true, bytes(16_384))),
        row(
            "5.1 PRIORITY on an idle stream",
            0,
            c -> c.frame(PRIORITY, 0, 7, new byte[] {0, 0, 0, 3, 16})),
        row(
            "5.1 PRIORITY behind both ends",
            0,
            c -> done(c).frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 16})),
        row("5.1 WINDOW_UPDATE behind both ends", 0, c -> done(c).windowUpdate(1, 5)),
        row("5.1 RST_STREAM behind both ends", 0, c -> done(c).reset(1, 8)),
        row(
            "6.2 padded HEADERS with priority",
            0,
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | PADDED | WITH_PRIORITY,
                    1,
                    joined(joined(new byte[] {3, 0, 0, 0, 0, 16}, block(c)), bytes(3)))),
        row("6.5 empty SETTINGS", 0, c -> c.settings()),
        row("6.5.2 unknown parameter", 0, c -> c.settings(0xff, 7)),
        row("6.5.3 the last of several values holds", 0, c -> c.settings(4, 100, 4, 200)),
        row("6.7 unasked PING ACK", 0, c -> c.frame(PING, ACK, 0, bytes(8))),
        row("6.9 a large window", 0, c -> c.windowUpdate(0, 1 << 30)),
        row(
            "6.10 a block of several CONTINUATION frames",
            0,
            c ->
                begin(c)
                    .frame(CONTINUATION, 0, 1, c.block("x-a", "1"))
                    .frame(CONTINUATION, END_HEADERS, 1, c.block("x-b", "2"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void fine(String name, int unused, Consumer<RawFrames> sends) {
    RawFrames client = connect();

    sends.accept(client);

    assertThat(client.isAlive()).isTrue();
    assertThat(client.get(9, "/?bytes=5").answer(9).body()).hasSize(5);
  }
}
