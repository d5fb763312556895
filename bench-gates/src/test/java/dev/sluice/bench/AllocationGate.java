package dev.sluice.bench;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import com.sun.management.ThreadMXBean;
import dev.sluice.Sluice;
import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.reports.Gate;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a request that is passed through allocates on the event loop's heap. */
class AllocationGate {

  private static final int WARM_UP = 30_000;
  private static final int REQUESTS = 20_000;
  private static final int BODY_BYTES = 16 << 10;

  /** Half as much again as was measured when it was set. */
  private static final double BYTES_MAX = 3_100;

  @Test
  void passThrough_allocatesWithinItsBoundForEachRequest() {
    Gate.claim(
            "allocation-pass-through",
            "A request that is passed through on kept connections allocates within its bound.",
            RepoRoot.path())
        .given("requests", REQUESTS)
        .given("warm_up_requests", WARM_UP)
        .given("body_bytes", BODY_BYTES)
        .given("event_loops", 1)
        .judge(
            gate -> {
              ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
              // Tests run with leak detection, which allocates for each buffer.
              ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
              try (var origin = SlowOriginProcess.start("--loops", "1");
                  var sluice = Sluice.start(settings(origin.port()));
                  var client = RawClient.connect(sluice.port(), Stack.PATIENCE)) {
                long loop = eventLoop();
                ask(client, WARM_UP);
                origin.reset();
                double half = bytesForEach(loop, client, REQUESTS / 2);
                double whole = bytesForEach(loop, client, REQUESTS);
                gate.measured(
                    "origin_requests", origin.stats().requests(), exactly(REQUESTS * 3 / 2));
                gate.measured("bytes_for_each_request", Math.round(whole), atMost(BYTES_MAX));
                // A figure that is each request's own is the same over half as many.
                gate.control(
                    "bytes_for_each_of_half_as_many",
                    Math.round(half),
                    between(Math.floor(whole * 0.9), Math.ceil(whole * 1.1)));
              } finally {
                ResourceLeakDetector.setLevel(level);
              }
            });
  }

  private static double bytesForEach(long thread, RawClient client, int requests) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(thread);
    ask(client, requests);
    return (double) (threads.getThreadAllocatedBytes(thread) - before) / requests;
  }

  private static void ask(RawClient client, int requests) {
    for (int i = 0; i < requests; i++) {
      client.get("/page?bytes=" + BODY_BYTES).readFinalHead();
      client.readBody(BODY_BYTES);
    }
  }

  /** The one thread that carries traffic. */
  private static long eventLoop() {
    long[] found =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("sluice-loop"))
            .mapToLong(Thread::getId)
            .toArray();
    if (found.length != 1) {
      throw new AssertionError("event loops: " + Arrays.toString(found) + " (expected: one)");
    }
    return found[0];
  }

  private static Settings settings(int originPort) {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:0", event_loops: 1, graceful: { drain_period: 0s } }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { admin: { listen: "127.0.0.1:0" }, logging: { access: none } }
        """
            .formatted(originPort);
    var reader = new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN);
    if (reader.read("gate", text) instanceof Accepted accepted) {
      return accepted.settings();
    }
    throw new AssertionError("the configuration was refused:\n" + text);
  }
}
