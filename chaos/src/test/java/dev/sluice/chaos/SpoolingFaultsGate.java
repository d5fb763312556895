package dev.sluice.chaos;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.PeerClosed;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import eu.rekawek.toxiproxy.model.toxic.Bandwidth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every fault while an answer is spooled for a client on a narrow line: the permit is back when the
 * origin is done, the spool is empty when the client is gone (SPL, A09).
 */
class SpoolingFaultsGate {

  private static final String LINE = "narrow";
  private static final int PAGE = 1_400_000;

  /** Kilobytes a second: the page takes nearly three seconds on such a line. */
  private static final int NARROW = 500;

  /** Hardly anything, so that whatever was spooled is still there when the last page is, too. */
  private static final int NARROWEST = 20;

  /** More than the sockets and the line take in, so that some is in the spool for a while. */
  private static final int STRUCK_PAGE = 800_000;

  private static final int STREAMED_PAGE = 300_000;

  /**
   * Nothing goes up while a page is spooled: of what strikes there, what ends a connection bites.
   */
  private static final List<Cell> CELLS =
      Stream.concat(
              Cell.of(ToxicDirection.DOWNSTREAM).stream(),
              Stream.of(Fault.SLOW_CLOSE, Fault.TIMEOUT)
                  .map(fault -> new Cell(fault, ToxicDirection.UPSTREAM)))
          .toList();

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 1s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 200ms
        concurrency: { max: 1, queue: { max: 20, timeout: 1s, predict: false } }
      spool: { enabled: true, max_body: 2MiB }
      routes:
        - { id: held, match: "/held/**", class: private_dynamic, spool: { enabled: false } }
        - { id: many, match: "/many/**", class: private_dynamic, concurrency: { queue: { timeout: 19s } } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void narrowLine_isSpooledFor_andThePermitIsBack() {
    ChaosStack.claim(
            "spooling",
            "A client on a narrow line holds no permit once the origin is done, and gets every byte"
                + " that its line and the origin's let through.")
        .given("page_bytes", PAGE)
        .given("kilobytes_a_second", NARROW)
        .given("page_bytes_on_struck_lines", STRUCK_PAGE)
        .given("page_bytes_from_a_struck_origin", STREAMED_PAGE)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                Bare.control(
                    gate,
                    stack.origin().port(),
                    Cell::strikeGets,
                    cell -> StruckLines.get("/bare?bytes=60000"));
                stack.front().strike(line -> narrow(line, NARROW));
                var held = beginSlow(stack, "/held/page");
                gate.control("probe_without_spool", probe(stack), equalTo(Sight.SHED));
                Await.until("end of the held page", ChaosStack.PATIENCE, held::isDone);

                var slow = beginSlow(stack, "/spooled/page");
                gate.measured("probe", probe(stack), equalTo(Sight.WHOLE));
                gate.measured("page_was_under_way", !slow.isDone(), equalTo(true));
                gate.measured("spool_bytes_then", stack.account().spoolBytes(), above(0));
                clientsLines(gate, stack);
                CrowdResult whole = slow.join();
                gate.measured("page", sight(whole), equalTo(Sight.WHOLE));
                gate.measured("page_millis", whole.wall().toMillis(), atLeast(2_500));

                lineCut(gate, stack);
                originsLine(gate, stack);
                stack.judgeAftermath(gate);
              }
            });
  }

  /** Faults on the lines of clients whose pages are spooled; each line is narrow besides. */
  private static void clientsLines(Gate gate, ChaosStack stack) {
    stack.origin().reset();
    try (var lines = StruckLines.to(stack.sluice().port(), CELLS)) {
      lines.strike(cell -> line -> narrow(line, NARROWEST));
      var begun =
          lines.begin(
              (cell, port) ->
                  ChaosStack.crowd(
                      port, 1, "/many/" + cell.name() + "_client?bytes=" + STRUCK_PAGE));
      Await.until(
          "pages that the origin is done with",
          ChaosStack.PATIENCE,
          () -> stack.origin().stats().finishedWriting() == CELLS.size());
      gate.measured(
          "spool_bytes_when_struck",
          stack.account().spoolBytes(),
          atLeast((double) CELLS.size() * STRUCK_PAGE));
      lines.strike(Cell::strikeGets);
      lines.strike(cell -> line -> line.toxics().get(LINE, Bandwidth.class).setRate(NARROW));
      begun.join().forEach((cell, seen) -> judge(gate, cell, cell.name() + "_client", seen));
      lines.judgeEnds(gate);
    }
  }

  /** Faults on the origin's line in the middle of pages that are spooled. */
  private static void originsLine(Gate gate, ChaosStack stack) {
    Map<Cell, CompletableFuture<CrowdResult>> pages = new LinkedHashMap<>();
    for (Cell cell : CELLS) {
      String name = cell.name() + "_origin";
      stack.origin().reset();
      pages.put(
          cell,
          ChaosStack.crowdBeside(stack.front().port(), 1, "/spooled/" + name + streamed(cell)));
      Await.until(
          "the page's beginning",
          ChaosStack.PATIENCE,
          () -> stack.origin().stats().bytesWritten() > STREAMED_PAGE / 15);
      stack.back().strike(cell.strikeGets());
      Await.until("flight that is over", ChaosStack.PATIENCE, () -> stack.account().flights() == 0);
      stack.back().heal();
      // The permit is back, although the page is read on.
      gate.measured(name + "_probe", probe(stack), equalTo(Sight.WHOLE));
      gate.measured(
          name + "_recovery_millis", stack.recoveryMillis("/after/" + name), atMost(3_000));
    }
    pages.forEach((cell, page) -> judge(gate, cell, cell.name() + "_origin", page.join()));
  }

  private static void judge(Gate gate, Cell cell, String name, CrowdResult seen) {
    gate.measured(name + "_seen", sight(seen));
    gate.measured(name + "_whole", Sight.count(seen, Sight.WHOLE), cell.whole(1));
    gate.measured(name + "_lies", Sight.lies(seen), exactly(0));
  }

  /** A page whose line breaks while its rest is spooled. */
  private static void lineCut(Gate gate, ChaosStack stack) {
    try (var client = RawClient.connect(stack.front().port(), ChaosStack.PATIENCE)) {
      client.get("/spooled/client?bytes=" + PAGE).readHead();
      Await.until("spooled bytes", ChaosStack.PATIENCE, () -> stack.account().spoolBytes() > 0);
      stack.front().cut();
      gate.measured("client_gone", isCut(client), equalTo(true));
    }
    long began = System.nanoTime();
    Await.until("empty spool", ChaosStack.PATIENCE, () -> stack.account().spoolBytes() == 0);
    gate.measured(
        "spool_empty_after_millis", (System.nanoTime() - began) / 1_000_000, atMost(2_000));
    stack.front().restore();
  }

  /** Whether the body ends before it is whole. */
  private static boolean isCut(RawClient client) {
    try {
      client.readBody(PAGE);
      return false;
    } catch (PeerClosed | UncheckedIOException end) {
      return true;
    }
  }

  private static void narrow(Proxy line, int kilobytesASecond) throws IOException {
    line.toxics().bandwidth(LINE, ToxicDirection.DOWNSTREAM, kilobytesASecond);
  }

  /** In pieces 40 ms apart: for what breaks them long enough to be struck in the middle. */
  private static String streamed(Cell cell) {
    int chunks = cell.isHarmless() ? 12 : 60;
    return "?bytes=" + STREAMED_PAGE + "&chunks=" + chunks + "&every=40" + cell.closing();
  }

  /** Returns once the origin has been asked. */
  private static CompletableFuture<CrowdResult> beginSlow(ChaosStack stack, String path) {
    stack.origin().reset();
    var slow = ChaosStack.crowdBeside(stack.front().port(), 1, path + "?bytes=" + PAGE);
    Await.until(
        "the page's request",
        ChaosStack.PATIENCE,
        () -> stack.origin().stats().requestsUnder(path) == 1);
    return slow;
  }

  private static Sight probe(ChaosStack stack) {
    return stack.sight("/probe", 1_000, "");
  }

  private static Sight sight(CrowdResult seen) {
    return Sight.of(seen.visits().get(0));
  }
}
