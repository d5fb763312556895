package dev.sluice.reports;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
  private final List<String> bounds = new ArrayList<>();
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
    hold(key, value, bound);
  }

  /** A figure of the run without the mechanism that is reported only. */
  public void control(String key, Object value) {
    report = report.control(key, value);
  }

  /** A figure of the run without the mechanism: it shows that the problem is there. */
  public void control(String key, Object value, Bound bound) {
    control(key, value);
    hold("control " + key, value, bound);
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
    if (broken.isEmpty()) {
      publish(bounds.isEmpty() ? Verdict.REPORTED : Verdict.PASSED, "");
      return;
    }
    String why = String.join("; ", broken);
    publish(Verdict.FAILED, why);
    throw new AssertionError(report.name() + ": " + report.claim() + " But " + why);
  }

  private void hold(String key, Object value, Bound bound) {
    bounds.add(key + " " + bound.text());
    if (!bound.holds().test(value)) {
      broken.add(key + ": " + value + " (expected: " + bound.text() + ")");
    }
  }

  private void publish(Verdict verdict, String why) {
    Duration duration = Duration.ofNanos(System.nanoTime() - beganNanos);
    report = report.judged(String.join("; ", bounds), verdict, why, duration);
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
