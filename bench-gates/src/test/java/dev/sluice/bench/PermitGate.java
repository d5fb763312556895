package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A permit is held as long as the origin works, and no longer: ADM-16, ADM-17, DEC-28, 29, 32. */
class PermitGate {

  @Test
  void permit_isHeldToTheObservedEndOfStream() {
    claim("permit-end-of-stream", "A permit is held to the end of the origin's stream.")
        .given("stream", "head at once, then 6 chunks 300 ms apart")
        .given("ceiling", 1)
        .judge(
            gate -> {
              Stack.Answer beside = besideStream(2);
              gate.control("next_waited_millis_with_ceiling_2", beside.tookMillis(), below(1000));

              Stack.Answer behind = besideStream(1);
              gate.measured("next_status", behind.status(), exactly(200));
              gate.measured("next_waited_millis", behind.tookMillis(), above(1200));
            });
  }

  private static Stack.Answer besideStream(int ceiling) {
    try (var stack = new Stack("", concurrency(ceiling, "20s"), "");
        var streaming = stack.connect().get("/stream?chunks=6&every=300")) {
      streaming.readFinalHead();
      return stack.fetch("/next?ms=1");
    }
  }

  @Test
  void abandonedRenders_stayUnderTheCeiling() {
    int ceiling = 4;
    claim(
            "abandoned-renders",
            "Renders that were given up on stay charged while they run (DEC-29).")
        .given("ceiling", ceiling)
        .given("render", "1 s, whatever the client does")
        .given("given_up_after", "500 ms")
        .given("abandon_hold", "1 s")
        .given("seconds", "12, the control 4")
        .judge(
            gate -> {
              var without = Stack.beside(() -> renderingPeak(ceiling, "0s", 4));
              long peak = renderingPeak(ceiling, "1s", 12);
              gate.control("origin_rendering_peak", without.join(), above(ceiling));
              gate.measured("origin_rendering_peak", peak, exactly(ceiling));
            });
  }

