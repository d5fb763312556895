package dev.sluice.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One figure that was held to a bound. Immutable.
 *
 * @param control whether the figure is the control's
 * @param figure its key among the measured figures, or among the control's
 * @param bound as text
 * @param least the lower limit; null = none
 * @param most the upper limit; null = none
 */
public record Check(
    boolean control,
    String figure,
    String bound,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double least,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double most,
    boolean held) {

  static Check of(boolean control, String figure, Object value, Bound bound) {
    return new Check(
        control,
        figure,
        bound.text(),
        finite(bound.least()),
        finite(bound.most()),
        bound.holds().test(value));
  }

  /** The figure and its bound in words. */
  public String text() {
    return label() + " " + bound;
  }

  /** What went wrong, where it did. */
  String broken(Object value) {
    return label() + ": " + value + " (expected: " + bound + ")";
  }

  private String label() {
    return (control ? "control " : "") + figure;
  }

  private static @Nullable Double finite(double limit) {
    return Double.isFinite(limit) ? limit : null;
  }
}
