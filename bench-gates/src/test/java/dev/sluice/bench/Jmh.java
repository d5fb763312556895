package dev.sluice.bench;

import java.util.Collection;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The results of one run of a class of benchmarks, in a JVM of its own. Immutable. */
record Jmh(Collection<RunResult> results) {

  /** Runs them all; one that throws fails the run. */
  static Jmh run(Class<?> benchmarks) throws RunnerException {
    return new Jmh(
        new Runner(
                new OptionsBuilder()
                    .include(benchmarks.getName())
                    .forks(1)
                    .warmupIterations(5)
                    .warmupTime(TimeValue.milliseconds(300))
                    .measurementIterations(25)
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
    return tenths(
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
            .min()
            .orElseThrow());
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
