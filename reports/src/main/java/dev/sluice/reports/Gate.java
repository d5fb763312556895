package dev.sluice.reports;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One claim under test: its trial measures the control and the governed run and says what each
 * figure is held to; then the report is written, whatever the verdict, and only then does a broken
 * bound fail the test. Confined to one thread.
 */
public final class Gate {

  /** Measures; tells the gate each figure. */
  public interface Trial {
    void run(Gate gate) throws Exception;
  }

  private final Path root;
  private final long beganNanos = System.nanoTime();
  private final List<Check> checks = new ArrayList<>();
  private final Charts charts = new Charts();
  private final List<String> broken = new ArrayList<>();
  private GateReport report;
  private boolean skipped;

  private Gate(GateReport report, Path root) {
    this.report = report;
    this.root = root;
  }

  /**
   * A gate before its trial.
   *
   * @param name of the gate and of its file
   * @param claim one sentence
   * @param root the folder of the repository
   */
  public static Gate claim(String name, String claim, Path root) {
    return new Gate(GateReport.of(name, claim, root), root);
  }

  /** A parameter of the run. */
  public Gate given(String key, Object value) {
    report = report.parameter(key, value);
    return this;
  }

  /** A figure that is reported only. */
  public void measured(String key, Object value) {
    report = report.measured(key, value);
  }

  public void measured(String key, Object value, Bound bound) {
    measured(key, value);
    hold(false, key, value, bound);
  }

  /** A figure of the run without the mechanism that is reported only. */
  public void control(String key, Object value) {
    report = report.control(key, value);
  }

  /** A figure of the run without the mechanism: it shows that the problem is there. */
  public void control(String key, Object value, Bound bound) {
    control(key, value);
    hold(true, key, value, bound);
  }

  /**
   * A line of a chart over time. Lines of the same title share a chart, so their unit is the same.
   *
   * @param chart its title, such as {@code memory}
   * @param unit of the values, such as {@code MiB}
   * @param line its name in the legend
   * @param points x in seconds since the begin, rising
   */
  public void series(String chart, String unit, String line, List<Point> points) {
    charts.add(chart, Chart.Kind.OVER_TIME, unit, new Chart.Line(line, false, points));
  }

  /** The same of the run without the mechanism. */
  public void controlSeries(String chart, String unit, String line, List<Point> points) {
    charts.add(chart, Chart.Kind.OVER_TIME, unit, new Chart.Line(line, true, points));
  }

  /**
   * A line of a chart of percentiles: the median, 75, 90, 95, 99, 99.9 as far as so many samples
   * can tell, and the largest.
   *
   * @param samples in any order
   */
  public void percentiles(String chart, String unit, String line, double[] samples) {
    var points = Charts.percentiles(samples);
    charts.add(chart, Chart.Kind.PERCENTILES, unit, new Chart.Line(line, false, points));
  }

  /** The same of the run without the mechanism. */
  public void controlPercentiles(String chart, String unit, String line, double[] samples) {
    var points = Charts.percentiles(samples);
    charts.add(chart, Chart.Kind.PERCENTILES, unit, new Chart.Line(line, true, points));
  }

  /** A bar of our own, in a chart of bars. */
  public void bar(String chart, String unit, String name, double value) {
    bar(chart, unit, name, false, value);
  }

  /** A bar of a peer, or of the run without the mechanism: ours is told as a ratio to it. */
  public void controlBar(String chart, String unit, String name, double value) {
    bar(chart, unit, name, true, value);
  }

  private void bar(String chart, String unit, String name, boolean isControl, double value) {
    var line = new Chart.Line(name, isControl, List.of(new Point(0, value)));
    charts.add(chart, Chart.Kind.BARS, unit, line);
  }

  /** A line across a chart that is there, at a value that matters, such as a ceiling. */
  public void limit(String chart, String name, double at) {
    charts.limit(chart, name, at);
  }

  /**
   * Writes that the gate was not run, and why; then {@code end} ends the test, as {@code
   * Assumptions::abort} does.
   */
  public <T> T skip(String why, Function<String, T> end) {
    skipped = true;
    publish(Verdict.SKIPPED, why);
    return end.apply(why);
  }

  /**
   * Runs the trial, writes the report, and throws if a bound is broken or the trial ended early.
   */
  public void judge(Trial trial) {
    try {
      trial.run(this);
    } catch (Exception | Error e) {
      if (!skipped) {
        publish(Verdict.FAILED, e.toString());
      }
      throw unchecked(e);
    }
    if (!end().isEmpty()) {
      String why = String.join("; ", broken);
      throw new AssertionError(report.name() + ": " + report.claim() + " But " + why);
    }
  }

  /**
   * For a gate that measured without {@link #judge}: writes the report and returns what of the
   * bounds is broken.
   */
  public List<String> end() {
    if (broken.isEmpty()) {
      publish(checks.isEmpty() ? Verdict.REPORTED : Verdict.PASSED, "");
    } else {
      publish(Verdict.FAILED, String.join("; ", broken));
    }
    return List.copyOf(broken);
  }

  private void hold(boolean isControl, String key, Object value, Bound bound) {
    Check check = Check.of(isControl, key, value, bound);
    checks.add(check);
    if (!check.held()) {
      broken.add(check.broken(value));
    }
  }

  private void publish(Verdict verdict, String why) {
    Duration duration = Duration.ofNanos(System.nanoTime() - beganNanos);
    String bounds = checks.stream().map(Check::text).collect(Collectors.joining("; "));
    report = report.seen(checks, charts.all()).judged(bounds, verdict, why, duration);
    report.publish(root);
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      return exception;
    }
    return new IllegalStateException("the trial did not come to its end", thrown);
  }
}
