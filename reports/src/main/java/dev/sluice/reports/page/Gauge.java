package dev.sluice.reports.page;

import dev.sluice.reports.Check;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A figure, the control's, and the range that the figure is held to, drawn to one scale. Immutable.
 *
 * @param measured NaN = no number
 * @param control NaN = none
 * @param check null = held to nothing
 */
record Gauge(double measured, double control, @Nullable Check check) {
  private static final double WIDTH = 200;

  static Gauge of(@Nullable Object measured, @Nullable Object control, @Nullable Check check) {
    return new Gauge(number(measured), number(control), check);
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** "" where a drawing would say no more than the numbers. */
  String svg() {
    double most = most();
    if (!Double.isFinite(measured) || most <= 0 || measured < 0 || saysNothing()) {
      return "";
    }
    Scale scale = Scale.fromZero(most * 1.04);
    StringBuilder svg =
        new StringBuilder(
            "<svg class=\"gauge\" viewBox=\"0 0 200 22\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    if (check != null && (check.least() != null || check.most() != null)) {
      double from = check.least() == null ? 0 : scale.at(check.least());
      double to = check.most() == null ? 1 : scale.at(check.most());
      rect(svg, "allowed", from, Math.max(to - from, 0.01), 0, 22);
    }
    boolean broken = check != null && !check.held();
    rect(svg, broken ? "broken" : "ours", 0, Math.max(scale.at(measured), 0.006), 4, 8);
    if (Double.isFinite(control)) {
      rect(svg, "control", 0, Math.max(scale.at(control), 0.006), 14, 4);
    }
    return svg.append("</svg>").toString();
  }

  private boolean saysNothing() {
    boolean isRange = check != null && !Objects.equals(check.least(), check.most());
    boolean isBroken = check != null && !check.held();
    return !isRange && !isBroken && (!Double.isFinite(control) || control == measured);
  }

  private double most() {
    DoubleStream limits =
        check == null
            ? DoubleStream.empty()
            : DoubleStream.of(orNone(check.least()), orNone(check.most()));
    return DoubleStream.concat(DoubleStream.of(measured, control), limits)
        .filter(Double::isFinite)
        .max()
        .orElse(0);
  }

  private static double orNone(@Nullable Double limit) {
    return limit == null ? Double.NaN : limit;
  }

  private static void rect(
      StringBuilder svg, String style, double from, double width, int y, int height) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"/>"
            .formatted(style, Html.px(from * WIDTH), y, Html.px(width * WIDTH), height));
  }
}
