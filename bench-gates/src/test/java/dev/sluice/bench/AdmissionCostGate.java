package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** A grant costs at most ten uncontended locks, and not a byte. */
class AdmissionCostGate {

  private static final double MAX_LOCKS = 10;
  private static final double MAX_BYTES = 0.5;

  @Test
  void grantAndReturn_uncontended_costsAtMostTenLocksAndNoByte() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(AdmissionBenchmark.class.getName())
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.milliseconds(500))
                    .measurementIterations(5)
                    .measurementTime(TimeValue.milliseconds(500))
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .build())
            .run();
    double drain = score(results, "drain");
    double lock = score(results, "lockAlone");
    double bytes = bytes(results, "drain");
    System.out.printf(
        "admission: grant and return %.1f ns, behind a lock %.1f ns, lock alone %.1f ns: ratio %.2f"
            + " (bound %.0f); %.4f bytes (bound %.1f)%n",
        drain, score(results, "locked"), lock, drain / lock, MAX_LOCKS, bytes, MAX_BYTES);

    assertThat(drain).isLessThanOrEqualTo(MAX_LOCKS * lock);
    assertThat(bytes).isLessThan(MAX_BYTES);
  }

  private static double score(Collection<RunResult> results, String benchmark) {
    return find(results, benchmark).getPrimaryResult().getScore();
  }

  private static double bytes(Collection<RunResult> results, String benchmark) {
    return Objects.requireNonNull(
            find(results, benchmark).getSecondaryResults().get("gc.alloc.rate.norm"))
        .getScore();
  }

  private static RunResult find(Collection<RunResult> results, String benchmark) {
    return results.stream()
        .filter(result -> result.getParams().getBenchmark().endsWith("." + benchmark))
        .findFirst()
        .orElseThrow();
  }
}
