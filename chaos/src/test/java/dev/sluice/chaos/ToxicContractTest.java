package dev.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each toxic does to bytes, asked of whichever server was chosen. Times are lower bounds. */
class ToxicContractTest {

  private static final int BIG = 300_000;

  /** Nobody announces that nothing moves any more. */
  private static final long STANDSTILL_NANOS = 200_000_000;

  private final EchoServer echo = new EchoServer();
  private final Proxy proxy = ToxiproxyServer.shared().proxyTo(echo.port());
  private final RawClient client = RawClient.connect(ToxiproxyServer.port(proxy.getListen()));

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.delete();
    echo.close();
  }

  @Test
  void withoutAToxic_allBytesPass_andTheEndToo() {
    assertThat(echoed(BIG)).isEqualTo(body(BIG));
    client.close();
    assertThat(echo.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  @ParameterizedTest
  @EnumSource(ToxicDirection.class)
  void latency_delaysEachWay_andBringsAll(ToxicDirection direction) throws IOException {
    echoed(1);
    var latency = proxy.toxics().latency("late", direction, 400);
    assertThat(millisOf(() -> echoed(1))).isBetween(400L, 3_000L);
    latency.setJitter(100);
    // Pieces that are delayed unlike do not overtake one another.
    for (int i = 0; i < 20; i++) {
      client.send("%02d".formatted(i));
    }
    assertThat(new String(client.readBody(40), StandardCharsets.US_ASCII))
        .isEqualTo("0001020304050607080910111213141516171819");
    latency.remove();
    assertThat(millisOf(() -> echoed(1))).isLessThan(400);
  }

  @Test
  void latency_isNoBoundOnWhatPasses() throws IOException {
    proxy.toxics().latency("late", ToxicDirection.DOWNSTREAM, 200);

    assertThat(millisOf(() -> assertThat(echoed(BIG)).isEqualTo(body(BIG))))
        .isBetween(200L, 1_500L);
  }

  @ParameterizedTest
  @EnumSource(ToxicDirection.class)
  void bandwidth_boundsTheRate_andBringsAll(ToxicDirection direction) throws IOException {
    var bandwidth = proxy.toxics().bandwidth("narrow", direction, 500);

    // 300,000 bytes at 500,000 a second; what sockets buffer is not exempt.
    assertThat(millisOf(() -> assertThat(echoed(BIG)).isEqualTo(body(BIG))))
        .isBetween(450L, 3_000L);
    bandwidth.setRate(100_000);
    assertThat(millisOf(() -> echoed(BIG))).isLessThan(450);
  }

  @Test
  void slicer_cutsIntoPieces_andBringsAll() throws IOException {
    // 100 slices, 2 ms apart.
    proxy.toxics().slicer("slices", ToxicDirection.DOWNSTREAM, 100, 2_000).setSizeVariation(20);

    assertThat(millisOf(() -> assertThat(echoed(10_000)).isEqualTo(body(10_000))))
        .isGreaterThan(100);
  }

  @Test
  void slowClose_delaysTheEndAlone() throws IOException {
    proxy.toxics().slowClose("slow", ToxicDirection.UPSTREAM, 300);
    assertThat(millisOf(() -> echoed(1_000))).isLessThan(250);

    assertThat(
            millisOf(
                () -> {
                  client.close();
                  assertThat(echo.awaitEnd()).isEqualTo(PeerEnd.FIN);
                }))
        .isGreaterThanOrEqualTo(300);
  }

  @Test
  void timeout_letsNothingThrough_thenCloses() throws IOException {
    echoed(1);
    proxy.toxics().timeout("stop", ToxicDirection.DOWNSTREAM, 300);

    assertThat(
            millisOf(
                () -> {
                  client.send("lost");
                  assertThat(client.readUntilClose()).isEmpty();
                }))
        .isBetween(300L, 3_000L);
    echo.awaitEnd();
  }

  @Test
  void timeoutOfZero_holdsUntilItIsRemoved_thenCloses() throws IOException {
    echoed(1);
    var stop = proxy.toxics().timeout("stop", ToxicDirection.UPSTREAM, 0);
    client.send("lost");
    assertThat(client.isClosed()).isFalse();

    stop.remove();
    assertThat(client.readUntilClose()).isEmpty();
    assertThat(echo.received()).isEqualTo(1);
  }

  @Test
  void resetPeer_resetsBothSides() throws IOException {
    proxy.toxics().resetPeer("reset", ToxicDirection.UPSTREAM, 100);
    try (var reset = RawClient.connect(ToxiproxyServer.port(proxy.getListen()))) {
      reset.send("any");
      assertThat(reset.awaitEnd()).isEqualTo(PeerEnd.RST);
    }
    assertThat(echo.awaitEnd()).isEqualTo(PeerEnd.RST);
    assertThat(echo.received()).isZero();
  }

  @Test
  void limitData_closesBehindTheLastByte() throws IOException {
    var limit = proxy.toxics().limitData("limit", ToxicDirection.DOWNSTREAM, 1_000);
    client.send(body(600));
    assertThat(client.readBody(600)).isEqualTo(body(600));
    // What passed before counts.
    limit.setBytes(1_100);
    client.send(body(600));

    byte[] rest = client.readUntilClose();
    assertThat(rest).isEqualTo(Arrays.copyOf(body(600), 500));
  }

  @Test
  void toxicity_strikesThatShareOfConnections() throws IOException {
    proxy.toxics().latency("late", ToxicDirection.DOWNSTREAM, 300).setToxicity(0.5f);
    List<CompletableFuture<Long>> visits = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      visits.add(CompletableFuture.supplyAsync(this::visitMillis, ToxicContractTest::startThread));
    }
    long slow = visits.stream().filter(visit -> visit.join() >= 300).count();
    // Outside of this with a probability of 2 in a million.
    assertThat(slow).isBetween(6L, 34L);
  }

  @Test
  void toxics_workOneAfterTheOther_onOpenConnectionsToo() throws IOException {
    echoed(1);
    proxy.toxics().latency("one", ToxicDirection.UPSTREAM, 100);
    proxy.toxics().latency("two", ToxicDirection.UPSTREAM, 1_000);
    proxy.toxics().latency("three", ToxicDirection.DOWNSTREAM, 100);

    assertThat(millisOf(() -> echoed(1))).isGreaterThanOrEqualTo(1_200);
    proxy.toxics().get("two").remove();
    assertThat(millisOf(() -> echoed(1))).isBetween(200L, 1_000L);
  }

  @Test
  void peerThatDoesNotRead_isWaitedFor() {
    try (var idle =
        RawClient.connect(
            ToxiproxyServer.port(proxy.getListen()), Duration.ofSeconds(10), 8 << 10)) {
      byte[] much = body(40 << 20);
      var sending =
          CompletableFuture.runAsync(() -> idle.send(much), ToxicContractTest::startThread);
      long before = -1;
      // The echo, the proxy and four sockets hold some megabytes between them, then all stand.
      while (echo.received() != before) {
        before = echo.received();
        LockSupport.parkNanos(STANDSTILL_NANOS);
      }
      assertThat(echo.received()).isLessThan((long) much.length);
      assertThat(sending).isNotDone();
      assertThat(idle.readBody(much.length)).isEqualTo(much);
      sending.join();
    }
  }

  private static void startThread(Runnable task) {
    new Thread(task, "client").start();
  }

  private long visitMillis() {
    try (var visitor = RawClient.connect(ToxiproxyServer.port(proxy.getListen()))) {
      return millisOf(
          () -> {
            visitor.send("x");
            visitor.readBody(1);
          });
    }
  }

  private byte[] echoed(int bytes) {
    var sending =
        CompletableFuture.runAsync(() -> client.send(body(bytes)), ToxicContractTest::startThread);
    byte[] back = client.readBody(bytes);
    sending.join();
    return back;
  }

  private static byte[] body(int bytes) {
    return Bodies.expected("toxic", bytes);
  }

  private static long millisOf(Runnable task) {
    long began = System.nanoTime();
    task.run();
    return (System.nanoTime() - began) / 1_000_000;
  }
}
