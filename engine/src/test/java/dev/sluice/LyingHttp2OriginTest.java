package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.FrameOrigin.Frame;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Origins that lie in frames: 502 or a cut, never a tidy end (RFC 9113; H01, H02, C03, A04). */
class LyingHttp2OriginTest {

  @RegisterExtension static final Running running = new Running();

  private static final ProxyFile FILE = ProxyFile.plain().origin("http_version: http2");
  private static final int END = FrameOrigin.END_STREAM;

  /** The stream of a connection's first request: 1 is left to upgrades (RFC 9113 5.1.1). */
  private static final int FIRST = 3;

  private static final int PROTOCOL_ERROR = 1;
  private static final int INTERNAL_ERROR = 2;
  private static final int REFUSED_STREAM = 7;

  private static FrameOrigin origin(FrameOrigin.Script script, int... settings) {
    return running.closing(FrameOrigin.start(script, settings));
  }

  private static void ok(FrameOrigin.Connection connection, int stream) throws IOException {
    connection.headers(stream, 0, ":status", "200", "content-length", "2");
    connection.data(stream, END, "ok");
  }

  /** The first request gets what the case says, all others an answer on the same connection. */
  private static FrameOrigin firstGets(FrameOrigin.Script first) {
    return origin(
        (connection, stream, fields) -> {
          if (fields.path().toString().equals("/first")) {
            first.asked(connection, stream, fields);
          } else {
            ok(connection, stream);
          }
        });
  }

  // Heads.

  /** Name, value, name, value, … */
  record Head(String... fields) {
    static Head of(String... fields) {
      return new Head(fields);
    }
  }

  static Stream<Head> malformedHeads() {
    return Stream.of(
        Head.of("content-type", "text/plain"),
        Head.of(":status", "200", ":status", "200"),
        Head.of(":status", "20"),
        Head.of(":status", "999"),
        Head.of(":status", "2x0"),
        Head.of(":status", "101"),
        Head.of("x-a", "1", ":status", "200"),
        Head.of(":status", "200", ":path", "/"),
        Head.of(":status", "200", ":odd", "1"),
        Head.of(":status", "200", "connection", "close"),
        Head.of(":status", "200", "transfer-encoding", "chunked"),
        Head.of(":status", "200", "keep-alive", "5"),
        Head.of(":status", "200", "proxy-connection", "close"),
        Head.of(":status", "200", "upgrade", "h2c"),
        Head.of(":status", "200", "X-Upper", "1"),
        Head.of(":status", "200", "", "empty"),
        Head.of(":status", "200", "x a", "1"),
        Head.of(":status", "200", "x-a:", "1"),
        Head.of(":status", "200", "x-a", "b\r\nSet-Cookie: evil=1"),
        Head.of(":status", "200", "x-a\r\nset-cookie", "evil=1"),
        Head.of(":status", "200", "x-a", "a\0b"),
        Head.of(":status", "200", "x-a", " padded"),
        Head.of(":status", "200", "content-length", "+2"),
        Head.of(":status", "200", "content-length", "2", "content-length", "3"),
        Head.of(":status", "200", "content-length", "2, 3"));
  }

