package dev.sluice.reports.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.reports.Chart;
import dev.sluice.reports.GateReport;
import dev.sluice.reports.ReportFolder;
import dev.sluice.reports.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MutationScoresTest {
  @TempDir Path root;

  @Test
  void mutants_areCountedAndHeldToTheFloor() throws IOException {
    pitRan();

    assertThat(MutationScores.broken(root.toString(), "judge=50", "admit=90")).isEmpty();

    List<GateReport> reports = ReportFolder.read(ReportFolder.of(root));
    assertThat(reports).extracting(GateReport::name).containsExactly("mutation-judge");
    GateReport report = reports.get(0);
    assertThat(report.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(report.measured())
        .containsEntry("changes", 4)
        .containsEntry("noticed", 2)
        .containsEntry("not_noticed", 2)
        .containsEntry("of_these_not_run_by_a_test", 1)
        .containsEntry("noticed_percent", 50.0);
    assertThat(report.charts().get(0).lines())
        .extracting(Chart.Line::name)
        .containsExactly("Barriers", "Terms");
  }

  @Test
  void scoreBelowItsFloor_isBroken() throws IOException {
    pitRan();
    assertThat(MutationScores.broken(root.toString(), "judge=51"))
        .containsExactly("noticed_percent: 50.0 (expected: at least 51)");
  }

  @Test
  void wrongArguments_areRefused() {
    assertThatThrownBy(() -> MutationScores.broken(root.toString()))
        .hasMessageContaining("expected: ROOT PART=FLOOR...");
    assertThatThrownBy(() -> MutationScores.broken(root.toString(), "judge"))
        .hasMessageContaining("judge (expected: PART=FLOOR)");
  }

  private void pitRan() throws IOException {
    Path folder = Files.createDirectories(root.resolve("target/gates/mutation/judge"));
    Files.writeString(
        folder.resolve("mutations.xml"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><mutations partial=\"true\">"
            + mutation("true", "KILLED", "Judge")
            + mutation("true", "TIMED_OUT", "Judge$Cases")
            + mutation("false", "SURVIVED", "Barriers")
            + mutation("false", "NO_COVERAGE", "Terms$Draft")
            + "</mutations>");
  }

  private static String mutation(String detected, String status, String className) {
    return """
        <mutation detected='%s' status='%s' numberOfTestsRun='3'>
        <sourceFile>X.java</sourceFile><mutatedClass>dev.sluice.governor.judge.%s</mutatedClass>
        <mutatedMethod>of</mutatedMethod><lineNumber>12</lineNumber>
        <description>negated conditional</description></mutation>
        """
        .formatted(detected, status, className);
  }
}
