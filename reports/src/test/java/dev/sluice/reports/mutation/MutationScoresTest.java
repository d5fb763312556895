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
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MutationScoresTest {
  private static final Instant SINCE = Instant.parse("2026-12-01T12:00:00Z");

  @TempDir Path root;

  @Test
  void mutants_areCounted() throws IOException {
    pitRan();
    explained("judge", "no. 2 of 2 `negated conditional`, `removed call to Judge::of`");

    assertThat(broken("judge")).isEmpty();

    GateReport report = onlyReport();
    assertThat(report.name()).isEqualTo("mutation-judge");
    assertThat(report.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(report.measured())
        .containsEntry("changes", 5)
        .containsEntry("noticed", 3)
        .containsEntry("not_noticed", 2)
        .containsEntry("of_these_not_run_by_a_test", 1)
        .containsEntry("not_explained", 0)
        .containsEntry("explained_and_noticed", 0)
        .containsEntry("noticed_percent", 60.0);
    assertThat(report.charts().get(0).lines())
        .extracting(Chart.Line::name)
        .containsExactly("Barriers");
  }

  @Test
  void survivorThatNobodyExplains_failsWithTheReportMade() throws IOException {
    pitRan();

    assertThatThrownBy(() -> MutationScores.main(root.toString(), SINCE.toString(), "judge"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("mutation check: judge: not_explained: 2 (expected: at most 0)");

    assertThat(onlyReport().verdict()).isEqualTo(Verdict.FAILED);
    assertThat(ReportFolder.of(root).resolve("index.html"))
        .content()
        .contains("not_explained: 2 (expected: at most 0)");
  }

  @Test
  void survivorThatIsExplained_leavesTheReport() throws IOException {
    pitRan();
    explained("judge", "no. 2 of 2 `negated conditional`, `removed call to Judge::of`");

    MutationScores.main(root.toString(), SINCE.toString(), "judge");

    assertThat(ReportFolder.of(root).resolve("index.html")).exists();
  }

  /** The other place of the same change is another change, and so is the same one elsewhere. */
  @Test
  void explanation_isOfOnePlaceInOnePart() throws IOException {
    pitRan();
    explained("judge", "no. 1 of 2 `negated conditional`, `removed call to Judge::of`");
    assertThat(broken("judge")).containsExactly("judge: not_explained: 1 (expected: at most 0)");

    explained("admit", "no. 2 of 2 `negated conditional`, `removed call to Judge::of`");
    assertThat(broken("judge")).containsExactly("judge: not_explained: 2 (expected: at most 0)");
  }

  @Test
  void explanationOfWhatIsNoticed_isSaid() throws IOException {
    pitRan();
    explained(
        "judge",
        "no. 1 of 2 `negated conditional`, no. 2 of 2 `negated conditional`,"
            + " `removed call to Judge::of`");

    assertThat(broken("judge")).isEmpty();

    assertThat(onlyReport().measured()).containsEntry("explained_and_noticed", 1);
  }

  @Test
  void explanationOfWhatIsNotThere_isBroken() throws IOException {
    pitRan();
    explained(
        "judge",
        "no. 2 of 3 `negated conditional`, no. 2 of 2 `negated conditional`,"
            + " `removed call to Judge::of`");

    assertThat(broken("judge"))
        .containsExactly("judge: explained_and_not_there: 1 (expected: at most 0)");
  }

  @Test
  void partThatWasNotChecked_isBroken() throws IOException {
    assertThat(broken("admit"))
        .containsExactly("admit: pit_report: missing (expected: equal to current)");
    assertThat(onlyReport().verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void partThatAnEarlierBuildChecked_isBroken() throws IOException {
    Files.setLastModifiedTime(pitRan(), FileTime.from(SINCE.minusSeconds(1)));
    explained("judge", "no. 2 of 2 `negated conditional`, `removed call to Judge::of`");

    assertThat(broken("judge"))
        .containsExactly("judge: pit_report: earlier (expected: equal to current)");
  }

  @Test
  void wrongArguments_areRefused() {
    assertThatThrownBy(() -> MutationScores.broken(root.toString(), SINCE.toString()))
        .hasMessageContaining("expected: ROOT SINCE PART...");
  }

  private List<String> broken(String part) throws IOException {
    return MutationScores.broken(root.toString(), SINCE.toString(), part);
  }

  private GateReport onlyReport() throws IOException {
    List<GateReport> reports = ReportFolder.read(ReportFolder.of(root));
    assertThat(reports).hasSize(1);
    return reports.get(0);
  }

  private void explained(String part, String changes) throws IOException {
    Path docs = Files.createDirectories(root.resolve("docs"));
    Files.writeString(
        docs.resolve("mutation-survivors.md"),
        """
        ## %s

        | where | what | why |
        |---|---|---|
        | `Barriers.of` | %s | it does not matter |

        ## freshness

        None.
        """
            .formatted(part, changes));
  }

  /** PIT lists the mutants of a class in no order. */
  private Path pitRan() throws IOException {
    Path folder = Files.createDirectories(root.resolve("target/gates/mutation/judge"));
    Path file =
        Files.writeString(
            folder.resolve("mutations.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><mutations partial=\"true\">"
                + mutation("KILLED", "Judge", "of", 9, "negated conditional")
                + mutation("TIMED_OUT", "Judge$Cases", "of", 9, "negated conditional")
                + mutation("SURVIVED", "Barriers", "of", 11, "negated conditional")
                + mutation("KILLED", "Barriers", "of", 7, "negated conditional")
                + mutation(
                    "NO_COVERAGE",
                    "Barriers$Draft",
                    "lambda$of$3",
                    5,
                    "removed call to dev/sluice/governor/judge/Judge::of")
                + "</mutations>");
    return Files.setLastModifiedTime(file, FileTime.from(SINCE));
  }

  private static String mutation(
      String status, String className, String method, int index, String change) {
    boolean detected = status.equals("KILLED") || status.equals("TIMED_OUT");
    return """
        <mutation detected='%s' status='%s' numberOfTestsRun='3'>
        <sourceFile>X.java</sourceFile><mutatedClass>dev.sluice.governor.judge.%s</mutatedClass>
        <mutatedMethod>%s</mutatedMethod><lineNumber>12</lineNumber>
        <indexes><index>%d</index></indexes><description>%s</description></mutation>
        """
        .formatted(detected, status, className, method, index, change);
  }
}