  private static long renderingPeak(int ceiling, String hold, int seconds) {
    String origin = "abandon_hold: " + hold + ", " + concurrency(ceiling, "5s");
    try (var stack = new Stack(" }\ntimeouts: { origin_response: 500ms", origin, "")) {
      // Two cold machines would give up on a render before it has begun.
      for (int i = 0; i < 50; i++) {
        stack.fetch("/warm?ms=1");
      }
      stack.resetCounts();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      var number = new AtomicInteger();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 3 * ceiling; i++) {
        clients.add(Stack.start("client-" + i, () -> askUntil(end, stack, number)));
      }
      clients.forEach(PermitGate::join);
      return stack.counted().renderingPeak();
    }
  }

  private static void askUntil(long end, Stack stack, AtomicInteger number) {
    while (System.nanoTime() - end < 0) {
      stack.fetch("/heavy/" + number.incrementAndGet() + "?ms=1000&stick=1");
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while clients were under way", e);
    }
  }

  @Test
  void eventStreams_thatAreLeft_endAtTheOrigin() {
    int leaving = 90;
    int staying = 10;
    claim("event-streams-left", "Event streams whose clients left end at the origin.")
        .given("leaving", leaving)
        .given("staying", staying)
        .given("abandon_hold", "1 s")
        .judge(
            gate -> {
              String origin = "abandon_hold: 1s, concurrency: { max: 200 }";
              try (var stack = new Stack("", origin, "")) {
                List<RawClient> gone = streams(stack, "/gone/", leaving);
                List<RawClient> here = streams(stack, "/here/", staying);
                stack.awaitOrigin("all streams", now -> now.inFlight() == leaving + staying);
                long began = System.nanoTime();
                gone.forEach(RawClient::close);
                stack.awaitOrigin("end of those left", now -> now.inFlight() <= staying);
                stack.awaitHeld(staying);
                gate.measured("over_after_millis", Stack.millisSince(began));
                var counted = stack.counted();
                gate.control("running_with_their_client", counted.inFlight(), exactly(staying));
                gate.measured("ended_at_the_origin", counted.aborted(), exactly(leaving));

                here.forEach(RawClient::close);
                stack.awaitHeld(0);
                stack.awaitOrigin("end of all", now -> now.inFlight() == 0);
                gate.measured("running_at_the_end", stack.counted().inFlight(), exactly(0));
              }
            });
  }

  private static List<RawClient> streams(Stack stack, String path, int count) {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(stack.connect().get(path + i + "?sse=1&every=200"));
    }
    return clients;
  }

  @Test
  void dribblingClients_doNotKeepAVisitorOut() {
    int ceiling = 64;
    claim("dribbling-uploads", "Uploads that dribble do not keep a visitor out (DEC-32).")
        .given("ceiling", ceiling)
        .given("uploads", ceiling + " of 1 byte a second behind their first 70,000")
        .given("queue_timeout", "25 s")
        .judge(
            gate -> {
              var unhurried = Stack.beside(() -> besideDribbling(ceiling, "0"));
              Stack.Answer hurried = besideDribbling(ceiling, "1KiB/s");
              Stack.Answer endless = unhurried.join();
              gate.control("visitor_status", endless.status(), exactly(503));
              gate.control("visitor_waited_millis", endless.tookMillis(), above(24_000));
              gate.measured("visitor_status", hurried.status(), exactly(200));
              gate.measured("visitor_waited_millis", hurried.tookMillis(), between(5_000, 24_000));
            });
  }

  private static Stack.Answer besideDribbling(int ceiling, String minRate) {
    String timeouts = " }\ntimeouts: { client_body_min_rate: " + minRate;
    try (var stack = new Stack(timeouts, concurrency(ceiling, "25s"), "")) {
      List<RawClient> uploads = new ArrayList<>();
      for (int i = 0; i < ceiling; i++) {
        String head =
            "POST /up/%d?upload=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
        uploads.add(stack.connect().send(head.formatted(i) + "x".repeat(70_000)));
      }
      stack.awaitOrigin("the uploads", counted -> counted.inFlight() == ceiling);
      Thread dribbler = Stack.start("dribbler", () -> dribble(uploads));
      Stack.Answer visitor = stack.fetch("/visitor?ms=1");
      dribbler.interrupt();
      join(dribbler);
      uploads.forEach(RawClient::close);
      return visitor;
    }
  }

  private static void dribble(List<RawClient> clients) {
    List<RawClient> here = new ArrayList<>(clients);
    while (!here.isEmpty() && !Thread.interrupted()) {
      // Who was told to hurry is gone: that is what the gate waits for.
      here.removeIf(client -> !sendsOneByte(client));
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
  }

  private static boolean sendsOneByte(RawClient client) {
    try {
      client.send("y");
      return true;
    } catch (UncheckedIOException gone) {
      return false;
    }
  }

  @Test
  void slowReader_withoutASpool_keepsThePermit() {
    int bytes = 8 << 20;
    claim("slow-reader", "Without a spool a slow reader keeps its permit (SPL-18).")
        .given("page_bytes", bytes)
        .given("read_bytes", 64 << 10)
        .given("receive_buffer", 16 << 10)
        .given("queue_timeout", "2 s")
        .judge(
            gate -> {
              try (var stack = new Stack("", concurrency(1, "2s"), "")) {
                RawResponse whole = stack.fetch("/big?bytes=" + bytes).response();
                gate.control("read_bytes", whole.body().length, exactly(bytes));
                gate.control("next_status", stack.fetch("/next?ms=1").status(), exactly(200));

                stack.resetCounts();
                try (var slow = RawClient.connect(stack.port(), Stack.PATIENCE, 16 << 10)) {
                  slow.get("/big?bytes=" + bytes).readFinalHead();
                  byte[] read = slow.readBody(64 << 10);
                  gate.measured("next_status", stack.fetch("/next?ms=1").status(), exactly(503));
                  var counted = stack.counted();
                  gate.measured("origin_in_flight", counted.inFlight(), exactly(1));
                  gate.measured("origin_wrote_bytes", counted.bytesWritten(), below(bytes));

                  byte[] rest = slow.readBody(bytes - read.length);
                  gate.measured("read_bytes", read.length + rest.length, exactly(bytes));
                  boolean same = (text(read) + text(rest)).equals(text(whole.body()));
                  gate.measured("same_bytes_as_whole", same, equalTo(true));
                }
                gate.measured("after_status", stack.fetch("/next?ms=1").status(), exactly(200));
              }
            });
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String concurrency(int ceiling, String timeout) {
    return "concurrency: { max: %d, queue: { max: 100, timeout: %s, predict: false } }"
        .formatted(ceiling, timeout);
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }
}
