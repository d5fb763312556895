package dev.sluice.reports;

import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * One point of a chart's line. Immutable.
 *
 * @param x seconds since the begin, or a percentage
 * @param y in the chart's unit
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record Point(double x, double y) {

  /** A value of now; {@code beganNanos} is what {@code System.nanoTime()} said at the begin. */
  public static Point since(long beganNanos, double y) {
    return new Point((System.nanoTime() - beganNanos) / 1e9, y);
  }

  boolean isFinite() {
    return Double.isFinite(x) && Double.isFinite(y);
  }
}
