package dev.sluice.reports;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.Predicate;

/**
 * What a figure is held to: as text for the report, as the test of it, and as the limits that a
 * chart can draw. Immutable.
 *
 * @param text reads on behind the figure's name
 * @param least the lower limit; negative infinity = none
 * @param most the upper limit; positive infinity = none
 */
public record Bound(String text, Predicate<Object> holds, double least, double most) {

  /** A bound that no chart can draw. */
  public Bound(String text, Predicate<Object> holds) {
    this(text, holds, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  public static Bound exactly(long expected) {
    return number(
        "exactly " + expected, value -> value == expected, (double) expected, (double) expected);
  }

  public static Bound atMost(double most) {
    return number("at most " + plain(most), value -> value <= most, Double.NEGATIVE_INFINITY, most);
  }

  public static Bound atLeast(double least) {
    return number(
        "at least " + plain(least), value -> value >= least, least, Double.POSITIVE_INFINITY);
  }

  public static Bound below(double end) {
    return number("below " + plain(end), value -> value < end, Double.NEGATIVE_INFINITY, end);
  }

  public static Bound above(double end) {
    return number("above " + plain(end), value -> value > end, end, Double.POSITIVE_INFINITY);
  }

  /** Both ends included. */
  public static Bound between(double least, double most) {
    return number(
        "from " + plain(least) + " to " + plain(most),
        value -> value >= least && value <= most,
        least,
        most);
  }

  /** For what is no number. */
  public static Bound equalTo(Object expected) {
    return new Bound("equal to " + expected, expected::equals);
  }

  private static Bound number(String text, Predicate<Double> holds, double least, double most) {
    return new Bound(
        text,
        value -> value instanceof Number number && holds.test(number.doubleValue()),
        least,
        most);
  }

  /** What is no whole number to six digits, which is enough to read; it is held to all of them. */
  private static String plain(double number) {
    return number == Math.rint(number)
        ? Long.toString((long) number)
        : BigDecimal.valueOf(number).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }
}
