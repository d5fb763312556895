package dev.sluice;

import static dev.sluice.WebSockets.AGREED;
import static dev.sluice.WebSockets.ECHO;
import static dev.sluice.WebSockets.HI;
import static dev.sluice.WebSockets.SHAKE;
import static dev.sluice.WebSockets.open;
import static dev.sluice.WebSockets.upgrades;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an open WebSocket carries, how it is paced, and how it ends (DEC-41, T07, W03, W04). */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class WebSocketTunnelTest {

  @RegisterExtension static final Running running = new Running();

  private static final long MORE_THAN_SOCKETS_TAKE = 256L << 20;

  private final ProxyFile off;
  private final ProxyFile on;

  WebSocketTunnelTest(TransportChoice transport) {
    off = ProxyFile.plain().transport(transport);
    on = upgrades(off, 100);
  }

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
}
