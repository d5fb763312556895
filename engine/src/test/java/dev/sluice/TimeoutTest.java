package dev.sluice;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** DEC-04 and DEC-32: each timeout ends what it watches, and only while that party owes. */
class TimeoutTest {

  @RegisterExtension static final Running running = new Running();

  // The client owes.

  @Test
  void clientHeader_partialHead_is408AndClosed() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), timeouts("client_header: 200ms"));

    client.send("GET / HTTP/1.1\r\nHo");

    assertThat(client.readAll().status()).isEqualTo(408);
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  /** A10: bytes that come one by one do not put the end off. */
  @Test
  void a10_dribbledHead_is408InTime() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), timeouts("client_header: 300ms"));

    client.send("GET / HTTP/1.1\r\nX: ");
    dribble(client);

    assertThat(client.readHead()).startsWith("HTTP/1.1 408 ");
    assertThat(origin.stats().requests()).isZero();
  }

  /** A10: sockets that never send cost nobody anything for long. */
  @Test
  void a10_silentConnections_areClosedWithoutAWord() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), timeouts("client_header: 200ms"));
    RawClient[] silent = new RawClient[100];
    for (int i = 0; i < silent.length; i++) {
      silent[i] = running.client(proxy);
    }
    for (RawClient client : silent) {
      assertThat(client.readUntilClose()).isEmpty();
    }
  }

  @Test
  void clientIdle_betweenRequests_closes() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), timeouts("client_idle: 200ms"));

    assertThat(client.get("/x?bytes=3").readAll().status()).isEqualTo(200);

    assertThat(client.readUntilClose()).isEmpty();
  }

  @Test
  void clientBody_standsStill_is408AndTheOriginNeverHears() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), timeouts("client_body: 200ms"));

    client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");

    assertThat(client.readAll().status()).isEqualTo(408);
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
    assertThat(origin.stats().requests()).isZero();
  }

  /** DEC-28: an upload that the origin has half of never looks complete to it. */
  @Test
  void clientBody_standsStillMidway_is408AndTheOriginIsCut() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy = running.proxy(origin.port(), timeouts("client_body: 200ms"));
    RawClient client = running.client(proxy);

    client.send("POST /up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send("13880\r\n" + "z".repeat(80_000) + "\r\n");

    assertThat(client.readAll().status()).isEqualTo(408);
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).receivedText()).doesNotContain("\r\n0\r\n");
    Running.awaitInFlight(proxy, 0);
  }

  /** A09: a client that reads nothing is cut, and its permit comes back. */
  @Test
  void downstreamWrite_readerStandsStill_isCut() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(), timeouts("downstream_write: 200ms").origin("abandon_hold: 0s"));
    RawClient reader = running.slowReader(proxy, 4096);

    reader.get("/big?bytes=16000000");
    reader.readHead();
    Running.awaitInFlight(proxy, 0);

    assertThat(readWhatIsLeft(reader)).isLessThan(16_000_000);
  }

  // The origin owes.

  @Test
  void originConnect_isTimedOut_is504() throws IOException {
    try (var full = new FullListener()) {
      RawClient client = running.clientBefore(full.port(), timeouts("origin_connect: 200ms"));

      assertThat(client.get("/x").readAll().status()).isEqualTo(504);
    }
  }

  /** ORG-33. */
  @Test
  void originResponse_neverComes_is504AndConnectionIsLeft() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    RawClient client = running.clientBefore(origin.port(), timeouts("origin_response: 200ms"));

    assertThat(client.get("/x").readAll().status()).isEqualTo(504);
    origin.connection(0).awaitScriptOver();
  }

  /** DEC-29: never again after our own timeout. */
  @Test
  void originResponse_onAReusedConnection_isNotRetried() {
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().answer("a").readHead().readUntilClose());
    RawClient client = running.clientBefore(origin.port(), timeouts("origin_response: 200ms"));

    assertThat(client.get("/a").readAll().text()).isEqualTo("a");
    assertThat(client.get("/b").readAll().status()).isEqualTo(504);
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** An origin that does not read its upload owes as well: no permit is held for ever. */
  @Test
  void originResponse_uploadIsNotRead_is504() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead());
    Sluice proxy =
        running.proxy(origin.port(), timeouts("origin_response: 300ms, client_body: 60s"));
    RawClient client = running.client(proxy);
    client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 90000000\r\n\r\n");
    var sending = new Thread(() -> sendUntilCut(client));
    sending.start();

    assertThat(client.readHead()).startsWith("HTTP/1.1 504 ");
    client.reset();
  }

  /** C03: a body that stands still is cut short, in every framing, and never ended tidily. */
  @Test
  void originRead_bodyStandsStill_isCutShort() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), timeouts("origin_read: 200ms"));

    RawClient length = running.client(proxy).get("/x?bytes=1000&fail=stall&framing=length");
    assertThat(length.readHead()).contains("\r\nContent-Length: 1000\r\n");
    assertThat(length.readUntilClose()).hasSizeLessThan(1000);
  }

  /** C03: no last chunk where none came; and where only the close tells, the close is a reset. */
  @Test
  void originRead_chunksStandStill_areCutShort() {
    String half = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n";
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(half));
    Sluice proxy = running.proxy(origin.port(), timeouts("origin_read: 200ms"));

    RawClient chunked = running.client(proxy).get("/x");
    chunked.readHead();
    assertThat(new String(chunked.readUntilClose(), ISO_8859_1)).isEqualTo("5\r\n12345\r\n");

    RawClient old = running.client(proxy).send("GET /x HTTP/1.0\r\nHost: a\r\n\r\n");
    assertThat(old.awaitEnd()).isEqualTo(PeerEnd.RST);
  }

  // Nobody owes: nothing ends.

  /** DEC-32: while the client does not read, the origin owes nothing. */
  @Test
  void originRead_readerIsTheOneWeWaitFor_nothingIsCut() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), timeouts("origin_read: 200ms"));
    RawClient reader = running.slowReader(proxy, 4096);
    reader.get("/big?bytes=8000000");
    reader.readHead();

    passTime(proxy, 600);

    assertThat(reader.readBody(8_000_000)).hasSize(8_000_000);
  }

  /** DEC-32: while the origin does not take the upload, or thinks, the client owes nothing. */
  @Test
  void clientTimeouts_originIsTheOneWeWaitFor_nothingIsCut() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client =
        running.clientBefore(
            origin.port(),
            timeouts(
                "client_header: 200ms, client_body: 200ms, client_idle: 200ms,"
                    + " downstream_write: 200ms, origin_idle: 200ms"));

    client.send("POST /up?ms=1300&upload=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");

    assertThat(client.readAll().status()).isEqualTo(200);
  }

  private static ProxyFile timeouts(String keys) {
    return ProxyFile.plain().block("timeouts: { " + keys + " }");
  }

  /** Lets time pass on the proxy's own clock: returns behind an answer that takes so long. */
  private static void passTime(Sluice proxy, int millis) {
    assertThat(running.client(proxy).get("/clock?bytes=1&ms=" + millis).readAll().status())
        .isEqualTo(200);
  }

  /** A byte each time the other side was found to have said nothing yet. */
  private static void dribble(RawClient client) {
    try {
      while (!client.hasBytes()) {
        client.send("a");
      }
    } catch (UncheckedIOException closed) {
      return;
    }
  }

  private static void sendUntilCut(RawClient client) {
    byte[] piece = new byte[64 << 10];
    try {
      for (int i = 0; i < 1_000; i++) {
        client.send(piece);
      }
    } catch (UncheckedIOException cut) {
      return;
    }
  }

  private static int readWhatIsLeft(RawClient client) {
    try {
      return client.readUntilClose().length;
    } catch (UncheckedIOException reset) {
      return 0;
    }
  }

  /** A listener whose accept queue is full, so that a further connect gets no answer at all. */
  private static final class FullListener implements AutoCloseable {
    private static final int MOST = 64;
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket[] waiting = new Socket[MOST];

    FullListener() throws IOException {
      for (int i = 0; i < MOST; i++) {
        waiting[i] = new Socket();
        try {
          waiting[i].connect(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()),
              100);
        } catch (SocketTimeoutException isFull) {
          return;
        }
      }
      throw new AssertionError("the accept queue took " + MOST + " connections");
    }

    int port() {
      return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : waiting) {
        if (socket != null) {
          socket.close();
        }
      }
      listener.close();
    }
  }
}
