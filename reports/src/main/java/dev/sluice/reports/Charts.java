package dev.sluice.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The charts of one gate while it measures, by title, in their order. Confined to one thread. */
final class Charts {
  private static final double[] PERCENTS = {50, 75, 90, 95, 99, 99.9};

  private final Map<String, Chart> byTitle = new LinkedHashMap<>();

  List<Chart> all() {
    return List.copyOf(byTitle.values());
  }

  void add(String title, Chart.Kind kind, String unit, Chart.Line line) {
    byTitle.put(title, chart(title, kind, unit).with(line));
  }

  void limit(String title, String name, double at) {
    Chart chart = byTitle.get(title);
    if (chart == null) {
      throw new IllegalArgumentException(
          "limit of " + title + " (expected: a chart that is there)");
    }
    byTitle.put(title, chart.with(new Chart.Limit(name, at)));
  }

  private Chart chart(String title, Chart.Kind kind, String unit) {
    Chart chart = byTitle.computeIfAbsent(title, unused -> Chart.of(title, kind, unit));
    if (chart.kind() != kind || !chart.unit().equals(unit)) {
      throw new IllegalArgumentException(
          title
              + ": "
              + kind
              + " in "
              + unit
              + " (expected: "
              + chart.kind()
              + " in "
              + chart.unit()
              + ")");
    }
    return chart;
  }

  /**
   * The percentiles that so many samples can tell: each is the smallest sample that at least this
   * percentage does not exceed; 100 is the largest.
   */
  static List<Point> percentiles(double[] samples) {
    double[] sorted = Arrays.stream(samples).filter(Double::isFinite).sorted().toArray();
    List<Point> points = new ArrayList<>();
    if (sorted.length == 0) {
      return points;
    }
    for (double percent : PERCENTS) {
      int rank = (int) Math.ceil(percent * sorted.length / 100 - 1e-9);
      if (rank < sorted.length) {
        points.add(new Point(percent, sorted[Math.max(rank, 1) - 1]));
      }
    }
    points.add(new Point(100, sorted[sorted.length - 1]));
    return points;
  }
}
