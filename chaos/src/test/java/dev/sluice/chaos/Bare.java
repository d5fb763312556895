package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.reports.Gate;
import java.util.List;
import java.util.function.Function;

/** The same faults without Sluice: that they are there, and what they cost. */
final class Bare {

  private Bare() {}

  /** One visit through each cell; one that is harmless costs its time, any other spoils it. */
  static void control(
      Gate gate, int originPort, Function<Cell, Line.Change> strike, Function<Cell, Visit> visit) {
    try (var lines = StruckLines.to(originPort, Cell.all()).strike(strike)) {
      lines
          .atOnce((cell, port) -> look(cell, port, visit.apply(cell)))
          .forEach((cell, seen) -> tell(gate, cell, seen));
    }
  }

  /** Milliseconds of a whole answer, or how many were whole. */
  private static long look(Cell cell, int port, Visit visit) {
    if (cell.fault() == Fault.SLOW_CLOSE) {
      return StruckLines.endMillis(port, cell.way());
    }
    VisitRecord seen = Crowd.send(port, List.of(visit), ChaosStack.PATIENCE).visits().get(0);
    boolean whole = Sight.of(seen) == Sight.WHOLE;
    long millis = seen.totalNanos() / 1_000_000;
    return cell.isHarmless() ? (whole ? millis : -1) : (whole ? 1 : 0);
  }

  private static void tell(Gate gate, Cell cell, long seen) {
    if (cell.isHarmless()) {
      gate.control(cell.name() + "_bare_millis", seen, atLeast(cell.fault().millis()));
    } else {
      gate.control(cell.name() + "_bare_whole", seen, exactly(0));
    }
  }
}
