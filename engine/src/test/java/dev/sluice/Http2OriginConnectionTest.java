package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.FrameOrigin.Frame;
import dev.sluice.fixture.RawClient;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections of HTTP/2 to origins: what breaks them, what each stream has of its own (DEC-50). */
class Http2OriginConnectionTest {

  @RegisterExtension static final Running running = new Running();

  private static final ProxyFile FILE = ProxyFile.plain().origin("http_version: http2");

  private static FrameOrigin origin(FrameOrigin.Script script, int... settings) {
    return running.closing(FrameOrigin.start(script, settings));
  }

  private static FrameOrigin firstGets(FrameOrigin.Script first) {
    return running.closing(FrameOrigin.start(FrameScripts.firstGets(first)));
  }

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
              FrameScripts.ok(connection, stream);
            });
    Sluice proxy = running.proxy(origin.port(), FILE);
    assertThat(running.client(proxy).get("/first").readAll().status()).isEqualTo(502);
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("ok");
  }

  /** An upstream that lets nobody in, and one that never says so. */
  @Test
  void upstreamWithoutStreams_is503() {
    FrameOrigin origin =
        origin((connection, stream, fields) -> FrameScripts.ok(connection, stream), 3, 0);
    RawClient client = running.clientBefore(origin.port(), FILE).get("/x");
    assertThat(client.readAll().status()).isEqualTo(503);
  }

  /** DEC-50: a window per stream, refilled as its reader takes it; the connection's at once. */
  @Test
  void dec50_windows_areAStreamsOwn() {
    FrameOrigin origin =
        origin((connection, stream, fields) -> FrameScripts.ok(connection, stream));
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
    origin.connection(0).await(FrameOrigin.HEADERS, FrameScripts.FIRST);
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
