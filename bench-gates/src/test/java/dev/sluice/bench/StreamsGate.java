package dev.sluice.bench;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** HTTP/2 at scale: streams whose clients do not read hold up no sibling; a flood nobody else. */
class StreamsGate {

  private static final int CONNECTIONS = 10;
  private static final int STREAMS = 100;
  private static final int SLOW_EVERY = 10;
  private static final int BYTES = 30_000;
  private static final int SLOW_BYTES = 32 << 20;
  private static final int FLOODERS = 4;
  private static final long QUIET_SECONDS = 5;
  private static final long FLOOD_SECONDS = Long.getLong("gates.flood.seconds", 60);

  /** What one connection's client saw. */
  private record Seen(int whole, long millis) {}

  @Test
  void thousandStreams_aTenthOfThemSlow_siblingsAreUnaffected() {
    Gate.claim(
            "h2-slow-streams",
            "Of 1,000 streams on 10 connections a tenth is not read; all others are whole, in time.",
            RepoRoot.path())
        .given("connections", CONNECTIONS)
        .given("streams_each", STREAMS)
        .given("slow_each", STREAMS / SLOW_EVERY)
        .given("body_bytes", BYTES)
        .judge(
            gate -> {
              try (var stack = stack()) {
                Seen without = run(stack, false);
                gate.control("whole", without.whole(), exactly(fast()));
                gate.control("slowest_millis", without.millis());
                long before = stack.counted().bytesWritten();
                Seen with = run(stack, true);
                gate.measured("whole", with.whole(), exactly(fast()));
                gate.measured(
                    "slowest_millis", with.millis(), atMost(3.0 * without.millis() + 1_000));
                // DEC-26: what is not read is not fetched either.
                long slow = CONNECTIONS * STREAMS / SLOW_EVERY;
                long written = stack.counted().bytesWritten() - before - (long) fast() * BYTES;
                gate.measured("unread_bytes_fetched_each", written / slow, atMost(SLOW_BYTES / 2));
              }
            });
  }

  private static int fast() {
    return CONNECTIONS * (STREAMS - STREAMS / SLOW_EVERY);
  }

  private static Seen run(Stack stack, boolean withSlow) {
    List<CompletableFuture<Seen>> runs = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      runs.add(
          CompletableFuture.supplyAsync(
              () -> client(stack, withSlow), task -> Stack.start("streams", task)));
    }
    int whole = 0;
    long slowest = 0;
    for (CompletableFuture<Seen> run : runs) {
      whole += run.join().whole();
      slowest = Math.max(slowest, run.join().millis());
    }
    return new Seen(whole, slowest);
  }

  /** Credits every stream but each tenth; those ask for a body that no window takes. */
  private static Seen client(Stack stack, boolean withSlow) {
    try (RawFrames frames = RawFrames.open(stack.connect())) {
      frames.windowUpdate(0, 1 << 30);
      long began = System.nanoTime();
      Set<Integer> open = new HashSet<>();
      for (int i = 0; i < STREAMS; i++) {
        int stream = 2 * i + 1;
        boolean slow = i % SLOW_EVERY == 0;
        if (!slow) {
          open.add(stream);
        }
        if (!slow || withSlow) {
          frames.get(stream, "/s/" + i + "?ms=5&bytes=" + (slow ? SLOW_BYTES : BYTES));
        }
      }
      return new Seen(read(frames, open), Stack.millisSince(began));
    }
  }

  private static int read(RawFrames frames, Set<Integer> open) {
    int whole = 0;
    var got = new int[2 * STREAMS + 1];
    while (!open.isEmpty()) {
      RawFrames.Frame frame = frames.await(RawFrames.DATA);
      got[frame.stream()] += frame.payload().length;
      if (frame.has(RawFrames.END_STREAM) && open.remove(frame.stream())) {
        whole += got[frame.stream()] == BYTES ? 1 : 0;
      }
    }
    return whole;
  }

  @Test
  void rapidResetFlood_othersAreServed() {
    Gate.claim(
            "h2-rapid-reset",
            "Clients that open streams and reset them at once, for a minute, cost the others little.",
            RepoRoot.path())
        .given("flooders", FLOODERS)
        .given("seconds", FLOOD_SECONDS)
        .judge(
            gate -> {
              try (var stack = stack()) {
                double quiet = servedPerSecond(stack, inSeconds(QUIET_SECONDS));
                gate.control("served_per_second_before", quiet, atLeast(1));
                long end = inSeconds(FLOOD_SECONDS);
                var ended = new AtomicInteger();
                List<Thread> flood = new ArrayList<>();
                for (int i = 0; i < FLOODERS; i++) {
                  flood.add(Stack.start("flood", () -> flood(stack, end, ended)));
                }
                double during = servedPerSecond(stack, end);
                for (Thread flooder : flood) {
                  flooder.join();
                }
                // The flood's own threads take most of what they lose, on few cores.
                gate.measured("served_per_second", during, atLeast(quiet / 20));
                gate.measured("status_afterwards", stack.fetch("/x?ms=1").status(), exactly(200));
                gate.measured("floods_that_were_ended", ended.get(), atLeast(FLOODERS));
              }
            });
  }

  private static long inSeconds(long seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Asks one after the other until {@code end}; every answer must be a 200. */
  private static double servedPerSecond(Stack stack, long end) {
    long began = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - end < 0) {
      if (stack.fetch("/ok?ms=1").status() != 200) {
        throw new AssertionError("not served after " + count);
      }
      count++;
    }
    return count / ((System.nanoTime() - began) / 1e9);
  }

  private static void flood(Stack stack, long end, AtomicInteger ended) {
    while (System.nanoTime() - end < 0) {
      try (RawFrames frames = RawFrames.open(stack.connect())) {
        byte[] block =
            frames.block(
                ":method", "GET", ":scheme", "http", ":path", "/f?ms=1", ":authority", "a");
        for (int stream = 1; System.nanoTime() - end < 0; stream += 2) {
          frames.frame(
              RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, stream, block);
          frames.reset(stream, 8);
        }
      } catch (java.io.UncheckedIOException | AssertionError toldToCalmDown) {
        // And comes back.
        ended.incrementAndGet();
      }
    }
  }

  private static Stack stack() {
    return new Stack(", h2c: true", "concurrency: { max: 1000 }", "");
  }
}
