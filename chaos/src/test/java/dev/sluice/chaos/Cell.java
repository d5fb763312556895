package dev.sluice.chaos;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Bound;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A fault and the way that it strikes; with a line, one cell of the README's table. Immutable. */
record Cell(Fault fault, ToxicDirection way) {

  static List<Cell> all() {
    return Stream.of(ToxicDirection.values()).flatMap(way -> of(way).stream()).toList();
  }

  /** Every fault, one way. */
  static List<Cell> of(ToxicDirection way) {
    return Arrays.stream(Fault.values()).map(fault -> new Cell(fault, way)).toList();
  }

  /** Whether it strikes what comes from the origin. */
  boolean isDown() {
    return way == ToxicDirection.DOWNSTREAM;
  }

  boolean isHarmless() {
    return fault.isHarmless();
  }

  /** Of so many visits, those that are whole: all or none. */
  Bound whole(int count) {
    return exactly(isHarmless() ? count : 0);
  }

  String name() {
    return (fault + "_" + way).toLowerCase(Locale.ROOT);
  }

  /** Where bodies go both ways. */
  Line.Change strike() {
    return line -> fault.strike(line.toxics(), way, Fault.Load.BODY);
  }

  /** Where nothing but heads goes up. */
  Line.Change strikeGets() {
    Fault.Load load = isDown() ? Fault.Load.BODY : Fault.Load.HEAD;
    return line -> fault.strike(line.toxics(), way, load);
  }

  /** Whether a body is struck that ends with its connection. */
  boolean isLateEnd() {
    return fault == Fault.SLOW_CLOSE && isDown();
  }

  /**
   * What has the connection between Sluice and the origin end behind the answer, where it is the
   * end that is struck: the origin closes, and a body ends so, or Sluice does.
   */
  String closing() {
    if (fault != Fault.SLOW_CLOSE) {
      return "";
    }
    return isDown() ? "&framing=close" : "&h=Connection:close";
  }
}
