package dev.sluice.reports.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values lie on an axis, and the round numbers at its ticks. Immutable.
 *
 * @param least the value at its begin
 * @param most the value at its end
 * @param logarithmic whether equal ratios, not equal differences, lie equally far apart
 */
record Scale(double least, double most, boolean logarithmic) {
  /** Above this ratio of the largest to the smallest a linear axis hides the small. */
  private static final double LINEAR_RATIO_MAX = 60;

  /** Of values above zero that differ little, the axis shows the difference. */
  private static final double NARROW = 0.75;

  private static final int TICKS = 4;

  /** From zero, or from near the least where all are close together. */
  static Scale of(double least, double most) {
    if (least > 0 && most / least > LINEAR_RATIO_MAX) {
      return new Scale(
          Math.pow(10, Math.floor(Math.log10(least))),
          Math.pow(10, Math.ceil(Math.log10(most))),
          true);
    }
    double begin = least > most * NARROW ? least - (most - least) * 0.5 : Math.min(0, least);
    double end = most <= begin ? begin + 1 : most;
    double step = step(end - begin);
    return new Scale(
        Math.floor(begin / step + 1e-9) * step, Math.ceil(end / step - 1e-9) * step, false);
  }

  /** From zero to the largest itself. */
  static Scale fromZero(double most) {
    return new Scale(0, most <= 0 ? 1 : most, false);
  }

  /** Its place, from 0 at the begin to 1 at the end. */
  double at(double value) {
    double place =
        logarithmic
            ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
            : (value - least) / (most - least);
    return Math.min(1, Math.max(0, place));
  }

  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = least; tick <= most * 1.001; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = step(most - least);
    for (int i = 0; least + i * step <= most + step / 1e6; i++) {
      ticks.add(Math.round((least + i * step) / step) * step);
    }
    return ticks;
  }

  /** One, two or five times a power of ten. */
  private static double step(double span) {
    double rough = span / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  }
}
