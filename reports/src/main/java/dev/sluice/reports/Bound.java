package dev.sluice.reports;

import java.util.function.Predicate;

/**
 * What a figure is held to, once as text for the report and once as the test of it. Immutable.
 *
 * @param text reads on behind the figure's name
 */
public record Bound(String text, Predicate<Object> holds) {

  public static Bound exactly(long expected) {
    return number("exactly " + expected, value -> value == expected);
  }

  public static Bound atMost(double most) {
    return number("at most " + plain(most), value -> value <= most);
  }

  public static Bound atLeast(double least) {
    return number("at least " + plain(least), value -> value >= least);
  }

  public static Bound below(double end) {
    return number("below " + plain(end), value -> value < end);
  }

  public static Bound above(double end) {
    return number("above " + plain(end), value -> value > end);
  }

  /** Both ends included. */
  public static Bound between(double least, double most) {
    return number(
        "from " + plain(least) + " to " + plain(most), value -> value >= least && value <= most);
  }

  /** For what is no number. */
  public static Bound equalTo(Object expected) {
    return new Bound("equal to " + expected, expected::equals);
  }

  private static Bound number(String text, Predicate<Double> holds) {
    return new Bound(
        text, value -> value instanceof Number number && holds.test(number.doubleValue()));
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
