package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which attempts over HTTP/2 are made again, and which never (DEC-13, DEC-29, DEC-50; A04). */
class Http2OriginRetryTest {

  @RegisterExtension static final Running running = new Running();

  private static final ProxyFile FILE = ProxyFile.plain().origin("http_version: http2");

  private static FrameOrigin origin(FrameOrigin.Script script) {
    return running.closing(FrameOrigin.start(script));
  }

  /** DEC-13, DEC-29: a refused stream was not looked at, so another attempt follows, once. */
  @ParameterizedTest
  @MethodSource("requests")
  void dec13_refusedStream_isAskedAgain(String request) {
    var refusals = new AtomicInteger();
    FrameOrigin origin =
        origin(
            (connection, stream, fields) -> {
              if (refusals.getAndIncrement() == 0) {
                connection.reset(stream, Http2Wire.REFUSED_STREAM);
              } else {
                FrameScripts.ok(connection, stream);
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
                  connection.goAway(FrameScripts.FIRST, 0);
                  connection.data(FrameScripts.FIRST, FrameOrigin.END_STREAM, "ok");
                }
                default -> FrameScripts.ok(connection, stream);
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
              FrameScripts.ok(connection, stream);
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
          (connection, stream, fields) -> connection.reset(stream, Http2Wire.INTERNAL_ERROR),
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
                  FrameScripts.ok(connection, stream);
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
                connection.headers(
                    stream, FrameOrigin.END_STREAM, ":status", "413", "content-length", "0"));
    RawClient client = running.clientBefore(origin.port(), FILE);
    client.send(
        "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n" + "z".repeat(100_000));
    assertThat(client.readHead()).startsWith("HTTP/1.1 413");
    assertThat(origin.connection(0).await(FrameOrigin.RST_STREAM, FrameScripts.FIRST).number())
        .isZero();
  }
}
