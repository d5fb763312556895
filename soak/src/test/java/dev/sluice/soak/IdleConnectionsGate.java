package dev.sluice.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.Account;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Thousands of idle connections cost little, delay nobody and leave nothing behind. */
class IdleConnectionsGate {

  private static final int CONNECTIONS_MAX = Integer.getInteger("soak.connections", 8_000);

  /** For the JVM's own files, the origin's connections and the visitor's. */
  private static final int HEADROOM = 1_000;

  private static final int VISITS = 300;

  /** What a visitor may wait at most, with the crowd there; a hundred times what he waits. */
  private static final long VISIT_P99_MILLIS = 250;

  /** DESIGN.md 7. */
  private static final long HEAP_PER_CONNECTION = 4_096;

  /** Classes and code that the crowd brought in, and the allocator's pools. */
  private static final long HEAP_GROWTH = 8L << 20;

  private static final long DIRECT_GROWTH = 16L << 20;
  private static final Duration SETTLE = Duration.ofSeconds(60);

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { client_idle: 10m, origin_idle: 1s }
      origin: { upstreams: ["127.0.0.1:{{origin}}"], concurrency: { max: 8 } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void idleConnections_costLittleDelayNobodyAndLeaveNothing() throws Exception {
    var findings =
        new Findings(
            "idle-connections",
            "Thousands of idle connections cost at most 4 KiB of heap each, delay nobody and leave"
                + " nothing behind");
    try (var stack = new SoakStack(CONFIG)) {
      int count = connections(stack, findings);
      warmUp(stack, count);
      SoakStack.Memory before = stack.settledMemory();
      int filesBefore = stack.openFiles();
      long[] alone = visit(stack);
      try (var crowd = new IdleCrowd(stack.port(), count)) {
        whileIdle(stack, findings, crowd, count, before, filesBefore, alone);
        crowd.leave();
      }
      afterwards(stack, findings, before, filesBefore);
    }
    int leaksSeen = LeakingProgram.leakLinesSeen();
    findings.control("leak lines of a program that leaks", leaksSeen, leaksSeen > 0);

    assertThat(findings.publish()).isEmpty();
  }

  /** As many as both processes have descriptors for. */
  private static int connections(SoakStack stack, Findings findings) {
    long ours = DescriptorLimit.of(ProcessHandle.current().pid());
    long theirs = DescriptorLimit.of(stack.sluice().process().pid());
    // server.max_connections: auto leaves half of what is beyond 512 to the origin's side.
    long most = Math.min(ours - HEADROOM, (theirs - 512) / 2);
    int count = (int) Math.min(CONNECTIONS_MAX, most);
    findings.parameter("descriptor limit of the clients", ours);
    findings.parameter("descriptor limit of sluice", theirs);
    findings.parameter("connections", count);
    findings.holds("enough descriptors for 500 connections", count >= 500);
    return count;
  }

  /** Half a crowd comes and goes, so that what is made once is made. */
  private static void warmUp(SoakStack stack, int count) {
    try (var crowd = new IdleCrowd(stack.port(), count / 2)) {
      visit(stack);
      crowd.leave();
    }
    stack.await(Account::isQuiet, SETTLE);
  }

  private static void whileIdle(
      SoakStack stack,
      Findings findings,
      IdleCrowd crowd,
      int count,
      SoakStack.Memory before,
      int filesBefore,
      long[] alone) {
    long[] beside = visit(stack);
    // The origin's connections are idle for a second, then gone: what is left is the crowd's.
    Account during = stack.await(now -> now.originConnections() == 0, SETTLE);
    SoakStack.Memory full = stack.settledMemory();
    findings.measured("visitor median us, alone", median(alone));
    findings.measured("visitor p99 ms, alone", p99(alone) / 1_000);
    findings.measured("visitor median us, beside the crowd", median(beside));
    findings.atMost("visitor p99 ms, beside the crowd", p99(beside) / 1_000, VISIT_P99_MILLIS);
    findings.atMost(
        "heap bytes per connection", (full.heap() - before.heap()) / count, HEAP_PER_CONNECTION);
    findings.measured("direct bytes per connection", (full.direct() - before.direct()) / count);
    findings.measured(
        "resident bytes per connection", (full.resident() - before.resident()) / count);
    findings.zero("permits in flight beside the crowd", during.permits());
    findings.zero("exchanges beside the crowd", during.exchanges());
    findings.control(
        "connections that the account sees", during.clients(), during.clients() == count);
    int files = stack.openFiles() - filesBefore;
    findings.control("descriptors beyond the start's", files, files >= count);
    long held = permitsOfAHeldRequest(stack);
    findings.control("permits of a request that is under way", held, held == 1);
    findings.holds("every 20th is served again", crowd.servedAgain(20) >= count / 20);
  }

  /** What the same account says while the origin is at work for one visitor. */
  private static long permitsOfAHeldRequest(SoakStack stack) {
    try (var client = RawClient.connect(stack.port()).get("/held?ms=2000")) {
      long seen = stack.await(now -> now.permits() > 0, SETTLE).permits();
      client.readAll();
      return seen;
    }
  }

  private static void afterwards(
      SoakStack stack, Findings findings, SoakStack.Memory before, int filesBefore) {
    Account after = stack.await(Account::isQuiet, SETTLE);
    after.underWay().forEach((name, value) -> findings.zero(name + " afterwards", value));
    int files = stack.awaitOpenFiles(filesBefore, SETTLE);
    findings.measured("descriptors at the start", filesBefore);
    findings.atMost("descriptors afterwards", files, filesBefore);
    SoakStack.Memory left = stack.settledMemory();
    findings.atMost("heap growth in bytes", left.heap() - before.heap(), HEAP_GROWTH);
    findings.atMost(
        "direct memory growth in bytes", left.direct() - before.direct(), DIRECT_GROWTH);
    findings.measured("resident growth in bytes", left.resident() - before.resident());
    // Netty tells of what the collector found when it makes the next buffers.
    visit(stack);
    findings.zero("leak lines", stack.leakLines().size());
  }

  /** Microseconds that each of the visits took, sorted; each on a connection of its own. */
  private static long[] visit(SoakStack stack) {
    long[] micros = new long[VISITS];
    for (int i = 0; i < VISITS; i++) {
      long began = System.nanoTime();
      try (var client = RawClient.connect(stack.port())) {
        int status = client.get("/visit/" + i + "?bytes=2000").readAll().status();
        if (status != 200) {
          throw new AssertionError("a visitor's status: " + status + " (expected: 200)");
        }
      }
      micros[i] = (System.nanoTime() - began) / 1_000;
    }
    Arrays.sort(micros);
    return micros;
  }

  private static long median(long[] sorted) {
    return sorted[sorted.length / 2];
  }

  private static long p99(long[] sorted) {
    return sorted[sorted.length * 99 / 100];
  }
}
