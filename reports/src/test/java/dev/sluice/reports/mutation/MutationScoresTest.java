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
  void mutants_areCounted() throws IOException {
    pitRan();
    explained("`negated conditional`, `removed call to Judge::of`");

    assertThat(MutationScores.broken(root.toString(), "judge")).isEmpty();

    List<GateReport> reports = ReportFolder.read(ReportFolder.of(root));
    assertThat(reports).extracting(GateReport::name).containsExactly("mutation-judge");
    GateReport report = reports.get(0);
    assertThat(report.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(report.measured())
        .containsEntry("changes", 4)
        .containsEntry("noticed", 2)
        .containsEntry("not_noticed", 2)
        .containsEntry("of_these_not_run_by_a_test", 1)
        .containsEntry("not_explained", 0)
        .containsEntry("noticed_percent", 50.0);
    assertThat(report.charts().get(0).lines())
        .extracting(Chart.Line::name)
        .containsExactly("Barriers");
  }

  /** A survivor is named by its method and by what was changed, as often as that survives. */
  @Test
  void survivorThatNobodyExplains_isBroken() throws IOException {
    pitRan();
    assertThat(MutationScores.broken(root.toString(), "judge"))
        .containsExactly("not_explained: 2 (expected: at most 0)");

    explained("2 x `negated conditional`");

    assertThat(MutationScores.broken(root.toString(), "judge"))
        .containsExactly("not_explained: 1 (expected: at most 0)");
  }

  @Test
  void partThatWasNotChecked_isBroken() throws IOException {
    assertThat(MutationScores.broken(root.toString(), "admit"))
        .singleElement()
        .asString()
        .startsWith("admit: PIT left no ");
  }

  @Test
  void wrongArguments_areRefused() {
    assertThatThrownBy(() -> MutationScores.broken(root.toString()))
        .hasMessageContaining("expected: ROOT PART...");
  }

  private void explained(String changes) throws IOException {
    Path docs = Files.createDirectories(root.resolve("docs"));
    Files.writeString(
        docs.resolve("mutation-survivors.md"),
        """
        | where | what | why |
        |---|---|---|
        | `Barriers.of` | %s | it does not matter |
        """
            .formatted(changes));
  }

  private void pitRan() throws IOException {
    Path folder = Files.createDirectories(root.resolve("target/gates/mutation/judge"));
    Files.writeString(
        folder.resolve("mutations.xml"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><mutations partial=\"true\">"
            + mutation("true", "KILLED", "Judge", "of", "negated conditional")
            + mutation("true", "TIMED_OUT", "Judge$Cases", "of", "negated conditional")
            + mutation("false", "SURVIVED", "Barriers", "of", "negated conditional")
            + mutation(
                "false",
                "NO_COVERAGE",
                "Barriers$Draft",
                "lambda$of$3",
                "removed call to dev/sluice/governor/judge/Judge::of")
            + "</mutations>");
  }

  private static String mutation(
      String detected, String status, String className, String method, String change) {
    return """
        <mutation detected='%s' status='%s' numberOfTestsRun='3'>
        <sourceFile>X.java</sourceFile><mutatedClass>dev.sluice.governor.judge.%s</mutatedClass>
        <mutatedMethod>%s</mutatedMethod><lineNumber>12</lineNumber>
        <description>%s</description></mutation>
        """
        .formatted(detected, status, className, method, change);
  }
}
