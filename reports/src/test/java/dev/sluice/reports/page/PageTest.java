package dev.sluice.reports.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.reports.GateReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageTest {
  @TempDir Path root;

  @Test
  void headline_saysWhetherTheRunHolds() throws IOException {
    SampleRun run = new SampleRun(root).passed("ceiling", 10);
    assertThat(page(run.suite())).contains("<header class=\"holds\">", ">Every gate held</h1>");
    run.skipped("next");
    assertThat(page(run.suite())).contains(">Every gate that ran held</h1>");
    run.failed("queue-full");
    assertThat(page(run.suite())).contains("<header class=\"fails\">", ">1 gate failed</h1>");
  }

  @Test
  void runWithoutGates_doesNotHold() {
    Suite none = new Suite("", List.of(), List.of());
    assertThat(page(none)).contains("<header class=\"fails\">", ">No gate left a report</h1>");
  }

  @Test
  void textOfAGate_isNoMarkup() throws IOException {
    String page = page(new SampleRun(root).failed("queue-full").suite());
    assertThat(page).contains("&lt;the next&gt; is shed &amp; &quot;told&quot; at once.");
    assertThat(page).doesNotContain("<the next>");
  }

  @Test
  void failedGate_isOpenAndItsFigureMarked() throws IOException {
    String page = page(new SampleRun(root).withAll().suite());
    assertThat(page)
        .containsPattern("<details class=\"gate failed\" id=\"queue-full\"[^>]* open>")
        .contains("<td data-label=\"Measured\" class=\"wrong\">812 ms</td>")
        .contains("answered_after_millis: 812 (expected: at most 500)")
        .doesNotContainPattern("<details class=\"gate passed\"[^>]* open>");
  }

  @Test
  void gateThatWasNotRun_isListedWithItsReason() throws IOException {
    assertThat(page(new SampleRun(root).withAll().suite()))
        .containsSubsequence("Not run here, and why", "node 20.9 or later is not installed");
  }

  @Test
  void figureBesideItsControl_isDrawnToOneScale() throws IOException {
    String page = page(new SampleRun(root).passed("ceiling", 10).suite());
    // Of 60 with 4 % of room: 10 is a sixth, 60 nearly all.
    assertThat(page)
        .contains("<rect class=\"ours\" x=\"0\" y=\"4\" width=\"32.1\" height=\"8\"/>")
        .contains("<rect class=\"control\" x=\"0\" y=\"14\" width=\"192.3\" height=\"4\"/>")
        .contains("<td data-label=\"Control\">60 (exactly 60)</td>");
  }

  @Test
  void charts_haveTheirLinesBarsAndLimits() throws IOException {
    String page = page(new SampleRun(root).passed("ceiling", 10).suite());
    assertThat(page)
        .contains("<path class=\"line ours c1\" d=\"M", "<path class=\"line control k1\" d=\"M")
        .contains("<path class=\"limit\"", ">ceiling 10 requests<")
        .contains(">median<", ">p99.9<", ">max<")
        .containsSubsequence(">nginx<", ">17.4 µs<", ">1.55×<");
  }

  @Test
  void reportsOfTwoCommits_areWarnedOf() throws IOException {
    Suite suite = new SampleRun(root).passed("ceiling", 10).reported("other").suite();
    assertThat(page(suite)).doesNotContain("not the verdict on one build");
    List<GateReport> mixed = new ArrayList<>(suite.gates());
    mixed.set(
        1,
        GateReport.parse(
            mixed.get(1).toJson().replaceAll("\"commit\" : \"\"", "\"commit\" : \"0123\"")));
    assertThat(page(new Suite("", mixed, List.of())))
        .contains("not the verdict on one build", "Measured on commit 0123");
  }

  @Test
  void page_namesNothingOfTheNetwork() throws IOException {
    assertThat(page(new SampleRun(root).withAll().suite()))
        .doesNotContain("http://", "https://", "url(", "@import")
        .contains("default-src 'none'");
  }

  private static String page(Suite suite) {
    return Page.of(suite, null);
  }
}
