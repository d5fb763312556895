package dev.sluice.reports.page;

import dev.sluice.reports.Check;
import dev.sluice.reports.GateReport;
import dev.sluice.reports.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What differs between an earlier run and this one. Immutable.
 *
 * @param share the change of a figure, as a share of its earlier value, from which on it is told
 * @param sameMachine whether both ran on the same processor and JDK, so that times compare
 * @param added names of gates that the earlier run did not have
 * @param gone names of gates that this run does not have
 */
record Comparison(
    Suite earlier,
    double share,
    boolean sameMachine,
    List<Turned> turned,
    List<Moved> moved,
    List<String> added,
    List<String> gone) {

  /** A gate of another verdict than before. */
  record Turned(String gate, Verdict from, Verdict to) {
    boolean isWorse() {
      return to == Verdict.FAILED || (from == Verdict.PASSED && to == Verdict.SKIPPED);
    }
  }

  /** Whether a figure's change is toward its bound or away from it. */
  enum Direction {
    BETTER,
    WORSE,
    UNKNOWN
  }

  /** A measured figure that changed by more than the share. */
  record Moved(String gate, String figure, double from, double to, Direction direction) {
    double ratio() {
      return from == 0 ? Double.POSITIVE_INFINITY : to / from;
    }

    /** How far it moved, whichever way. */
    double size() {
      double ratio = Math.abs(ratio());
      return ratio == 0 ? Double.POSITIVE_INFINITY : Math.max(ratio, 1 / ratio);
    }
  }

  static Comparison of(Suite earlier, Suite now, double share) {
    Map<String, GateReport> before = byName(earlier);
    Map<String, GateReport> after = byName(now);
    List<Turned> turned = new ArrayList<>();
    List<Moved> moved = new ArrayList<>();
    for (GateReport gate : now.gates()) {
      GateReport old = before.get(gate.name());
      if (old != null) {
        if (old.verdict() != gate.verdict()) {
          turned.add(new Turned(gate.name(), old.verdict(), gate.verdict()));
        }
        moved.addAll(moved(old, gate, share));
      }
    }
    moved.sort(Comparator.comparingDouble(Moved::size).reversed());
    return new Comparison(
        earlier,
        share,
        isSameMachine(earlier, now),
        turned,
        moved,
        after.keySet().stream().filter(name -> !before.containsKey(name)).toList(),
        before.keySet().stream().filter(name -> !after.containsKey(name)).toList());
  }

  private static Map<String, GateReport> byName(Suite suite) {
    return suite.gates().stream()
        .collect(
            Collectors.toMap(GateReport::name, Function.identity(), (a, b) -> b, TreeMap::new));
  }

  private static List<Moved> moved(GateReport old, GateReport now, double share) {
    List<Moved> moved = new ArrayList<>();
    now.measured()
        .forEach(
            (figure, value) -> {
              if (value instanceof Number to
                  && old.measured().get(figure) instanceof Number from
                  && isMoved(from.doubleValue(), to.doubleValue(), share)) {
                moved.add(
                    new Moved(
                        now.name(),
                        figure,
                        from.doubleValue(),
                        to.doubleValue(),
                        direction(now, figure, to.doubleValue() > from.doubleValue())));
              }
            });
    return moved;
  }

  private static boolean isMoved(double from, double to, double share) {
    return Math.abs(to - from) > share * Math.abs(from);
  }

  private static Direction direction(GateReport gate, String figure, boolean rose) {
    for (Check check : gate.checks()) {
      if (!check.control() && check.figure().equals(figure)) {
        if (check.least() == null && check.most() != null) {
          return rose ? Direction.WORSE : Direction.BETTER;
        }
        if (check.least() != null && check.most() == null) {
          return rose ? Direction.BETTER : Direction.WORSE;
        }
      }
    }
    return Direction.UNKNOWN;
  }

  private static boolean isSameMachine(Suite earlier, Suite now) {
    return kinds(earlier).equals(kinds(now));
  }

  private static List<String> kinds(Suite suite) {
    return suite.machines().stream()
        .map(machine -> machine.cores() + " " + machine.cpu() + " " + machine.jdk())
        .distinct()
        .sorted()
        .toList();
  }

  boolean isEmpty() {
    return turned.isEmpty() && moved.isEmpty() && added.isEmpty() && gone.isEmpty();
  }

  /** Whether a gate that passed does so no longer, or is no longer there. */
  boolean hasRegression() {
    return !gone.isEmpty() || turned.stream().anyMatch(Turned::isWorse);
  }
}
