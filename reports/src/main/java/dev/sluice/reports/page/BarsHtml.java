package dev.sluice.reports.page;

import dev.sluice.reports.Chart;
import dev.sluice.reports.Chart.Line;
import dev.sluice.reports.Point;
import java.util.List;

/** A chart of bars: ours and the peers', with the ratio of each to our first. */
final class BarsHtml {

  private BarsHtml() {}

  static String of(Chart chart) {
    List<Line> bars = chart.lines().stream().filter(line -> !line.points().isEmpty()).toList();
    Scale scale = Scale.fromZero(bars.stream().mapToDouble(BarsHtml::value).max().orElse(1));
    double ours =
        bars.stream()
            .filter(bar -> !bar.control())
            .mapToDouble(BarsHtml::value)
            .findFirst()
            .orElse(0);
    StringBuilder html = new StringBuilder("<div class=\"bars\">");
    for (Line bar : bars) {
      double value = value(bar);
      String ratio = ours > 0 && bars.size() > 1 ? times(value / ours) : "";
      html.append(Html.element("span", "bar-name", bar.name()))
          .append("<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\">")
          .append(
              "<rect class=\"%s\" width=\"%s\" height=\"10\"/></svg>"
                  .formatted(bar.control() ? "control" : "ours", Html.px(100 * scale.at(value))))
          .append(Html.element("span", "bar-value", Figures.quantity(value, chart.unit())))
          .append(Html.element("span", "bar-ratio", ratio));
    }
    return html.append("</div>").toString();
  }

  private static double value(Line bar) {
    return bar.points().stream().mapToDouble(Point::y).findFirst().orElse(0);
  }

  private static String times(double ratio) {
    return Figures.number(ratio) + "×";
  }
}
