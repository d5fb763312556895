package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.net.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is held for clients is bounded, whoever is slow (DEC-26, DEC-32, DEC-38, A09, A12). */
class MemoryBoundsTest {

  private static final int BALLAST = 64 << 20;
  private static final long REQUEST_MEMORY = 128 << 10;
  private static final long ONE_READ = 64 << 10;

  private static final ProxyFile ONE_AT_A_TIME =
      ProxyFile.plain()
          .server("request_memory: 128KiB")
          .origin("concurrency: { max: 1, queue: { max: 20, timeout: 9s, predict: false } }");

  @RegisterExtension static final Running running = new Running();

  /** DEC-38: above 90 % of the direct memory new flights are shed, and not a moment longer. */
  @Test
  void dec38_memoryShort_newFlightsAreShedUntilItIsNot() {
    SlowOrigin origin = running.slowOrigin();
    var memory = new DirectMemory(new DirectMemory().used() + BALLAST);
    Sluice proxy = running.closing(Running.start(origin.port(), ProxyFile.plain(), memory));
    assertThat(status(proxy)).isEqualTo(200);

    ByteBuf ballast = Unpooled.directBuffer(BALLAST);
    try {
      Running.await("a shed", () -> status(proxy) == 503);
    } finally {
      ballast.release();
    }

    Running.await("service", () -> status(proxy) == 200);
  }

  /** DEC-32: past request_memory bodies stay in the socket; nothing is lost by it. */
  @Test
  void dec32_requestMemory_boundsWhatWaitingUploadsHold() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), ONE_AT_A_TIME);
    RawClient holder = running.client(proxy).get("/hold?ms=2000");
    Running.awaitInFlight(proxy, 1);

    List<RawClient> uploads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RawClient client = running.client(proxy);
      client.send("POST /up?upload=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n");
      client.send("z".repeat(200_000));
      uploads.add(client);
    }
    Running.awaitWaiting(proxy, uploads.size());

    assertFull(proxy, uploads.size());
    assertThat(holder.readAll().status()).isEqualTo(200);
    for (RawClient client : uploads) {
      assertThat(client.readAll().text()).contains("\"length\":200000");
    }
    assertThat(proxy.status().memory().requestBytesHeld()).isZero();
  }

  /** DEC-32: pipelined bytes are held, too: past request_memory they stay in the socket. */
  @Test
  void dec32_requestMemory_boundsWhatIsPipelined() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), ONE_AT_A_TIME);
    RawClient holder = running.client(proxy).get("/hold?ms=1500");
    Running.awaitInFlight(proxy, 1);
    int behind = 25;

    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RawClient client = running.client(proxy);
      client.send(padded(8_000).repeat(1 + behind));
      clients.add(client);
    }
    Running.awaitWaiting(proxy, clients.size());
    // Answered without the origin: whatever may be read of the others was read before.
    running.client(proxy).send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").readHead();

    assertFull(proxy, clients.size());
    assertThat(holder.readAll().status()).isEqualTo(200);
    for (RawClient client : clients) {
      for (int i = 0; i <= behind; i++) {
        assertThat(client.readAll().status()).isEqualTo(200);
      }
    }
    assertThat(proxy.status().memory().requestBytesHeld()).isZero();
  }

  /** DEC-32: so are those of a head that has not ended, until it does or its client leaves. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dec32_requestMemory_countsAHeadUnderWay(boolean leaves) {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port());
    String head = padded(5_000);
    RawClient client = running.client(proxy).send(head.substring(0, 4_000));
    Running.await("4000 bytes", () -> proxy.status().memory().requestBytesHeld() == 4_000);

    if (leaves) {
      client.reset();
    } else {
      client.send(head.substring(4_000));
      assertThat(client.readAll().status()).isEqualTo(200);
    }

    Running.await("0 bytes", () -> proxy.status().memory().requestBytesHeld() == 0);
  }

  /** A client whose every read ends inside a head has its rest held, and not all it ever sent. */
  @Test
  void readsThatEndInsideHeads_holdNoMoreThanTheirRest() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port());
    String head = padded(16_000);
    String begun = head.substring(0, 100);
    String fromHereToThere = head.substring(100) + begun;
    RawClient client = running.client(proxy).send(begun);
    long before = proxy.status().memory().directUsed();

    for (int i = 0; i < 2_000; i++) {
      assertThat(client.send(fromHereToThere).readAll().status()).isEqualTo(200);
    }

    assertThat(proxy.status().memory().directUsed() - before).isLessThan(12 << 20);
  }

  /** DEC-32: an uploader that leaves takes its bytes out of the account. */
  @Test
  void dec32_requestMemory_isGivenBackByThoseWhoLeave() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port());
    RawClient client = running.client(proxy);
    client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\nabc");
    Running.await("3 bytes", () -> proxy.status().memory().requestBytesHeld() == 3);

    client.reset();

    Running.await("0 bytes", () -> proxy.status().memory().requestBytesHeld() == 0);
    assertThat(origin.stats().requests()).isZero();
  }

  /** A09, DEC-26: a slow reader slows its origin; nothing piles up in between. */
  @Test
  void a09_slowReader_pacesTheOrigin() {
    SlowOrigin origin =
        running.closing(
            SlowOrigin.start(SlowOriginSettings.defaults().withSendBufferBytes(64 << 10)));
    Sluice proxy = running.proxy(origin.port());
    RawClient reader = running.slowReader(proxy, 4096);
    int bytes = 32 << 20;

    reader.get("/big?bytes=" + bytes);
    reader.readHead();
    // Time for the origin to write all of it, if anybody took it.
    assertThat(running.client(proxy).get("/clock?ms=400&bytes=1").readAll().status())
        .isEqualTo(200);

    assertThat(origin.stats().bytesWritten()).isLessThan(bytes / 2);
    assertThat(reader.readBody(bytes)).isEqualTo(Bodies.expected("/big", bytes));
  }

  /** A12: bodies of requests that are refused at once leave nothing behind. */
  @Test
  void a12_refusedUploads_leakNothing() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(origin.port(), ProxyFile.plain().server("hosts: [ \"shop.test\" ]"));
    for (int i = 0; i < 200; i++) {
      try (var client = RawClient.connect(proxy.port())) {
        client.send("POST /x HTTP/1.1\r\nHost: other.test\r\nContent-Length: 90000\r\n\r\n");
        client.send("z".repeat(30_000));
        assertThat(client.readHead()).startsWith("HTTP/1.1 421 ");
        if (i % 2 == 0) {
          client.reset();
        }
      }
    }
    Running.await("no connection", () -> connections(proxy) == 0);
    assertThat(proxy.status().memory().requestBytesHeld()).isZero();
    assertThat(origin.stats().requests()).isZero();
  }

  /** One read beyond the bound is in memory before it can be counted, on each of the sockets. */
  private static void assertFull(Sluice proxy, int sockets) {
    assertThat(proxy.status().memory().requestBytesHeld())
        .isBetween(REQUEST_MEMORY, REQUEST_MEMORY + sockets * ONE_READ);
  }

  /** A request whose head has so many bytes of a field that nobody knows. */
  private static String padded(int bytes) {
    return "GET /p?bytes=1 HTTP/1.1\r\nHost: a\r\nX: " + "z".repeat(bytes) + "\r\n\r\n";
  }

  private static int connections(Sluice proxy) {
    return proxy.status().connectionsPerLoop().stream().mapToInt(Integer::intValue).sum();
  }

  private static int status(Sluice proxy) {
    try (var client = RawClient.connect(proxy.port())) {
      return client.get("/x?bytes=1").readAll().status();
    }
  }
}