  /** H01, F04 mirrored: whatever two parties could read differently is refused, and alone. */
  @ParameterizedTest
  @MethodSource("malformedHeads")
  void h01_malformedHead_is502AndCostsItsStreamOnly(Head head) {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, head.fields());
              connection.data(stream, END, "ok");
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    RawResponse got = running.client(proxy).get("/first").readAll();
    assertThat(got.status()).isEqualTo(502);
    assertThat(got.head()).doesNotContainIgnoringCase("evil");
    assertThat(origin.connection(0).await(FrameOrigin.RST_STREAM, FIRST).number())
        .isEqualTo(PROTOCOL_ERROR);
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** RFC 9110 8.6: the same length said twice is one length; here nothing is framed by it. */
  @Test
  void lengthSaidTwice_isPassedOnOnce() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(
                  stream, 0, ":status", "200", "content-length", "2", "content-length", "2");
              connection.data(stream, END, "ok");
            });
    RawResponse got = running.clientBefore(origin.port(), FILE).get("/first").readAll();
    assertThat(got.headers("Content-Length")).containsExactly("2");
    assertThat(got.text()).isEqualTo("ok");
  }

  /** H09: a head over the limit is an answer that cannot be had, and costs its stream only. */
  @Test
  void h09_hugeHead_is502AndCostsItsStreamOnly() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              byte[] block = FrameOrigin.block(":status", "200", "link", "x".repeat(40_000));
              byte[] begin = java.util.Arrays.copyOf(block, 16_000);
              byte[] middle = java.util.Arrays.copyOfRange(block, 16_000, 32_000);
              byte[] end = java.util.Arrays.copyOfRange(block, 32_000, block.length);
              connection.frame(FrameOrigin.HEADERS, END, stream, begin);
              connection.frame(9, 0, stream, middle);
              connection.frame(9, FrameOrigin.END_HEADERS, stream, end);
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    assertThat(running.client(proxy).get("/first").readAll().status()).isEqualTo(502);
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** H02: interim heads pair nothing, and their number has a bound. */
  @Test
  void h02_interims_areBounded() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              for (int i = 0; i < 17; i++) {
                connection.headers(stream, 0, ":status", "103");
              }
              ok(connection, stream);
            });
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }

  @Test
  void interimThatEndsTheStream_is502() {
    FrameOrigin origin =
        firstGets((connection, stream, asked) -> connection.headers(stream, END, ":status", "103"));
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }

  @Test
  void dataBeforeTheHead_is502() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.data(stream, 0, "early");
              ok(connection, stream);
            });
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }

  // Bodies.

  /** C03 (a): END_STREAM short of the length is no end. */
  @Test
  void c03_bodyShortOfItsLength_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200", "content-length", "10");
              connection.data(stream, END, "12345");
            });
    // The codec finds the lie before it hands the bytes on.
    assertCut(origin, "");
  }

  /** C03 (d): bytes beyond the length are nobody's. */
  @Test
  void c03_bodyBeyondItsLength_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200", "content-length", "10");
              connection.data(stream, 0, "12345");
              connection.data(stream, END, "6789012345");
            });
    assertCut(origin, "12345");
  }

  @Test
  void c03_emptyAnswerWithALength_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) ->
                connection.headers(stream, END, ":status", "200", "content-length", "10"));
    assertCut(origin, "");
  }

  /** C03 (c): a reset or a lost connection in mid-body is a cut. */
  @Test
  void c03_resetInMidBody_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200");
              connection.data(stream, 0, "12345");
              connection.reset(stream, INTERNAL_ERROR);
            });
    assertCut(origin, "5\r\n12345\r\n");
  }

  @Test
  void c03_noErrorResetInMidBody_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200");
              connection.data(stream, 0, "12345");
              connection.reset(stream, 0);
            });
    assertCut(origin, "5\r\n12345\r\n");
  }

  @Test
  void c03_connectionLostInMidBody_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200");
              connection.data(stream, 0, "12345");
              connection.close();
            });
    assertCut(origin, "5\r\n12345\r\n");
  }

  private static void assertCut(FrameOrigin origin, String came) {
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readHead()).startsWith("HTTP/1.1 200 OK");
    assertThat(new String(client.readUntilClose(), StandardCharsets.ISO_8859_1)).isEqualTo(came);
  }

  /** A second field section in mid-body, or one with a pseudo-header, is no trailer section. */
  @Test
  void trailersThatAreNone_areACut() {
    for (String[] trailers : new String[][] {{":status", "200"}, {"connection", "close"}}) {
      FrameOrigin origin =
          firstGets(
              (connection, stream, asked) -> {
                connection.headers(stream, 0, ":status", "200");
                connection.data(stream, 0, "12345");
                connection.headers(stream, END, trailers);
              });
      assertCut(origin, "5\r\n12345\r\n");
    }
    FrameOrigin unended =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200");
              connection.data(stream, 0, "12345");
              connection.headers(stream, 0, "x-end", "1");
            });
    assertCut(unended, "5\r\n12345\r\n");
  }

  /** RFC 9110 9.3.2: whatever an origin makes of HEAD, its answer has no body. */
  @Test
  void bodyBehindAHead_isNobodys() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200", "content-length", "5");
              connection.data(stream, END, "12345");
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    RawClient client = running.client(proxy);
    client.send("HEAD /first HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readHead()).contains("content-length: 5");
    assertThat(client.readUntilClose()).isEmpty();
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
  }

  // What is tried again, and what is not.

  /** DEC-13, DEC-29: a refused stream was not looked at, so another attempt follows, once. */
  @ParameterizedTest
  @MethodSource("requests")
  void dec13_refusedStream_isAskedAgain(String request) {
    var refusals = new AtomicInteger();
    FrameOrigin origin =
        origin(
            (connection, stream, fields) -> {
              if (refusals.getAndIncrement() == 0) {
                connection.reset(stream, REFUSED_STREAM);
              } else {
                ok(connection, stream);
              }
            });
    RawClient client = running.clientBefore(origin.port(), FILE).send(request);
    assertThat(client.readAll().text()).isEqualTo("ok");
    assertThat(refusals.get()).isEqualTo(2);
  }

  static Stream<String> requests() {
    return Stream.of(
        "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  }

  /** RFC 9113 6.8: what is above a GOAWAY's stream was not looked at; what is below goes on. */
  @Test
  void dec13_goAway_aboveIsAskedAgain_belowGoesOn() {
    var asked = new AtomicInteger();
    FrameOrigin origin =
        origin(
            (connection, stream, fields) -> {
              switch (asked.getAndIncrement()) {
                case 0 -> connection.headers(stream, 0, ":status", "200", "content-length", "2");
                case 1 -> {
                  connection.goAway(FIRST, 0);
                  connection.data(FIRST, END, "ok");
                }
                default -> ok(connection, stream);
              }
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    RawClient first = running.client(proxy).get("/a");
    assertThat(first.readHead()).contains("200 OK");
    RawClient second = running.client(proxy);
    second.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    assertThat(second.readAll().text()).isEqualTo("ok");
    assertThat(first.readBody(2)).asString().isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(2);
    // Its last stream is over, so it is closed.
    origin.connection(0).awaitEnd();
  }

  /** DEC-50: after GOAWAY no new stream, though the connection is still open. */
  @Test
  void dec50_goAwayWhileIdle_noStreamFollows() {
    FrameOrigin origin =
        origin(
            (connection, stream, fields) -> {
              ok(connection, stream);
              connection.goAway(stream, 0);
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
      origin.connection(i).awaitEnd();
    }
    assertThat(origin.connections()).isEqualTo(3);
  }

  /** A04: whatever happens to a POST that may have been looked at, it is not sent twice. */
  @Test
  void a04_post_isNeverSentTwice() {
    for (FrameOrigin.Script end :
        new FrameOrigin.Script[] {
          (connection, stream, fields) -> connection.reset(stream, INTERNAL_ERROR),
          (connection, stream, fields) -> connection.reset(stream, 0),
          (connection, stream, fields) -> connection.close(),
          (connection, stream, fields) -> {
            connection.goAway(stream, 0);
            connection.close();
          },
          (connection, stream, fields) -> connection.headers(stream, 0, ":status", "0")
        }) {
      var asked = new AtomicInteger();
      FrameOrigin origin =
          origin(
              (connection, stream, fields) -> {
                if (asked.getAndIncrement() == 0) {
                  ok(connection, stream);
                } else {
                  end.asked(connection, stream, fields);
                }
              });
      Sluice proxy = running.proxy(origin.port(), FILE);
      assertThat(running.client(proxy).get("/warm").readAll().text()).isEqualTo("ok");
      RawClient client = running.client(proxy);
      client.send("POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
      assertThat(client.readAll().status()).isEqualTo(502);
      assertThat(asked.get()).isEqualTo(2);
    }
  }

  /** H04: an answer before the request's end is the answer; the rest of the upload goes nowhere. */
  @Test
  void h04_earlyAnswer_reachesTheUploader() {
    FrameOrigin origin =
        origin(
            (connection, stream, fields) ->
                connection.headers(stream, END, ":status", "413", "content-length", "0"));
    RawClient client = running.clientBefore(origin.port(), FILE);
    client.send(
        "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n" + "z".repeat(100_000));
    assertThat(client.readHead()).startsWith("HTTP/1.1 413");
    assertThat(origin.connection(0).await(FrameOrigin.RST_STREAM, FIRST).number()).isZero();
  }

  // Connections.

  /** RFC 9113 5.4.1: what breaks the connection fails all that was on it. */
  @Test
  void brokenConnection_failsItsRequestsAndIsReplaced() {
    FrameOrigin origin =
        firstGets((connection, stream, asked) -> connection.data(0, 0, "on no stream"));
    Sluice proxy = running.proxy(origin.port(), FILE);
    assertThat(running.client(proxy).get("/first").readAll().status()).isEqualTo(502);
    origin.connection(0).await(FrameOrigin.GOAWAY, 0);
    origin.connection(0).awaitEnd();
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(2);
    assertThat(proxy.status().upstreams().get(0).connections()).isEqualTo(1);
  }

  @Test
  void pushedStreams_areRefused() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              byte[] promise =
                  io.netty.buffer.ByteBufUtil.getBytes(
                      Unpooled.wrappedBuffer(
                          new byte[] {0, 0, 0, 2},
                          FrameOrigin.block(
                              ":method",
                              "GET",
                              ":scheme",
                              "http",
                              ":path",
                              "/p",
                              ":authority",
                              "a")));
              connection.frame(FrameOrigin.PUSH_PROMISE, FrameOrigin.END_HEADERS, stream, promise);
              ok(connection, stream);
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    assertThat(running.client(proxy).get("/first").readAll().status()).isEqualTo(502);
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
  }

  /** An upstream that lets nobody in, and one that never says so. */
  @Test
  void upstreamWithoutStreams_is503() {
    FrameOrigin origin = origin((connection, stream, fields) -> ok(connection, stream), 3, 0);
    RawClient client = running.clientBefore(origin.port(), FILE).get("/x");
    assertThat(client.readAll().status()).isEqualTo(503);
  }

  /** DEC-50: a window per stream, refilled as its reader takes it; the connection's at once. */
  @Test
  void dec50_windows_areAStreamsOwn() {
    FrameOrigin origin = origin((connection, stream, fields) -> ok(connection, stream));
    assertThat(running.clientBefore(origin.port(), FILE).get("/x").readAll().text())
        .isEqualTo("ok");
    Frame settings = origin.connection(0).await(FrameOrigin.SETTINGS, 0);
    var parameters = Unpooled.wrappedBuffer(settings.payload());
    int window = 0;
    int push = 1;
    while (parameters.isReadable()) {
      int id = parameters.readUnsignedShort();
      int value = parameters.readInt();
      window = id == 4 ? value : window;
      push = id == 2 ? value : push;
    }
    assertThat(window).isEqualTo(64 * 1024);
    assertThat(push).isZero();
  }

  /** DEC-50: a connection that says nothing is asked, and given up when it does not answer. */
  @Test
  void dec50_silentConnection_isPingedAndGivenUp() {
    var ticker = new MovedTicker();
    FrameOrigin origin = origin((connection, stream, fields) -> {}).withoutPingAnswers();
    Sluice proxy =
        running.proxy(
            origin.port(),
            FILE.block("timeouts: { origin_idle: 50ms, origin_response: 300s }"),
            ticker);
    RawClient client = running.client(proxy).get("/x");
    origin.connection(0).await(FrameOrigin.HEADERS, FIRST);
    // Little by little: what the origin said last may be heard only now.
    Running.await(
        "ping",
        () -> {
          ticker.advance(Duration.ofMillis(20));
          return !origin.connection(0).frames(FrameOrigin.PING).isEmpty();
        });
    ticker.advance(Duration.ofSeconds(21));
    assertThat(client.readAll().status()).isEqualTo(504);
    origin.connection(0).awaitEnd();
  }
}
