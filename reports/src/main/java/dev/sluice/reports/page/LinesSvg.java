package dev.sluice.reports.page;

import dev.sluice.reports.Chart;
import dev.sluice.reports.Chart.Line;
import dev.sluice.reports.Point;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A chart of lines, over time or over percentiles, as SVG. Immutable. */
final class LinesSvg {
  private static final double HEIGHT = 210;
  private static final double LEFT = 46;
  private static final double RIGHT = 388;
  private static final double TOP = 10;
  private static final double BOTTOM = 184;

  /** More points than this are a line without dots. */
  private static final int DOTS_MAX = 12;

  /** A limit so many times above all lines would flatten them. */
  private static final double LIMIT_TIMES_MAX = 2.5;

  private final Chart chart;
  private final List<Double> steps;
  private final Scale across;
  private final Scale up;

  private LinesSvg(Chart chart) {
    this.chart = chart;
    this.steps = points(chart).map(Point::x).distinct().sorted().toList();
    this.across = Scale.fromZero(steps.isEmpty() ? 1 : steps.get(steps.size() - 1));
    this.up = up(chart);
  }

  static String of(Chart chart) {
    return new LinesSvg(chart).svg();
  }

  private static Stream<Point> points(Chart chart) {
    return chart.lines().stream().flatMap(line -> line.points().stream());
  }

  private static Scale up(Chart chart) {
    double least = points(chart).mapToDouble(Point::y).min().orElse(0);
    double most = points(chart).mapToDouble(Point::y).max().orElse(1);
    for (Chart.Limit limit : chart.limits()) {
      if (limit.at() <= most * LIMIT_TIMES_MAX) {
        least = Math.min(least, limit.at());
        most = Math.max(most, limit.at());
      }
    }
    return Scale.of(least, most);
  }

  private String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 400 210\" role=\"img\" aria-label=\"")
        .append(Html.text(chart.title()))
        .append("\">");
    up.ticks().forEach(tick -> horizontal(svg, tick));
    ticksAcross(svg);
    chart.limits().stream()
        .filter(limit -> limit.at() >= up.least() && limit.at() <= up.most())
        .forEach(limit -> limit(svg, limit));
    for (int i = 0; i < chart.lines().size(); i++) {
      line(svg, chart.lines().get(i), Legend.style(chart, i));
    }
    return svg.append("</svg>").toString();
  }

  private void horizontal(StringBuilder svg, double tick) {
    String y = Html.px(y(tick));
    svg.append(
        "<path class=\"rule\" d=\"M%s %sH%s\"/>".formatted(Html.px(LEFT), y, Html.px(RIGHT)));
    svg.append(
        "<text class=\"tick end\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(Html.px(LEFT - 6), Html.px(y(tick) + 4), shortNumber(tick)));
  }

  private void ticksAcross(StringBuilder svg) {
    if (chart.kind() == Chart.Kind.PERCENTILES) {
      steps.forEach(step -> below(svg, step, percentile(step)));
      return;
    }
    Scale.of(0, across.most()).ticks().stream()
        .filter(tick -> tick <= across.most())
        .forEach(tick -> below(svg, tick, shortNumber(tick) + " s"));
  }

  private void below(StringBuilder svg, double x, String text) {
    String anchor = x(x) > RIGHT - 12 ? "end" : "middle";
    svg.append(
        "<text class=\"tick %s\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(anchor, Html.px(x(x)), Html.px(HEIGHT - 8), text));
  }

  private void limit(StringBuilder svg, Chart.Limit limit) {
    double y = y(limit.at());
    svg.append(
        "<path class=\"limit\" d=\"M%s %sH%s\"/>"
            .formatted(Html.px(LEFT), Html.px(y), Html.px(RIGHT)));
    double baseline = y < TOP + 14 ? y + 12 : y - 4;
    svg.append(
        "<text class=\"limit-name end\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(
                Html.px(RIGHT),
                Html.px(baseline),
                Html.text(limit.name() + " " + Figures.quantity(limit.at(), chart.unit()))));
  }

  private void line(StringBuilder svg, Line line, String style) {
    List<Point> points = line.points();
    if (points.isEmpty()) {
      return;
    }
    String path =
        points.stream()
            .map(point -> Html.px(x(point.x())) + " " + Html.px(y(point.y())))
            .collect(Collectors.joining("L", "M", ""));
    svg.append("<path class=\"line %s\" d=\"%s\"/>".formatted(style, path));
    if (points.size() <= DOTS_MAX) {
      points.forEach(point -> dot(svg, line, point, style));
    }
  }

  private void dot(StringBuilder svg, Line line, Point point, String style) {
    String where =
        chart.kind() == Chart.Kind.PERCENTILES
            ? percentile(point.x())
            : Figures.number(point.x()) + " s";
    svg.append(
        "<circle class=\"dot %s\" cx=\"%s\" cy=\"%s\" r=\"3\"><title>%s</title></circle>"
            .formatted(
                style,
                Html.px(x(point.x())),
                Html.px(y(point.y())),
                Html.text(
                    line.name()
                        + ", "
                        + where
                        + ": "
                        + Figures.quantity(point.y(), chart.unit()))));
  }

  private double x(double value) {
    double place = across.at(value);
    if (chart.kind() == Chart.Kind.PERCENTILES) {
      int last = Math.max(1, steps.size() - 1);
      place = 0.04 + 0.92 * Math.max(0, steps.indexOf(value)) / last;
    }
    return LEFT + place * (RIGHT - LEFT);
  }

  private double y(double value) {
    return BOTTOM - up.at(value) * (BOTTOM - TOP);
  }

  private static String percentile(double percent) {
    return percent == 100 ? "max" : percent == 50 ? "median" : "p" + Figures.number(percent);
  }

  private static String shortNumber(double number) {
    double size = Math.abs(number);
    if (size >= 1e6) {
      return Figures.number(number / 1e6) + "M";
    }
    return size >= 1e4 ? Figures.number(number / 1e3) + "k" : Figures.number(number);
  }
}
