package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.net.BindFailure;
import dev.sluice.net.NetSettings.TransportChoice;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client's raw bytes get, through a real proxy, from an origin that counts. */
@ParameterizedClass
@EnumSource(TransportChoice.class)
class ClientWireTest {

  @RegisterExtension static final Running running = new Running();
  private static SlowOrigin origin;
  private final Sluice sluice;

  ClientWireTest(TransportChoice transport) {
    sluice = running.proxy(origin.port(), ProxyFile.plain().transport(transport));
  }

  @BeforeAll
  static void start() {
    origin = running.slowOrigin();
  }

  @Test
  void pipelinedRequests_areAnsweredInOrder() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send(
          "GET /one?bytes=10&ms=80 HTTP/1.1\r\nHost: a\r\n\r\n"
              + "GET /two?bytes=20 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/one", 10));
      assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/two", 20));
    }
  }

  @Test
  void bigBody_arrivesWholeInEitherFraming() {
    for (String framing : new String[] {"length", "chunked", "close"}) {
      try (var client = RawClient.connect(sluice.port())) {
        client.get("/big?bytes=3000000&framing=" + framing);
        assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/big", 3_000_000));
      }
    }
  }

  @Test
  void head_keepsTheLengthAndHasNoBody() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send("HEAD /x?bytes=1234 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.readHead()).containsIgnoringCase("\r\nContent-Length: 1234\r\n");
      assertThat(client.get("/y?bytes=3").readAll().body()).isEqualTo(Bodies.expected("/y", 3));
    }
  }

  @Test
  void upload_largerThanTheReadAhead_reachesTheOriginWhole() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send("POST /up?upload=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
      client.send("z".repeat(1_000_000));
      assertThat(client.readAll().text()).contains("1000000");
    }
  }

  @Test
  void http10_getsACloseAndNoChunks() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send("GET /x?bytes=500&framing=chunked HTTP/1.0\r\nHost: a\r\n\r\n");
      assertThat(client.readHead())
          .contains("\r\nConnection: close\r\n")
          .doesNotContain("Transfer-Encoding");
      assertThat(client.readUntilClose()).isEqualTo(Bodies.expected("/x", 500));
    }
  }

  @Test
  void forwardedIdentity_isReplacedNeverAppended() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send(
          "GET /x?echo=1 HTTP/1.1\r\nHost: shop.test\r\nX-Forwarded-For: 6.6.6.6\r\n"
              + "X-Forwarded-Host: evil\r\nForwarded: for=6.6.6.6\r\nx-middleware-subrequest: a\r\n"
              + "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings, Cookie\r\nCookie: a=b\r\n\r\n");
      String seen = client.readAll().text();
      assertThat(seen)
          .contains("127.0.0.1")
          .contains("shop.test")
          .contains("a=b")
          .doesNotContain("6.6.6.6")
          .doesNotContain("evil")
          .doesNotContainIgnoringCase("x-middleware")
          .doesNotContainIgnoringCase("h2c");
    }
  }

  @Test
  void dec46_refusals_haveTheirStatusAndClose() {
    String[][] cases = {
      {"GET / HTTP/1.1\r\n\r\n", "400"},
      {"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", "405"},
      {"GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: a\r\n\r\n", "414"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(40_000) + "\r\n\r\n", "431"},
      {"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "501"},
      {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "204"}
    };
    for (String[] row : cases) {
      try (var client = RawClient.connect(sluice.port())) {
        assertThat(client.send(row[0]).readHead()).startsWith("HTTP/1.1 " + row[1] + " ");
      }
    }
  }

  @Test
  void expectContinue_isTheOriginsToAnswer() {
    try (var client = RawClient.connect(sluice.port())) {
      client.send(
          "POST /up?upload=1 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 100 ");
      client.send("abc");
      assertThat(client.readAll().status()).isEqualTo(200);
    }
  }

  @Test
  void portInUse_isOneClearLine() {
    ProxyFile taken = ProxyFile.plain().listen(sluice.port());
    assertThatThrownBy(() -> Running.start(origin.port(), taken).close())
        .cause()
        .isInstanceOf(BindFailure.class)
        .hasMessageContaining("127.0.0.1:" + sluice.port())
        .hasMessageNotContaining("\n");
  }
}
