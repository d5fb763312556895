package dev.sluice.bench;

import java.util.Collection;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The results of one run of a class of benchmarks, in a JVM of its own. Immutable. */
record Jmh(Collection<RunResult> results) {

  /** The tests' JVMs look for leaks, which allocates for each buffer; benchmarks' do not. */
  private static final String NO_LEAK_DETECTION = "-Dio.netty.leakDetection.level=disabled";

  /** How long each benchmark of a class runs. */
  private enum Length {
    /** For times that are held to a bound. */
    FULL(5, 300, 25),
    /** For bytes, which are the same each time once the code is compiled. */
    BRIEF(4, 250, 10);

    private final int warmUps;
    private final int warmUpMillis;
    private final int iterations;

    Length(int warmUps, int warmUpMillis, int iterations) {
      this.warmUps = warmUps;
      this.warmUpMillis = warmUpMillis;
      this.iterations = iterations;
    }
  }

  /** Runs them all; one that throws fails the run. */
  static Jmh run(Class<?> benchmarks) throws RunnerException {
    return run(benchmarks, Length.FULL);
  }

  /** The same in half the time, where bytes are what counts. */
  static Jmh runBriefly(Class<?> benchmarks) throws RunnerException {
    return run(benchmarks, Length.BRIEF);
  }

  private static Jmh run(Class<?> benchmarks, Length length) throws RunnerException {
    return new Jmh(
        new Runner(
                new OptionsBuilder()
                    .include(Pattern.quote(benchmarks.getName()) + "\\.")
                    .forks(1)
                    .jvmArgsAppend(NO_LEAK_DETECTION)
                    .warmupIterations(length.warmUps)
                    .warmupTime(TimeValue.milliseconds(length.warmUpMillis))
                    .measurementIterations(length.iterations)
                    .measurementTime(TimeValue.milliseconds(100))
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run());
  }

  /**
   * Nanoseconds for one operation in the best of many short iterations: what else runs on the
   * machine only ever adds to it.
   */
  double nanos(RunResult result) {
    return tenths(best(result));
  }

  /** How many of {@code yardstick} one takes, each in its best iteration. */
  double times(RunResult result, RunResult yardstick) {
    return Math.round(100 * best(result) / best(yardstick)) / 100.0;
  }

  private static double best(RunResult result) {
    return result.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
        .min()
        .orElseThrow();
  }

  /** Nanoseconds that this share of the sampled operations did not exceed. */
  double nanos(RunResult result, double percent) {
    return tenths(result.getPrimaryResult().getStatistics().getPercentile(percent));
  }

  /** Bytes allocated for one operation. */
  double bytes(RunResult result) {
    return tenths(
        Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
  }

  /**
   * The same in the median of the iterations: where the machine is busy, the first of them may run
   * before the code is compiled.
   */
  double medianBytes(RunResult result) {
    double[] bytes =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(iteration -> iteration.getSecondaryResults().get("gc.alloc.rate.norm"))
            .mapToDouble(each -> Objects.requireNonNull(each).getScore())
            .sorted()
            .toArray();
    return tenths(bytes[bytes.length / 2]);
  }

  RunResult of(String benchmark) {
    return of(benchmark, "");
  }

  /** The benchmark's result with this design; "" = it has but one. */
  RunResult of(String benchmark, String design) {
    return results.stream()
        .filter(result -> result.getParams().getBenchmark().endsWith("." + benchmark))
        .filter(result -> design.isEmpty() || design.equals(result.getParams().getParam("design")))
        .findFirst()
        .orElseThrow();
  }

  private static double tenths(double figure) {
    return Math.round(figure * 10) / 10.0;
  }
}
