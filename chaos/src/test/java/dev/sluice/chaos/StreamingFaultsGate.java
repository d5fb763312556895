package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every fault, either way, on either side of Sluice, while a page streams down and an upload
 * streams up: who gets an end gets the right bytes, and an upload is done once at most (A04, C03).
 */
class StreamingFaultsGate {

  private static final int PAGE = 60_000;
  private static final int UPLOAD = 60_000;
  private static final int STREAM_MILLIS = 150;
  private static final long RECOVERY_MILLIS_MAX = 3_000;

  /** Little is read ahead, so that an upload is under way to the origin when it is struck. */
  private static final String CONFIG =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
        read_ahead: 16KiB
        graceful: { drain_period: 0s }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 500ms
        concurrency: { max: 40 }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void faultsWhileStreaming_noClientIsLiedTo() {
    ChaosStack.claim(
            "streaming", "Whatever befalls a stream on either side, no client takes it for whole.")
        .given("page_bytes", PAGE)
        .given("upload_bytes", UPLOAD)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                Bare.control(
                    gate,
                    stack.origin().port(),
                    Cell::strike,
                    cell -> cell.isDown() ? page("bare", "") : upload("bare"));
                stack.origin().reset();
                clientsLines(gate, stack);
                for (Cell cell : Cell.all()) {
                  originsLine(gate, stack, cell);
                }
                gate.measured("uploads_done_twice", twice(stack), exactly(0));
                stack.judgeAftermath(gate);
              }
            });
  }

  /** All at once, each on a line of its own. */
  private static void clientsLines(Gate gate, ChaosStack stack) {
    try (var lines = StruckLines.to(stack.sluice().port(), Cell.all()).strike(Cell::strike)) {
      lines
          .atOnce((cell, port) -> visits(port, cell.name() + "_client", ""))
          .forEach((cell, seen) -> judge(gate, cell, cell.name() + "_client", seen));
      lines.judgeEnds(gate);
    }
    uploadCut(gate, stack);
    long recovery = stack.recoveryMillis("/after/client");
    gate.measured("client_recovery_millis", recovery, atMost(RECOVERY_MILLIS_MAX));
  }

  /** Piece by piece: what came before the cut is at the origin by then. */
  private static void uploadCut(Gate gate, ChaosStack stack) {
    String name = "cut_upload";
    Visit slow = upload(name).dribbling(UPLOAD, UPLOAD / 10, Duration.ofMillis(100));
    stack.front().strike(new Cell(Fault.LIMIT_DATA, ToxicDirection.UPSTREAM).strike());
    CutUpload.judge(
        gate,
        stack.sluice(),
        () -> stack.origin().stats(),
        "/upload/" + name,
        () -> Crowd.send(stack.front().port(), List.of(slow), ChaosStack.PATIENCE));
    stack.front().heal();
  }

  private static void originsLine(Gate gate, ChaosStack stack, Cell cell) {
    String name = cell.name() + "_origin";
    stack.back().strike(cell.strike());
    CrowdResult seen = visits(stack.sluice().port(), name, cell.closing());
    stack.back().heal();
    judge(gate, cell, name, seen);
    if (cell.isLateEnd()) {
      long millis = seen.visits().get(0).totalNanos() / 1_000_000;
      gate.control(name + "_page_millis", millis, atLeast(STREAM_MILLIS + cell.fault().millis()));
    }
    long recovery = stack.recoveryMillis("/after/" + name);
    gate.measured(name + "_recovery_millis", recovery, atMost(RECOVERY_MILLIS_MAX));
  }

  private static void judge(Gate gate, Cell cell, String name, CrowdResult seen) {
    List<Sight> sights = seen.visits().stream().map(Sight::of).toList();
    // The one that has enough bytes going that way for every fault.
    Sight struck = sights.get(cell.isDown() ? 0 : 1);
    gate.measured(name + "_page_and_upload", sights);
    gate.measured(name + "_whole", struck == Sight.WHOLE ? 1 : 0, cell.whole(1));
    gate.measured(name + "_lies", Sight.lies(seen), exactly(0));
  }

  /** A page and an upload at once. */
  private static CrowdResult visits(int port, String name, String closing) {
    Visit page = page(name, "&chunks=6&every=" + STREAM_MILLIS / 5 + closing);
    return Crowd.send(port, List.of(page, upload(name)), ChaosStack.PATIENCE);
  }

  private static Visit page(String name, String parameters) {
    return Visit.get("/page/" + name + "?bytes=" + PAGE + parameters);
  }

  private static Visit upload(String name) {
    return Visit.get("/upload/" + name + "?upload=1").posting(UPLOAD);
  }

  /** Uploads that the origin saw more than once. */
  private static long twice(ChaosStack stack) {
    return stack.origin().stats().paths().entrySet().stream()
        .filter(path -> path.getKey().startsWith("/upload/"))
        .filter(path -> path.getValue() > 1)
        .count();
  }
}
