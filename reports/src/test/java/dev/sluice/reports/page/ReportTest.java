package dev.sluice.reports.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  @TempDir Path root;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void folderOfReports_becomesOneFileAPageAndASummary() throws IOException {
    SampleRun run = new SampleRun(root).withAll();
    Path made = root.resolve("made/here");

    assertThat(report(run.folder().toString(), "--out", made.toString())).isZero();

    assertThat(Suite.read(made.resolve("gates.json")).gates()).isEqualTo(run.suite().gates());
    assertThat(made.resolve("index.html")).content().startsWith("<!doctype html>");
    assertThat(made.resolve("summary.md")).content().startsWith("## Sluice gates: 1 gate failed");
    assertThat(out()).contains("report: 1 gate failed; " + made.resolve("index.html"));
  }

  @Test
  void withoutOut_theFilesAreBesideTheReportsAndNoGateThemselves() throws IOException {
    SampleRun run = new SampleRun(root).withAll();
    assertThat(report(run.folder().toString())).isZero();
    assertThat(report(run.folder().toString())).isZero();
    assertThat(Suite.read(run.folder().resolve("gates.json")).gates()).hasSize(4);
  }

  @Test
  void against_isReadBeforeItIsReplaced() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    String folder = run.folder().toString();
    String joined = run.folder().resolve("gates.json").toString();
    assertThat(report(folder)).isZero();
    run.failed("ceiling").reported("newer");

    assertThat(report(folder, "--against", joined)).isZero();

    assertThat(out()).containsPattern("passed -> failed +ceiling").containsPattern("new +newer");
    assertThat(run.folder().resolve("index.html"))
        .content()
        .contains("Since the earlier run", "href=\"#newer\"");
    assertThat(run.folder().resolve("summary.md"))
        .content()
        .contains("`ceiling` passed → **failed**");
  }

  @Test
  void exitCode_tellsOfAFailedGateOnlyWhenAsked() {
    SampleRun run = new SampleRun(root).withAll();
    assertThat(report(run.folder().toString())).isZero();
    assertThat(report(run.folder().toString(), "--exit-code")).isEqualTo(1);
  }

  @Test
  void exitCode_ofGatesThatHold_isZero() {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    assertThat(report(run.folder().toString(), "--exit-code")).isZero();
  }

  @Test
  void exitCode_ofNoGates_isOne() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertThat(report(empty.toString(), "--exit-code")).isEqualTo(1);
  }

  @Test
  void exitCode_tellsOfAGateThatIsGone() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10).passed("other", 10);
    report(run.folder().toString());
    Files.delete(run.folder().resolve("other.json"));
    String joined = run.folder().resolve("gates.json").toString();
    assertThat(report(run.folder().toString(), "--against", joined, "--exit-code")).isEqualTo(1);
  }

  @Test
  void help_namesEveryOption() {
    assertThat(report("--help")).isZero();
    assertThat(out())
        .contains("--out", "--against", "--share", "--root", "--exit-code", "Exit status");
  }

  @Test
  void wrongArguments_areToldAndEndWithTwo() {
    String folder = new SampleRun(root).passed("ceiling", 10).folder().toString();
    assertRefused("no folder");
    assertRefused("--oot: no such option", folder, "--oot", "x");
    assertRefused("a second folder", folder, folder);
    assertRefused("--out: no value", folder, "--out");
    assertRefused("--share: much (expected: a percentage)", folder, "--share", "much");
    assertRefused("--share: -1 (expected: a percentage)", folder, "--share", "-1");
    assertRefused("no such folder", root.resolve("none").toString());
    assertRefused("none.json", folder, "--against", root.resolve("none.json").toString());
  }

  @Test
  void fileThatIsNoReport_isNamed() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    Files.writeString(run.folder().resolve("broken.json"), "{");
    assertRefused("broken.json: not the report of a gate", run.folder().toString());
  }

  @Test
  void againstAFileOfAnotherKind_isRefused() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    Path other = Files.writeString(root.resolve("other.json"), "[1, 2]");
    assertRefused("not joined gates", run.folder().toString(), "--against", other.toString());
  }

  @Test
  void testThatFailedWithoutAReport_isAFailureOfTheRun() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    Path tests = Files.createDirectories(root.resolve("soak/target/failsafe-reports"));
    Files.writeString(
        tests.resolve("TEST-dev.sluice.soak.StoreSoakGate.xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="dev.sluice.soak.StoreSoakGate" tests="2" failures="0" errors="1">
          <testcase classname="dev.sluice.soak.StoreSoakGate" name="fine" time="1"/>
          <testcase classname="dev.sluice.soak.StoreSoakGate" name="store" time="1">
            <error message="the origin &lt;is&gt; gone&#10;at line 2" type="java.io.IOException"/>
          </testcase>
        </testsuite>
        """);
    assertThat(report("--root", root.toString(), "--exit-code")).isEqualTo(1);

    assertThat(out())
        .contains("failed: dev.sluice.soak.StoreSoakGate.store\n  the origin <is> gone\n")
        .contains("report: 1 test failed; ");
    assertThat(run.folder().resolve("index.html"))
        .content()
        .contains("dev.sluice.soak.StoreSoakGate.store", "the origin &lt;is&gt; gone");
    assertThat(run.folder().resolve("summary.md")).content().contains("Failed without a report");
  }

  @Test
  void rootWithoutReports_isARunWithoutGates() {
    assertThat(report("--root", root.toString())).isZero();
    assertThat(out()).contains("No gate left a report");
  }

  private void assertRefused(String why, String... args) {
    err.reset();
    assertThat(report(args)).as(why).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(why, "--help");
  }

  private int report(String... args) {
    return Report.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
