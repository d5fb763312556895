package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.Machine;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.Strictness;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.net.NetSettings.TransportChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets through the proxy, from raw bytes (PRX-14 to PRX-18, DEC-41, W01, W03, W04). */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class WebSocketTest {

  @RegisterExtension static final Running running = new Running();

  private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
  private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  private static final String SHAKE =
      "GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
          + KEY
          + "\r\nSec-WebSocket-Protocol: chat.v2\r\n\r\n";
  private static final String AGREED =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + ACCEPT
          + "\r\nSec-WebSocket-Protocol: chat.v2\r\n\r\n";
  private static final String DENIED =
      "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\nX-Why: no\r\n\r\nnope";

  /** A masked text frame "hi", and what an echo says of it (RFC 6455 5.7). */
  private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

  private static final byte[] ECHO = {(byte) 0x81, 2, 'h', 'i'};

  private static final long MORE_THAN_SOCKETS_TAKE = 256L << 20;

  private final ProxyFile off;
  private final ProxyFile on;

  WebSocketTest(TransportChoice transport) {
    off = ProxyFile.plain().transport(transport);
    on = upgrades(off, 100);
  }

  private static ProxyFile upgrades(ProxyFile file, int most) {
    return file.block("upgrade: { enabled: true, max_concurrent: " + most + " }");
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
    assertThat(origin.connection(0).receivedText().toLowerCase(java.util.Locale.ROOT))
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

  // Half-close, and its end.

  /** T07: a FIN is a FIN, in one direction. */
  @Test
  void t07_clientHalfCloses_theOriginMaySpeakOn() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(AGREED).readUntilClose().write("bye").close());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    client.send("last words").halfClose();
    assertThat(client.readUntilClose()).asString().isEqualTo("bye");
    assertThat(origin.connection(0).receivedText()).endsWith("last words");
    Running.await("no socket", () -> open(proxy) == 0);
  }

  @Test
  void t07_originHalfCloses_theClientMaySpeakOn() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(AGREED + "bye").halfClose().readUntilClose());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    assertThat(client.readUntilClose()).asString().isEqualTo("bye");
    assertThat(open(proxy)).isEqualTo(1);
    client.send("last words").close();
    origin.connection(0).awaitReceived("last words");
    Running.await("no socket", () -> open(proxy) == 0);
  }

  @Test
  void clientResets_theOriginIsLeft() {
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(AGREED).readUntilClose());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    client.reset();
    origin.connection(0).awaitScriptOver();
    Running.await("no socket", () -> open(proxy) == 0);
  }

  @Test
  void originResets_theClientIsLeft() {
    var heard = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(AGREED).await(heard).reset());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    heard.countDown();
    client.awaitEnd();
    Running.await("no socket", () -> open(proxy) == 0);
  }

  /** An origin that is gone takes no words, also where it had said its last before. */
  @Test
  void originResetsBehindItsFin_theClientIsLeft() {
    var heard = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(AGREED + "bye").halfClose().await(heard).reset());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    assertThat(client.readUntilClose()).asString().isEqualTo("bye");
    heard.countDown();
    var sent = new AtomicLong();
    sendWithoutEnd(client, sent);
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

  // Its ceiling.

  /** PRX-16, DEC-10. */
  @Test
  void prx16_overItsCeiling_is503WithRetryAfter() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), upgrades(off, 2));
    List<RawClient> open = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      open.add(running.client(proxy).send(SHAKE));
      assertThat(open.get(i).readHead()).startsWith("HTTP/1.1 101");
    }
    RawResponse refused = running.client(proxy).send(SHAKE).readAll();
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isNotNull();
    // The client may have its 101 before the origin has counted the socket.
    Running.await("2 sockets", () -> origin.stats().socketsTotal() == 2);

    open.get(0).close();
    Running.await("room", () -> open(proxy) == 1);
    assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
  }

  /** PRX-16: sockets are counted, and not what the route's renders weigh. */
  @Test
  void prx16_weightOfTheRoute_countsForNothing() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            upgrades(off, 3).block("routes: [ { id: all, match: \"/**\", weight: 4 } ]"));

    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
    }

    assertThat(running.client(proxy).send(SHAKE).readAll().status()).isEqualTo(503);
    assertThat(open(proxy)).isEqualTo(3);
  }

  /** PRX-17: neither a permit nor, once it is a tunnel, a place of the pool's connections. */
  @Test
  void prx17_socketsAtTheirCeiling_pagesAreServed() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            upgrades(off.origin("concurrency: { max: 1 }").origin("max_connections: 1"), 3));
    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
    }
    assertThat(running.client(proxy).get("/page?bytes=10").readAll().status()).isEqualTo(200);
    assertThat(Running.granted(proxy, "render")).isEqualTo(1);
    String metrics = new Operator(running, proxy).metrics();
    assertThat(metrics)
        .contains("sluice_upgrades_open 3.0")
        .contains("sluice_upgrades_limit 3.0")
        .contains("sluice_origin_in_flight{permit=\"render\"} 0.0");
  }

  /** PRX-18: an override of everything else is none of this. */
  @Test
  void prx18_onAPublicOverrideRoute_isNeitherCachedNorShared() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            on.block("cache: { enabled: true }")
                .block(
                    "routes: [{ id: all, match: /**, class: public_ssr, cache: { override_origin:"
                        + " true, ttl: { max: 60s } } }]"));
    for (int i = 0; i < 2; i++) {
      RawClient client = running.client(proxy).send(SHAKE).send(HI);
      assertThat(client.readHead()).startsWith("HTTP/1.1 101");
      assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    }
    Running.await("2 sockets", () -> origin.stats().socketsTotal() == 2);
    assertThat(proxy.status().cache().entries()).isZero();
    assertThat(proxy.status().work().boardable()).isZero();
  }

  // Pace.

  /** Neither side's stall is paid for with memory. */
  @Test
  void clientThatDoesNotRead_pausesTheOrigin() {
    byte[] much = new byte[32 << 20];
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(AGREED).write(much));
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.slowReader(proxy, 4096).send(SHAKE);
    client.readHead();
    pausesWithoutHoarding(proxy);
    assertThat(client.readBody(much.length)).hasSize(much.length);
  }

  @Test
  void originThatDoesNotRead_pausesTheClient() throws InterruptedException {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(AGREED));
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    var sent = new AtomicLong();
    var sender = new Thread(() -> sendWithoutEnd(client, sent));
    sender.start();
    long before = -1;
    while (before != sent.get()) {
      before = sent.get();
      pausesWithoutHoarding(proxy);
    }
    // The client could leave only behind what it said; the origin leaves at once.
    origin.close();
    sender.join();
    Running.await("no socket", () -> open(proxy) == 0);
  }

  private static void sendWithoutEnd(RawClient client, AtomicLong sent) {
    byte[] piece = new byte[64 << 10];
    try {
      while (sent.get() < MORE_THAN_SOCKETS_TAKE) {
        client.send(piece);
        sent.addAndGet(piece.length);
      }
      throw new AssertionError("somebody took " + sent + " bytes");
    } catch (UncheckedIOException closed) {
      // The test has seen enough.
      return;
    }
  }

  /** Asks through the same loop, so that what had come was passed on or left in its socket. */
  private static void pausesWithoutHoarding(Sluice proxy) {
    for (int i = 0; i < 20; i++) {
      running.client(proxy).send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").readAll();
      assertThat(proxy.status().memory().directUsed()).isLessThan(24 << 20);
    }
  }

  /** W03: idle is when nothing moves in either direction, however long one of them is still. */
  @Test
  void w03_nothingMovesForClientIdle_isCut() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), on.block("timeouts: { client_idle: 300ms }"));
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    client.send(HI);
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
    Running.await("origin left", () -> origin.stats().socketsNow() == 0);
  }

  // Reload, stop, log.

  /** The worked example of docs/OPERATIONS.md. */
  @Test
  void operationsExample_isAConfigurationThatWorks() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "OPERATIONS.md"));
    int from = page.indexOf("# websockets.yaml");
    String example = page.substring(from, page.indexOf("```", from));
    SettingsResult result =
        new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN).read("example", example);
    assertThat(result).isInstanceOf(SettingsResult.Accepted.class);
  }

  /** W04: a reload is none of a tunnel's business. */
  @Test
  void w04_reload_leavesTunnelsAlone() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    for (int i = 0; i < 50; i++) {
      proxy.reload(Running.settings(origin.port(), upgrades(off, 50 + i)));
    }
    client.send(HI);
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
  }

  /** W04: at the end of the stop both sides get their FIN. */
  @Test
  void w04_stop_endsTunnelsWithAFin() {
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(AGREED).readUntilClose());
    Sluice proxy = running.proxy(origin.port(), on);
    RawClient client = running.client(proxy).send(SHAKE);
    client.readHead();
    proxy.stop(Duration.ofMillis(50));
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).hasClientClosed()).isTrue();
  }

  @Test
  void accessLine_tellsBytesBothWaysAndTheEnding(@TempDir Path directory) throws IOException {
    Path log = directory.resolve("access.log");
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), on.accessLog(log.toString()));
    RawClient client = running.client(proxy).send(SHAKE).send(HI);
    client.readHead();
    client.readBody(ECHO.length);
    client.halfClose();
    client.awaitEnd();
    Running.await("line", () -> text(log).contains("\"class\":\"upgrade\""));
    assertThat(text(log))
        .contains("\"status\":101")
        .contains("\"bytes\":" + ECHO.length)
        .contains("\"bytes_received\":" + HI.length)
        .contains("\"cause\":\"complete\"");
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int open(Sluice proxy) {
    return Objects.requireNonNull(proxy.status().admissions().get("upgrade")).global().inFlight();
  }
}
