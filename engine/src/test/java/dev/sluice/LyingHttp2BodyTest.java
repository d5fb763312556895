package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Origins that lie in the bodies of HTTP/2: a cut, never a tidy end (RFC 9113 8.1; C03). */
class LyingHttp2BodyTest {

  @RegisterExtension static final Running running = new Running();

  private static final ProxyFile FILE = ProxyFile.plain().origin("http_version: http2");

  private static FrameOrigin firstGets(FrameOrigin.Script first) {
    return running.closing(FrameOrigin.start(FrameScripts.firstGets(first)));
  }

  /** C03 (a): END_STREAM short of the length is no end. */
  @Test
  void c03_bodyShortOfItsLength_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) -> {
              connection.headers(stream, 0, ":status", "200", "content-length", "10");
              connection.data(stream, FrameOrigin.END_STREAM, "12345");
            });
    // The lie is found before the bytes are handed on.
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
              connection.data(stream, FrameOrigin.END_STREAM, "6789012345");
            });
    assertCut(origin, "12345");
  }

  @Test
  void c03_emptyAnswerWithALength_isCutShort() {
    FrameOrigin origin =
        firstGets(
            (connection, stream, asked) ->
                connection.headers(
                    stream, FrameOrigin.END_STREAM, ":status", "200", "content-length", "10"));
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
              connection.reset(stream, Http2Wire.INTERNAL_ERROR);
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
                connection.headers(stream, FrameOrigin.END_STREAM, trailers);
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
              connection.data(stream, FrameOrigin.END_STREAM, "12345");
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    RawClient client = running.client(proxy);
    client.send("HEAD /first HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readHead()).contains("content-length: 5");
    assertThat(client.readUntilClose()).isEmpty();
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
  }
}
