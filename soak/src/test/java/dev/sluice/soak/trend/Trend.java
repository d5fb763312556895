package dev.sluice.soak.trend;

import dev.sluice.reports.Point;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The trend of measurements over time. Immutable.
 *
 * <p>The slope is Theil and Sen's: the median of the slopes between all pairs, which up to 29 of
 * 100 wild measurements do not move. Whether there is a trend at all is told by Mann and Kendall's
 * test: how many pairs rise and how many fall, as a number of standard deviations from what chance
 * gives, with their correction for ties.
 *
 * @param slope per second
 * @param deviations z of the test; positive = rising
 * @param spanSeconds from the first measurement to the last
 */
public record Trend(double slope, double deviations, double spanSeconds) {

  /** One in a thousand rows without any trend passes this by chance. */
  public static final double SIGNIFICANT = 3.09;

  private static final int LEAST = 8;

  /**
   * The trend of these points.
   *
   * @param points x in seconds, rising
   * @throws IllegalArgumentException if there are fewer than eight
   */
  public static Trend of(List<Point> points) {
    if (points.size() < LEAST) {
      throw new IllegalArgumentException(
          "measurements: " + points.size() + " (expected: >= " + LEAST + ")");
    }
    double span = points.get(points.size() - 1).x() - points.get(0).x();
    return new Trend(theilSen(points), mannKendall(points), span);
  }

  /** How much it grew over the whole time, by the slope. */
  public double growth() {
    return slope * spanSeconds;
  }

  /** Whether it rises, beyond chance and by more than {@code allowance} over the whole time. */
  public boolean growsBy(double allowance) {
    return deviations > SIGNIFICANT && growth() > allowance;
  }

  private static double theilSen(List<Point> points) {
    int n = points.size();
    double[] slopes = new double[n * (n - 1) / 2];
    int count = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        double rise = points.get(j).y() - points.get(i).y();
        slopes[count++] = rise / (points.get(j).x() - points.get(i).x());
      }
    }
    Arrays.sort(slopes);
    return (slopes[(count - 1) / 2] + slopes[count / 2]) / 2;
  }

  private static double mannKendall(List<Point> points) {
    int n = points.size();
    long s = 0;
    Map<Double, Long> ties = new HashMap<>();
    for (int i = 0; i < n; i++) {
      ties.merge(points.get(i).y(), 1L, Long::sum);
      for (int j = i + 1; j < n; j++) {
        s += Math.round(Math.signum(points.get(j).y() - points.get(i).y()));
      }
    }
    double variance = pairs(n);
    for (long tied : ties.values()) {
      variance -= pairs(tied);
    }
    variance /= 18;
    return s == 0 || variance <= 0 ? 0 : (s - Math.signum((double) s)) / Math.sqrt(variance);
  }

  private static double pairs(long n) {
    return (double) n * (n - 1) * (2 * n + 5);
  }
}
