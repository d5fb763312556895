package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Every fault, either way, on either side of Sluice, while a page streams down and an upload
 * streams up: who gets an end gets the right bytes, and an upload is done once at most (A04, C03).
 */
class StreamingFaultsGate {

  private static final int PAGE = 60_000;
  private static final String STREAMED = "?bytes=" + PAGE + "&chunks=6&every=30";
  private static final int UPLOAD = 60_000;
  private static final long RECOVERY_MILLIS_MAX = 3_000;

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 500ms
        concurrency: { max: 8 }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  /** Which of the lines has the fault. */
  private enum Side {
    CLIENT,
    ORIGIN
  }

  @Test
  void faultsWhileStreaming_noClientIsLiedTo() {
    ChaosStack.claim(
            "streaming", "Whatever befalls a stream on either side, no client takes it for whole.")
        .given("page_bytes", PAGE)
        .given("upload_bytes", UPLOAD)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                stack.origin().reset();
                for (Fault fault : Fault.values()) {
                  for (ToxicDirection way : ToxicDirection.values()) {
                    control(gate, stack, fault, way);
                    for (Side side : Side.values()) {
                      trial(gate, stack, side, fault, way);
                    }
                  }
                }
                gate.measured("uploads_done_twice", twice(stack), exactly(0));
                stack.judgeAftermath(gate);
              }
            });
  }

  private static String name(Fault fault, ToxicDirection way, Object where) {
    return (fault + "_" + way + "_" + where).toLowerCase(Locale.ROOT);
  }

  /** The same fault without Sluice: the fault is there. */
  private static void control(Gate gate, ChaosStack stack, Fault fault, ToxicDirection way) {
    String name = name(fault, way, "bare");
    stack.bare().strike(fault, way);
    if (fault == Fault.SLOW_CLOSE) {
      gate.control(name + "_end_millis", endMillis(stack, way), atLeast(fault.millis()));
    } else {
      CrowdResult seen = visits(stack.bare().port(), name);
      if (fault.isHarmless()) {
        long millis = struck(seen, way).totalNanos() / 1_000_000;
        gate.control(name + "_millis", millis, atLeast(fault.millis()));
      } else {
        gate.control(name + "_whole", isWhole(seen, name, way) ? 1 : 0, exactly(0));
      }
    }
    stack.bare().heal();
  }

  /** How long it takes until the end of a connection that is closed behind one answer is seen. */
  private static long endMillis(ChaosStack stack, ToxicDirection way) {
    try (var client = RawClient.connect(stack.bare().port())) {
      client.get("/end?then=" + (way == ToxicDirection.DOWNSTREAM ? "close" : "keep")).readAll();
      long began = System.nanoTime();
      if (way == ToxicDirection.UPSTREAM) {
        // The proxy closes towards the client once the origin has seen the end.
        client.halfClose();
      }
      client.awaitEnd();
      return (System.nanoTime() - began) / 1_000_000;
    }
  }

  private static void trial(
      Gate gate, ChaosStack stack, Side side, Fault fault, ToxicDirection way) {
    String name = name(fault, way, side);
    Line line = side == Side.CLIENT ? stack.front() : stack.back();
    int port = side == Side.CLIENT ? stack.front().port() : stack.sluice().port();
    line.strike(fault, way);
    CrowdResult seen = visits(port, name);
    line.heal();
    gate.measured(
        name + "_whole", isWhole(seen, name, way) ? 1 : 0, exactly(fault.isHarmless() ? 1 : 0));
    List<Sight> sights = List.of(page(seen, name), upload(seen));
    gate.measured(name + "_page_and_upload", sights);
    gate.measured(
        name + "_lies",
        sights.stream().filter(sight -> sight == Sight.WRONG || sight == Sight.HUNG).count(),
        exactly(0));
    gate.measured(
        name + "_recovery_millis",
        stack.recoveryMillis("/after/" + name),
        atMost(RECOVERY_MILLIS_MAX));
  }

  /** A page and an upload at once. */
  private static CrowdResult visits(int port, String name) {
    return Crowd.send(
        port,
        List.of(
            Visit.get("/page/" + name + STREAMED),
            Visit.get("/upload/" + name + "?upload=1").posting(UPLOAD)),
        ChaosStack.PATIENCE);
  }

  /** The one that has enough bytes going that way for every fault. */
  private static VisitRecord struck(CrowdResult seen, ToxicDirection way) {
    return seen.visits().get(way == ToxicDirection.DOWNSTREAM ? 0 : 1);
  }

  private static boolean isWhole(CrowdResult seen, String name, ToxicDirection way) {
    return (way == ToxicDirection.DOWNSTREAM ? page(seen, name) : upload(seen)) == Sight.WHOLE;
  }

  private static Sight page(CrowdResult seen, String name) {
    return Sight.of(seen.visits().get(0), "/page/" + name, PAGE);
  }

  private static Sight upload(CrowdResult seen) {
    return Sight.ofUpload(seen.visits().get(1), UPLOAD);
  }

  /** Uploads that the origin saw more than once. */
  private static long twice(ChaosStack stack) {
    return stack.origin().stats().paths().entrySet().stream()
        .filter(path -> path.getKey().startsWith("/upload/"))
        .filter(path -> !path.getKey().endsWith("_bare"))
        .filter(path -> path.getValue() > 1)
        .count();
  }
}
