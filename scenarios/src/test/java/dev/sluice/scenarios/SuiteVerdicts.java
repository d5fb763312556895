package dev.sluice.scenarios;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the suite made of one run. Immutable. */
record SuiteVerdicts(List<Line> lines) {

  static final String REQUIRED = "required";
  static final String OPTIMAL = "optimal";

  private static final int CELLS = 4;

  /** One test: {@code kind} is required, optimal or check. */
  record Line(String id, String kind, String verdict, String name) {
    boolean passed() {
      return verdict.equals("passed");
    }
  }

  SuiteVerdicts {
    lines = List.copyOf(lines);
  }

  /** Reads the lines of {@code run.sh}; what else it printed is not among them. */
  static SuiteVerdicts parse(List<String> output) {
    return new SuiteVerdicts(
        output.stream()
            .map(line -> line.split("\t", -1))
            .filter(cells -> cells.length == CELLS)
            .map(cells -> new Line(cells[0], cells[1], cells[2], cells[3]))
            .toList());
  }

  int total(String kind) {
    return (int) ofKind(kind).count();
  }

  int passed(String kind) {
    return (int) ofKind(kind).filter(Line::passed).count();
  }

  /** The ids of this kind that did not pass, in order. */
  TreeSet<String> notPassed(String kind) {
    var ids = new TreeSet<String>();
    ofKind(kind).filter(line -> !line.passed()).forEach(line -> ids.add(line.id()));
    return ids;
  }

  /** Whatever did not pass, for people. */
  void print(String title) {
    System.out.printf("%s: not passed%n", title);
    Stream.concat(ofKind(REQUIRED), ofKind(OPTIMAL))
        .filter(line -> !line.passed())
        .forEach(
            line ->
                System.out.printf(
                    "  %-9s %-11s %-46s %s%n",
                    line.kind(), line.verdict(), line.id(), line.name()));
  }

  private Stream<Line> ofKind(String kind) {
    return lines.stream().filter(line -> line.kind().equals(kind));
  }
}
