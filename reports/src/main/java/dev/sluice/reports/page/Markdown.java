package dev.sluice.reports.page;

import dev.sluice.reports.GateReport;
import dev.sluice.reports.Verdict;
import dev.sluice.reports.page.Comparison.Moved;
import dev.sluice.reports.page.Comparison.Turned;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report in Markdown, for a page of a CI service: the verdict, what failed, what changed. */
final class Markdown {
  private static final int MOVED_SHOWN = 10;
  private static final int REASON_LENGTH = 300;

  private final Suite suite;
  private final StringBuilder text = new StringBuilder();

  private Markdown(Suite suite) {
    this.suite = suite;
  }

  static String of(Suite suite, @Nullable Comparison comparison) {
    var markdown = new Markdown(suite);
    markdown.head();
    markdown.listed("What failed", Verdict.FAILED);
    markdown.unreported();
    markdown.listed("Not run here", Verdict.SKIPPED);
    if (comparison != null) {
      markdown.changes(comparison);
    }
    markdown.all();
    return markdown.text.toString();
  }

  private void head() {
    text.append("## Sluice gates: ").append(suite.headline()).append("\n\n");
    text.append(
            Stream.of(Verdict.values())
                .map(verdict -> suite.count(verdict) + " " + Verdicts.word(verdict))
                .collect(Collectors.joining(", ")))
        .append(" in ")
        .append(Figures.duration(suite.durationMillis()))
        .append(".  \n");
    suite.machines().forEach(machine -> text.append(cell(Page.on(machine))).append("  \n"));
  }

  private void listed(String title, Verdict verdict) {
    List<GateReport> gates = suite.with(verdict);
    if (!gates.isEmpty()) {
      text.append("\n### ").append(title).append("\n\n");
      gates.forEach(gate -> item(gate.name(), gate.claim() + " " + gate.reason()));
    }
  }

  private void unreported() {
    if (!suite.unreported().isEmpty()) {
      text.append("\n### Failed without a report\n\n");
      suite.unreported().forEach(test -> item(test.test(), test.reason()));
    }
  }

  private void item(String name, String words) {
    text.append("- `").append(name).append("` ").append(cell(words)).append('\n');
  }

  private void changes(Comparison comparison) {
    text.append("\n### Since ").append(cell(comparison.earlier().madeAt())).append("\n\n");
    if (!comparison.sameMachine()) {
      text.append("Another machine or JDK: times and costs do not compare.\n\n");
    }
    if (comparison.isEmpty()) {
      text.append("Nothing changed.\n");
      return;
    }
    for (Turned turned : comparison.turned()) {
      item(
          turned.gate(),
          Verdicts.word(turned.from()) + " → **" + Verdicts.word(turned.to()) + "**");
    }
    comparison.gone().forEach(gate -> item(gate, "**gone**"));
    comparison.added().forEach(gate -> item(gate, "new"));
    comparison.moved().stream().limit(MOVED_SHOWN).forEach(this::moved);
    int more = comparison.moved().size() - MOVED_SHOWN;
    if (more > 0) {
      text.append("- and ").append(more).append(" more figures\n");
    }
  }

  private void moved(Moved moved) {
    item(
        moved.gate(),
        Figures.label(moved.figure())
            + " "
            + Figures.value(moved.figure(), moved.from())
            + " → "
            + Figures.value(moved.figure(), moved.to())
            + " ("
            + ComparisonHtml.change(moved)
            + ")");
  }

  private void all() {
    text.append("\n<details><summary>All ")
        .append(suite.gates().size())
        .append(" gates</summary>\n\n| | gate | claim | time |\n|---|---|---|---:|\n");
    for (GateReport gate : suite.gates()) {
      text.append("| ")
          .append(Verdicts.sign(gate.verdict()))
          .append(" | `")
          .append(gate.name())
          .append("` | ")
          .append(cell(gate.claim()))
          .append(" | ")
          .append(Figures.duration(gate.durationMillis()))
          .append(" |\n");
    }
    text.append("\n</details>\n");
  }

  /** One line in which nothing is markup. */
  private static String cell(String raw) {
    String line = raw.strip().replaceAll("\\s+", " ");
    String cut = line.length() <= REASON_LENGTH ? line : line.substring(0, REASON_LENGTH - 1) + "…";
    return cut.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'");
  }
}
