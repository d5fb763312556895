package dev.sluice.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

final class GateTest {
  @TempDir Path root;

  @Test
  void boundsThatHold_areWrittenAsPassed() throws IOException {
    gate()
        .judge(
            gate -> {
              gate.control("peak", 60, Bound.exactly(60));
              gate.measured("peak", 10L, Bound.exactly(10));
            });

    GateReport report = written();
    assertThat(report.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(report.bound()).isEqualTo("control peak exactly 60; peak exactly 10");
    assertThat(report.parameters()).containsEntry("ceiling", 10);
    assertThat(report.reason()).isEmpty();
  }

  @Test
  void brokenBound_isWrittenAsFailedBeforeItFailsTheTest() throws IOException {
    assertThatThrownBy(
            () ->
                gate()
                    .judge(
                        gate -> {
                          gate.measured("peak", 11, Bound.atMost(10));
                          gate.measured("status", 200, Bound.exactly(200));
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("peak: 11 (expected: at most 10)");

    assertThat(written().verdict()).isEqualTo(Verdict.FAILED);
    assertThat(written().measured()).containsEntry("status", 200);
  }

  @Test
  void controlThatDoesNotShowTheProblem_fails() throws IOException {
    assertThatThrownBy(() -> gate().judge(gate -> gate.control("peak", 10, Bound.above(10))))
        .isInstanceOf(AssertionError.class);
    assertThat(written().verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void trialThatEndsEarly_isWrittenAsFailedWithTheReason() throws IOException {
    assertThatThrownBy(
            () ->
                gate()
                    .judge(
                        gate -> {
                          gate.measured("peak", 10, Bound.exactly(10));
                          throw new IOException("the origin is gone");
                        }))
        .hasRootCauseMessage("the origin is gone");

    assertThat(written().verdict()).isEqualTo(Verdict.FAILED);
    assertThat(written().reason()).contains("the origin is gone");
  }

  @Test
  void missingTool_isWrittenAsSkippedWithTheReason() throws IOException {
    assertThatThrownBy(() -> gate().judge(gate -> gate.skip("no nginx", Assumptions::abort)))
        .isInstanceOf(TestAbortedException.class);

    assertThat(written().verdict()).isEqualTo(Verdict.SKIPPED);
    assertThat(written().reason()).isEqualTo("no nginx");
  }

  @Test
  void gateThatEndsWithoutATrial_tellsWhatIsBroken() throws IOException {
    Gate gate = gate();
    gate.measured("peak", 11, Bound.atMost(10));
    assertThat(gate.end()).containsExactly("peak: 11 (expected: at most 10)");
    assertThat(written().verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void figuresWithoutABound_areReportedOnly() throws IOException {
    gate().judge(gate -> gate.measured("nanos", 17.5));
    assertThat(written().verdict()).isEqualTo(Verdict.REPORTED);
  }

  @Test
  void checks_sayForEachFigureWhetherItsBoundHeld() throws IOException {
    assertThatThrownBy(
            () ->
                gate()
                    .judge(
                        gate -> {
                          gate.control("peak", 60, Bound.exactly(60));
                          gate.measured("peak", 11, Bound.between(1, 10));
                        }))
        .isInstanceOf(AssertionError.class);

    assertThat(written().checks())
        .containsExactly(
            new Check(true, "peak", "exactly 60", 60.0, 60.0, true),
            new Check(false, "peak", "from 1 to 10", 1.0, 10.0, false));
  }

  @Test
  void lineOverTime_isInTheReportWithItsUnitAndLimit() throws IOException {
    gate()
        .judge(
            gate -> {
              gate.series("in flight", "requests", "governed", List.of(new Point(0.5, 10)));
              gate.controlSeries("in flight", "requests", "direct", List.of(new Point(0.5, 60)));
              gate.limit("in flight", "ceiling", 10);
            });

    assertThat(written().charts())
        .containsExactly(
            new Chart(
                "in flight",
                Chart.Kind.OVER_TIME,
                "requests",
                List.of(
                    new Chart.Line("governed", false, List.of(new Point(0.5, 10))),
                    new Chart.Line("direct", true, List.of(new Point(0.5, 60)))),
                List.of(new Chart.Limit("ceiling", 10))));
  }

  @Test
  void percentiles_areThoseThatSoManySamplesCanTell() throws IOException {
    double[] samples = IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i).toArray();
    gate().judge(gate -> gate.percentiles("latency", "ms", "governed", samples));

    Chart chart = written().charts().get(0);
    assertThat(chart.kind()).isEqualTo(Chart.Kind.PERCENTILES);
    assertThat(chart.lines().get(0).points())
        .containsExactly(
            new Point(50, 50),
            new Point(75, 75),
            new Point(90, 90),
            new Point(95, 95),
            new Point(99, 99),
            new Point(100, 100));
  }

  @Test
  void percentilesOfNothing_areALineWithoutPoints() throws IOException {
    gate().judge(gate -> gate.controlPercentiles("latency", "ms", "direct", new double[0]));
    assertThat(written().charts().get(0).lines().get(0).points()).isEmpty();
  }

  @Test
  void bars_areOneLineEach() throws IOException {
    gate()
        .judge(
            gate -> {
              gate.bar("CPU for a hit", "us", "sluice", 11);
              gate.controlBar("CPU for a hit", "us", "nginx", 17);
            });
    assertThat(written().charts()).hasSize(1);
    assertThat(written().charts().get(0).lines())
        .extracting(Chart.Line::name, Chart.Line::control)
        .containsExactly(tuple("sluice", false), tuple("nginx", true));
  }

  @Test
  void chart_ofTwoUnits_isRefused() {
    assertThatThrownBy(
            () ->
                gate()
                    .judge(
                        gate -> {
                          gate.series("memory", "MiB", "heap", List.of());
                          gate.series("memory", "bytes", "direct", List.of());
                        }))
        .hasMessageContaining("OVER_TIME in bytes (expected: OVER_TIME in MiB)");
  }

  @Test
  void lineOfManyPoints_keepsItsExtremes() {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      points.add(new Point(i, i == 5_001 ? 99 : i == 5_003 ? -99 : i == 7 ? Double.NaN : 1));
    }
    List<Point> kept = new Chart.Line("a", false, points).points();
    assertThat(kept)
        .hasSizeLessThanOrEqualTo(400)
        .contains(new Point(5_001, 99), new Point(5_003, -99))
        .isSortedAccordingTo(Comparator.comparingDouble(Point::x));
  }

  @Test
  void sampler_looksUntilItIsClosed() {
    var looks = new AtomicInteger();
    Sampler sampler = Sampler.every(Duration.ofMillis(1), looks::incrementAndGet);
    await(() -> sampler.points().size() >= 3);
    sampler.close();
    List<Point> points = sampler.points();
    assertThat(points).hasSize(looks.get());
    assertThat(points).extracting(Point::y).startsWith(1.0, 2.0, 3.0);
    assertThat(points).isSortedAccordingTo(Comparator.comparingDouble(Point::x));
  }

  @Test
  void sampler_lookThatFails_leavesAGap() {
    var looks = new AtomicInteger();
    Callable<Integer> everyOther =
        () -> {
          if (looks.incrementAndGet() % 2 == 0) {
            throw new IOException("gone");
          }
          return looks.get();
        };
    try (var sampler = Sampler.every(Duration.ofMillis(1), everyOther)) {
      await(() -> sampler.points().size() >= 2);
      assertThat(sampler.points()).extracting(Point::y).startsWith(1.0, 3.0);
    }
  }

  private static void await(BooleanSupplier condition) {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNanos).as("patience").isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void source_namesTheClassOfTheGate() throws IOException {
    DemoGate.claim(root).judge(gate -> gate.measured("nanos", 17.5));
    assertThat(written().source()).isEqualTo(new Source("reports", "DemoGate", "claim"));
  }

  /** Stands for a gate's class. */
  private static final class DemoGate {
    static Gate claim(Path root) {
      return Gate.claim("demo", "A claim.", root);
    }
  }

  @Test
  void joinedReports_areNoGate() throws IOException {
    gate().judge(gate -> gate.measured("peak", 10, Bound.exactly(10)));
    Files.writeString(ReportFolder.of(root).resolve(ReportFolder.JOINED), "{}");
    assertThat(ReportFolder.read(ReportFolder.of(root))).containsExactly(written());
  }

  @Test
  void table_hasALineForEachGateAndCountsThem() throws IOException {
    gate().judge(gate -> gate.measured("peak", 10, Bound.exactly(10)));
    Gate.claim("other", "Another claim.", root).judge(gate -> gate.measured("nanos", 17.5));

    assertThat(GateTable.of(ReportFolder.of(root)).lines().toList())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("PASSED    demo ").endsWith("peak 10");
              assertThat(lines.get(1)).startsWith("REPORTED  other").endsWith("nanos 17.5");
              assertThat(lines.get(2))
                  .isEqualTo("gates: 1 passed, 0 failed, 1 reported, 0 skipped");
            });
  }

  @Test
  void table_withoutReports_saysSo() throws IOException {
    assertThat(GateTable.of(root.resolve("none"))).startsWith("gates: none left a report in ");
  }

  @Test
  void bounds_holdWhatTheySay() {
    assertThat(Bound.between(2, 3).holds().test(3)).isTrue();
    assertThat(Bound.between(2, 3).holds().test(3.5)).isFalse();
    assertThat(Bound.atLeast(2).holds().test(2)).isTrue();
    assertThat(Bound.atLeast(2).holds().test(1L)).isFalse();
    assertThat(Bound.below(2).holds().test(2)).isFalse();
    assertThat(Bound.equalTo("a").holds().test("b")).isFalse();
    assertThat(Bound.exactly(2).holds().test("2")).isFalse();
    assertThat(Bound.atMost(1.5).text()).isEqualTo("at most 1.5");
  }

  private Gate gate() {
    return Gate.claim("demo", "The origin's peak is the ceiling.", root).given("ceiling", 10);
  }

  private GateReport written() throws IOException {
    return GateReport.parse(Files.readString(ReportFolder.of(root).resolve("demo.json")));
  }
}
