package dev.sluice.reports.page;

import dev.sluice.reports.Chart;
import dev.sluice.reports.Chart.Line;
import dev.sluice.reports.Point;

/** Which line of a chart is whose. */
final class Legend {
  private static final int STYLES = 4;

  private Legend() {}

  /** The CSS classes of a line: our own have colours, the control's and the peers' are grey. */
  static String style(Chart chart, int index) {
    boolean control = chart.lines().get(index).control();
    long before =
        chart.lines().stream().limit(index).filter(line -> line.control() == control).count();
    return (control ? "control k" : "ours c") + (before % STYLES + 1);
  }

  static String of(Chart chart) {
    StringBuilder legend = new StringBuilder("<ul class=\"legend\">");
    for (int i = 0; i < chart.lines().size(); i++) {
      Line line = chart.lines().get(i);
      legend
          .append("<li><svg viewBox=\"0 0 22 8\" aria-hidden=\"true\"><path class=\"line ")
          .append(style(chart, i))
          .append("\" d=\"M1 4H21\"/></svg>")
          .append(Html.text(line.name()))
          .append(Html.element("span", "most", most(chart, line)))
          .append("</li>");
    }
    return legend.append("</ul>").toString();
  }

  private static String most(Chart chart, Line line) {
    var most = line.points().stream().mapToDouble(Point::y).max();
    if (most.isEmpty()) {
      return "no sample";
    }
    return "max " + Figures.quantity(most.getAsDouble(), chart.unit());
  }
}
