package dev.sluice.reports;

import java.util.ArrayList;
import java.util.List;

/**
 * What a gate saw, to be drawn: lines over time, percentiles, or bars. Immutable.
 *
 * @param title of the chart, one in a gate
 * @param unit of the values, such as {@code ms} or {@code MiB}; "" = a plain number
 * @param limits at which a line is drawn across
 */
public record Chart(String title, Kind kind, String unit, List<Line> lines, List<Limit> limits) {

  /** How the points of a line lie. */
  public enum Kind {
    /** x is seconds since the begin. */
    OVER_TIME,
    /** x is the percentage of samples that are at most y. */
    PERCENTILES,
    /** Each line is one bar: its one point's y. */
    BARS
  }

  /**
   * One line or bar.
   *
   * @param control whether it shows the control run, or a peer
   */
  public record Line(String name, boolean control, List<Point> points) {
    /** More cannot be told apart on a screen. */
    private static final int POINTS_MAX = 400;

    /** Leaves out points that are no numbers; of too many it keeps each stretch's extremes. */
    public Line {
      points = thinned(points.stream().filter(Point::isFinite).toList());
    }

    private static List<Point> thinned(List<Point> points) {
      if (points.size() <= POINTS_MAX) {
        return List.copyOf(points);
      }
      List<Point> kept = new ArrayList<>();
      int stretches = POINTS_MAX / 2;
      for (int i = 0; i < stretches; i++) {
        int from = (int) ((long) points.size() * i / stretches);
        int to = (int) ((long) points.size() * (i + 1) / stretches);
        keepExtremes(points.subList(from, to), kept);
      }
      return List.copyOf(kept);
    }

    private static void keepExtremes(List<Point> stretch, List<Point> kept) {
      Point least = stretch.get(0);
      Point most = least;
      for (Point point : stretch) {
        least = point.y() < least.y() ? point : least;
        most = point.y() > most.y() ? point : most;
      }
      kept.add(least.x() <= most.x() ? least : most);
      if (!least.equals(most)) {
        kept.add(least.x() <= most.x() ? most : least);
      }
    }
  }

  /** A value that the lines are to stay below, or above. */
  public record Limit(String name, double at) {}

  public Chart {
    lines = List.copyOf(lines);
    limits = List.copyOf(limits);
  }

  static Chart of(String title, Kind kind, String unit) {
    return new Chart(title, kind, unit, List.of(), List.of());
  }

  Chart with(Line line) {
    List<Line> more = new ArrayList<>(lines);
    more.add(line);
    return new Chart(title, kind, unit, more, limits);
  }

  Chart with(Limit limit) {
    List<Limit> more = new ArrayList<>(limits);
    more.add(limit);
    return new Chart(title, kind, unit, lines, more);
  }
}
