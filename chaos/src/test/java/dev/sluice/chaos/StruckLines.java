package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A line to one port for each of many cells, so that all can strike at once. Confined to the gate's
 * thread.
 */
final class StruckLines implements AutoCloseable {

  private final Map<Cell, Line> lines = new LinkedHashMap<>();

  private StruckLines() {}

  /** Without a fault yet. */
  static StruckLines to(int port, List<Cell> cells) {
    var struck = new StruckLines();
    cells.forEach(cell -> struck.lines.put(cell, Line.to(port)));
    return struck;
  }

  /** From now on, on open connections too. */
  StruckLines strike(Function<Cell, Line.Change> strike) {
    lines.forEach((cell, line) -> line.strike(strike.apply(cell)));
    return this;
  }

  /** Runs this for every cell at once, with the port where its line begins; what came of each. */
  <R> Map<Cell, R> atOnce(BiFunction<Cell, Integer, R> visit) {
    return begin(visit).join();
  }

  /** The same, beside the gate's thread. */
  <R> CompletableFuture<Map<Cell, R>> begin(BiFunction<Cell, Integer, R> visit) {
    Map<Cell, CompletableFuture<R>> begun = new LinkedHashMap<>();
    lines.forEach(
        (cell, line) ->
            begun.put(
                cell,
                CompletableFuture.supplyAsync(
                    () -> visit.apply(cell, line.port()), ChaosStack::startThread)));
    return CompletableFuture.allOf(begun.values().toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> {
              Map<Cell, R> seen = new LinkedHashMap<>();
              begun.forEach((cell, run) -> seen.put(cell, run.join()));
              return seen;
            });
  }

  /** A late end is seen where a connection is closed. */
  void judgeEnds(Gate gate) {
    lines.forEach(
        (cell, line) -> {
          if (cell.fault() == Fault.SLOW_CLOSE) {
            long millis = endMillis(line.port(), cell.way());
            gate.control(
                cell.name() + "_client_end_millis", millis, atLeast(cell.fault().millis()));
          }
        });
  }

  @Override
  public void close() {
    lines.values().forEach(Line::close);
  }

  /** A GET whose head is long enough to be struck. */
  static Visit get(String target) {
    return Visit.get(target).header("x-fill", "x".repeat(200));
  }

  /**
   * How long a visit takes up to the end of its connection, which its server closes behind the
   * answer, or, where what goes up is struck, its client.
   */
  static long endMillis(int port, ToxicDirection way) {
    boolean down = way == ToxicDirection.DOWNSTREAM;
    long began = System.nanoTime();
    try (var client = RawClient.connect(port, ChaosStack.PATIENCE)) {
      client.send(
          "GET /end HTTP/1.1\r\nHost: localhost\r\nConnection: "
              + (down ? "close" : "keep-alive")
              + "\r\n\r\n");
      client.readAll();
      if (!down) {
        // The proxy closes towards the client once the other side has seen the end.
        client.halfClose();
      }
      client.awaitEnd();
      return (System.nanoTime() - began) / 1_000_000;
    }
  }
}
