package dev.sluice.bench;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.reports.Gate;
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
              try (var origin = SlowOriginProcess.start("--loops", "1");
                  var sluice = new OneLoop(origin.port(), "");
                  var client = RawClient.connect(sluice.port(), Stack.PATIENCE)) {
                sluice.bytesForEach(WARM_UP, () -> ask(client));
                origin.reset();
                double half = sluice.bytesForEach(REQUESTS / 2, () -> ask(client));
                double whole = sluice.bytesForEach(REQUESTS, () -> ask(client));
                gate.measured(
                    "origin_requests", origin.stats().requests(), exactly(REQUESTS * 3 / 2));
                gate.measured("bytes_for_each_request", Math.round(whole), atMost(BYTES_MAX));
                // A figure that is each request's own is the same over half as many.
                gate.control(
                    "bytes_for_each_of_half_as_many",
                    Math.round(half),
                    between(Math.floor(whole * 0.9), Math.ceil(whole * 1.1)));
              }
            });
  }

  private static void ask(RawClient client) {
    client.get("/page?bytes=" + BODY_BYTES).readFinalHead();
    client.readBody(BODY_BYTES);
  }
}
