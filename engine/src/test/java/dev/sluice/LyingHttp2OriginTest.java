package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Origins that lie in the heads of HTTP/2: 502, and the stream alone (RFC 9113 8; H01, H02, H09).
 */
class LyingHttp2OriginTest {

  @RegisterExtension static final Running running = new Running();

  private static final ProxyFile FILE = ProxyFile.plain().origin("http_version: http2");

  private static FrameOrigin firstGets(FrameOrigin.Script first) {
    return running.closing(FrameOrigin.start(FrameScripts.firstGets(first)));
  }

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
              connection.data(stream, FrameOrigin.END_STREAM, "ok");
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    RawResponse got = running.client(proxy).get("/first").readAll();
    assertThat(got.status()).isEqualTo(502);
    assertThat(got.head()).doesNotContainIgnoringCase("evil");
    assertThat(origin.connection(0).await(FrameOrigin.RST_STREAM, FrameScripts.FIRST).number())
        .isEqualTo(Http2Wire.PROTOCOL_ERROR);
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
              connection.data(stream, FrameOrigin.END_STREAM, "ok");
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
              byte[] begin = Arrays.copyOf(block, 16_000);
              byte[] middle = Arrays.copyOfRange(block, 16_000, 32_000);
              byte[] end = Arrays.copyOfRange(block, 32_000, block.length);
              connection.frame(FrameOrigin.HEADERS, FrameOrigin.END_STREAM, stream, begin);
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
              FrameScripts.ok(connection, stream);
            });
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }

  @Test
  void interimThatEndsTheStream_is502() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) ->
                connection.headers(stream, FrameOrigin.END_STREAM, ":status", "103"));
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }

  @Test
  void dataBeforeTheHead_is502() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.data(stream, 0, "early");
              FrameScripts.ok(connection, stream);
            });
    RawClient client = running.clientBefore(origin.port(), FILE).get("/first");
    assertThat(client.readAll().status()).isEqualTo(502);
  }
}
