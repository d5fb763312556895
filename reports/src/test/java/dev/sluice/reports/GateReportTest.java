package dev.sluice.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GateReportTest {
  @TempDir Path folder;

  @Test
  void report_writtenAndRead_isEqual() throws IOException {
    GateReport report = demo();
    Path file = report.write(folder.resolve("gates"));
    assertThat(file).hasFileName("demo.json");
    assertThat(GateReport.parse(Files.readString(file))).isEqualTo(report);
  }

  @Test
  void json_names_areInSnakeCase() {
    assertThat(demo().toJson()).contains("\"duration_millis\" : 1500", "\"verdict\" : \"PASSED\"");
  }

  @Test
  void text_hasParametersBesideNumbers() {
    assertThat(demo().toText())
        .containsSubsequence(
            "gate demo: PASSED", "parameter requests", "60", "measured origin_peak", "10")
        .contains("control origin_peak", "at most 10");
  }

  @Test
  void parameters_keepTheirOrder() {
    GateReport report = demo().parameter("a", 1).parameter("z", 2).parameter("b", 3);
    assertThat(report.parameters().keySet()).containsExactly("requests", "a", "z", "b");
  }

  @Test
  void report_ofAnEarlierVersion_hasNoChecksAndCharts() {
    GateReport report =
        GateReport.parse(
            """
            {"name": "demo", "claim": "A claim.", "parameters": {}, "measured": {"peak": 10},
             "bound": "peak exactly 10", "verdict": "PASSED", "control": {}, "reason": "",
             "machine": {"cpu": "a", "cores": 2, "system": "s", "jdk": "j", "commit": ""},
             "duration_millis": 12, "unheard_of": 1}
            """);
    assertThat(report.measured()).containsEntry("peak", 10);
    assertThat(report.checks()).isEmpty();
    assertThat(report.charts()).isEmpty();
    assertThat(report.source()).isEqualTo(Source.UNKNOWN);
  }

  @Test
  void name_ofTheJoinedFile_isRefused() {
    assertThatThrownBy(() -> GateReport.of("gates", "claim", folder))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void name_thatIsNoFileName_isRefused() {
    assertThatThrownBy(() -> GateReport.of("../demo", "claim", folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("../demo");
  }

  @Test
  void machine_outsideARepository_hasNoCommit() {
    assertThat(Machine.here(folder).commit()).isEmpty();
    assertThat(Machine.here(folder).cores()).isPositive();
  }

  private GateReport demo() {
    return GateReport.of("demo", "the origin's peak stays within the ceiling", folder)
        .parameter("requests", 60)
        .measured("origin_peak", 10)
        .control("origin_peak", 60)
        .judged("at most 10", Verdict.PASSED, Duration.ofMillis(1_500));
  }
}
