package dev.sluice.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void figuresWithoutABound_areReportedOnly() throws IOException {
    gate().judge(gate -> gate.measured("nanos", 17.5));
    assertThat(written().verdict()).isEqualTo(Verdict.REPORTED);
  }

  @Test
  void table_hasALineForEachGateAndCountsThem() throws IOException {
    gate().judge(gate -> gate.measured("peak", 10, Bound.exactly(10)));
    Gate.claim("other", "Another claim.", root).judge(gate -> gate.measured("nanos", 17.5));

    assertThat(GateTable.of(GateReport.folder(root)).lines().toList())
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
    return GateReport.parse(Files.readString(GateReport.folder(root).resolve("demo.json")));
  }
}
