package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A permit is held as long as the origin works, and no longer: ADM-16, ADM-17, DEC-28, 29, 32. */
class PermitGate {

  @Test
  void permit_isHeldToTheObservedEndOfStream() {
    try (var stack =
            new Stack(
                "",
                "concurrency: { max: 1, queue: { max: 9, timeout: 20s, predict: false } }",
                "");
        var streaming = new RawHttp(stack.port())) {
      streaming.get("/stream?chunks=6&every=300");
      assertThat(streaming.status()).isEqualTo(200);
      long began = System.nanoTime();
      int status = Stack.fetch(stack.port(), "/next?ms=1");
      long waitedMillis = (System.nanoTime() - began) / 1_000_000;
      Stack.report(
          "end of stream",
          "head at once, 6 chunks 300 ms apart: the next waited %d ms",
          waitedMillis);

      assertThat(status).isEqualTo(200);
      assertThat(waitedMillis).isGreaterThan(1200);
      assertThat(stack.counted().peakInFlight()).isEqualTo(1);
    }
  }

  /** DEC-29: the origin renders 2 s whatever the client does, and we give up after 500 ms. */
  @Test
  void abandonedRenders_stayUnderTheCeiling() {
    long held = renderingPeak("2s", 30);
    long control = renderingPeak("0s", 10);
    Stack.report(
        "abandoned renders",
        "ceiling 4, renders of 2 s left after 500 ms: peak %d with a hold of 2 s, %d without",
        held,
        control);

    assertThat(held).isEqualTo(4);
    assertThat(control).isGreaterThan(4);
  }

  private static long renderingPeak(String hold, int seconds) {
    String origin =
        "abandon_hold: "
            + hold
            + ", concurrency: { max: 4, queue: { max: 20, timeout: 5s, predict: false } }";
    try (var stack = new Stack(" }\ntimeouts: { origin_response: 500ms", origin, "")) {
      // Two cold machines would give up on a render before it has begun.
      for (int i = 0; i < 50; i++) {
        Stack.fetch(stack.port(), "/warm?ms=1");
      }
      stack.resetCounts();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      var number = new AtomicInteger();
      List<Future<Integer>> clients =
          stack.crowd(
              12,
              client -> {
                int asked = 0;
                while (System.nanoTime() - end < 0) {
                  Stack.fetch(
                      stack.port(), "/heavy/" + number.incrementAndGet() + "?ms=2000&stick=1");
                  asked++;
                }
                return asked;
              });
      Stack.results(clients);
      return stack.counted().renderingPeak();
    }
  }

  @Test
  void eventStreams_thatAreLeft_endAtTheOrigin() {
    try (var stack = new Stack("", "concurrency: { max: 200 }", "")) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        clients.add(new RawHttp(stack.port()).get("/events/" + i + "?sse=1&every=200"));
      }
      stack.awaitOrigin("100 event streams", counted -> counted.inFlight() == 100);
      clients.forEach(RawHttp::close);
      stack.awaitOrigin("all of them over", counted -> counted.inFlight() == 0);
      Stack.await(
          "no permit held",
          () ->
              stack.sluice().metrics().contains("sluice_origin_in_flight{permit=\"render\"} 0.0"));
      Stack.report("event streams", "%d left, none runs on", 100);
    }
  }

  /** DEC-32: 64 uploads that dribble hold all 64 permits, until they are told to hurry. */
  @Test
  void dribblingClients_doNotKeepAVisitorOut() {
    try (var stack =
        new Stack(
            "",
            "concurrency: { max: 64, queue: { max: 100, timeout: 30s, predict: false } }",
            "")) {
      List<RawHttp> dribbling = new ArrayList<>();
      String start = "x".repeat(70_000);
      for (int i = 0; i < 64; i++) {
        dribbling.add(
            new RawHttp(stack.port())
                .send(
                    "POST /up/"
                        + i
                        + "?upload=1 HTTP/1.1\r\nHost: gate.test\r\n"
                        + "Content-Length: 1000000\r\n\r\n"
                        + start));
      }
      stack.awaitOrigin("64 uploads", counted -> counted.inFlight() == 64);
      Thread dribbler = new Thread(() -> dribble(dribbling), "dribbler");
      dribbler.setDaemon(true);
      dribbler.start();
      long began = System.nanoTime();
      int status = Stack.fetch(stack.port(), "/visitor?ms=1");
      long tookMillis = (System.nanoTime() - began) / 1_000_000;
      dribbler.interrupt();
      Stack.report(
          "dribbling uploads", "64 against ceiling 64: a visitor served after %d ms", tookMillis);

      assertThat(status).isEqualTo(200);
      assertThat(tookMillis).isBetween(5_000L, 25_000L);
      dribbling.forEach(RawHttp::close);
    }
  }

  private static void dribble(List<RawHttp> clients) {
    // Who was told to hurry is gone: that is what the gate waits for.
    var gone = new java.util.HashSet<RawHttp>();
    while (!Thread.interrupted()) {
      for (RawHttp client : clients) {
        if (!gone.contains(client) && !client.trySend("y")) {
          gone.add(client);
        }
      }
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
  }

  /** SPL-18: without a spool a slow reader keeps the permit, and the origin has bytes left. */
  @Test
  void slowReader_withoutASpool_keepsThePermit() {
    try (var stack =
            new Stack(
                "", "concurrency: { max: 1, queue: { max: 9, timeout: 2s, predict: false } }", "");
        var slow = new RawHttp(stack.port(), 16 * 1024)) {
      slow.get("/big?bytes=8388608");
      assertThat(slow.status()).isEqualTo(200);
      slow.read(64 * 1024);
      int probe = Stack.fetch(stack.port(), "/probe?ms=1");
      long written = stack.counted().bytesWritten();
      Stack.report(
          "slow reader",
          "8 MiB, reader stands after 64 KiB: probe %d, origin wrote %d bytes",
          probe,
          written);

      assertThat(probe).isEqualTo(503);
      assertThat(stack.counted().inFlight()).isEqualTo(1);
      assertThat(written).isLessThan(8_388_608);
      assertThat(slow.read(8_388_608 - 64 * 1024)).isEqualTo(8_388_608 - 64 * 1024);
      assertThat(Stack.fetch(stack.port(), "/probe?ms=1")).isEqualTo(200);
    }
  }
}
