package dev.sluice;

import static dev.sluice.WebSockets.ACCEPT;
import static dev.sluice.WebSockets.AGREED;
import static dev.sluice.WebSockets.DENIED;
import static dev.sluice.WebSockets.ECHO;
import static dev.sluice.WebSockets.HI;
import static dev.sluice.WebSockets.KEY;
import static dev.sluice.WebSockets.SHAKE;
import static dev.sluice.WebSockets.open;
import static dev.sluice.WebSockets.upgrades;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.net.NetSettings.TransportChoice;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes of WebSockets, from raw bytes (PRX-14, PRX-15, DEC-41, W01, W03). */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class WebSocketTest {

  @RegisterExtension static final Running running = new Running();

  private final ProxyFile off;
  private final ProxyFile on;

  WebSocketTest(TransportChoice transport) {
    off = ProxyFile.plain().transport(transport);
    on = upgrades(off, 100);
  }

  private RawClient shaken(int originPort) {
    return running.clientBefore(originPort, on).send(SHAKE);
  }

  // Off, and what counts as a handshake.

  @Test
  void prx14_offByDefault_is501() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), off).send(SHAKE);
    assertThat(client.readAll().status()).isEqualTo(501);
    assertThat(origin.stats().connectionsTotal()).isZero();
  }

  /** DEC-41: whatever else asks for a change of protocols is served as if it had not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Content-Length: 3\r\n\r\nabc",
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Content-Length: 3\r\n\r\nabc"
      })
  void w01_noHandshake_isServedWithoutItsUpgrade(String request) {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().answer("plain"));
    RawResponse got = running.clientBefore(origin.port(), on).send(request).readAll();
    assertThat(got.text()).isEqualTo("plain");
    assertThat(origin.connection(0).receivedText().toLowerCase(Locale.ROOT))
        .doesNotContain("upgrade:")
        .doesNotContain("http2-settings")
        .doesNotContain("connection:");
  }

  // The handshake.

  @Test
  void prx15_handshake_passesWithItsOwnFieldsBothWays() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(AGREED));
    String head = shaken(origin.port()).readHead();
    assertThat(head)
        .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
        .contains("Sec-WebSocket-Accept: " + ACCEPT)
        .contains("Sec-WebSocket-Protocol: chat.v2")
        .containsOnlyOnce("Upgrade: websocket\r\n")
        .containsOnlyOnce("Connection: Upgrade\r\n");
    assertThat(origin.connection(0).receivedText())
        .containsOnlyOnce("Upgrade: websocket\r\n")
        .containsOnlyOnce("Connection: Upgrade\r\n")
        .contains("Sec-WebSocket-Key: " + KEY)
        .contains("Sec-WebSocket-Version: 13")
        .contains("X-Forwarded-For: 127.0.0.1");
  }

  /** With frames right behind the handshake, which is what a client in a hurry does. */
  @Test
  void prx15_echo_worksThroughARealOrigin() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = shaken(origin.port()).send(HI);
    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    client.send(HI).send(HI);
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    assertThat(origin.stats().socketsNow()).isEqualTo(1);
    client.send(new byte[] {(byte) 0x88, (byte) 0x80, 1, 2, 3, 4});
    assertThat(client.readBody(2)).isEqualTo(new byte[] {(byte) 0x88, 0});
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  @Test
  void originSpeaksFirst_nothingIsLost() {
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(AGREED + "greeting"));
    RawClient client = shaken(origin.port());
    client.readHead();
    assertThat(client.readBody(8)).asString().isEqualTo("greeting");
  }

  /** W01: what a client sends behind a handshake is held back until the origin has agreed. */
  @Test
  void w01_bytesBehindTheHandshake_waitForThe101() {
    var agree = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().await(agree).write(AGREED).readBytes(5));
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE + "early");
    origin.connection(0).awaitReceived("\r\n\r\n");
    // One loop serves both: once this was answered, the early bytes were looked at.
    running.client(proxy).send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").readAll();
    assertThat(origin.connection(0).receivedText()).endsWith("\r\n\r\n");
    agree.countDown();
    client.readHead();
    origin.connection(0).awaitReceived("early");
  }

  /** W01: without a 101 there is no tunnel; what stands behind is the next request. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnope", DENIED})
  void w01_refusedHandshake_isAnOrdinaryAnswer(String answer) {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(answer).readUntilClose(),
            TrickScript.begin().readHead().answer("next"));
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client =
        running.client(proxy).send(SHAKE + "GET /admin HTTP/1.1\r\nHost: shop\r\n\r\n");
    assertThat(client.readAll().text()).isEqualTo("nope");
    assertThat(client.readAll().text()).isEqualTo("next");
    // Whatever the origin makes of a handshake that it refused, no other request meets it.
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(1).receivedText())
        .contains("GET /admin HTTP/1.1\r\nHost: shop")
        .contains("X-Forwarded-Host: shop");
    Running.await("no socket", () -> open(proxy) == 0);
  }

  /** W01: a 101 that does not answer this handshake opens nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\n",
        "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + ACCEPT + "\r\n",
        "Upgrade: websocket\r\nSec-WebSocket-Accept: " + ACCEPT + "\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + ACCEPT
            + "\r\nSec-WebSocket-Accept: "
            + ACCEPT
            + "\r\n"
      })
  void w01_wrong101_is502AndNoTunnel(String fields) {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n")
                .readUntilClose());
    RawClient client = shaken(origin.port()).send("GET /admin HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readAll().status()).isEqualTo(502);
    assertThat(origin.connection(0).receivedText()).doesNotContain("GET /admin");
  }

  /** W03: an origin that says nothing is not waited for without end. */
  @Test
  void w03_silentOrigin_is504() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy = running.proxy(origin.port(), on.block("timeouts: { origin_response: 200ms }"));
    RawClient client = running.client(proxy).send(SHAKE);
    assertThat(client.readAll().status()).isEqualTo(504);
    Running.await("no socket", () -> open(proxy) == 0);
  }

  /** A client that leaves before the 101 has nobody to open a tunnel for. */
  @Test
  void clientLeavesBeforeThe101_theOriginIsLeftAtOnce() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    origin.connection(0).awaitReceived("\r\n\r\n");
    client.reset();
    origin.connection(0).awaitScriptOver();
    Running.await("no socket", () -> open(proxy) == 0);
  }
}
