package dev.sluice.reports.page;

import dev.sluice.reports.page.Comparison.Direction;
import java.util.Locale;

/** The comparison with an earlier run, for the console. */
final class ComparisonText {

  private ComparisonText() {}

  static String of(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append("since ").append(comparison.earlier().madeAt()).append(":\n");
    if (!comparison.sameMachine()) {
      text.append("  another machine or JDK: times and costs do not compare\n");
    }
    comparison
        .turned()
        .forEach(
            turned ->
                line(
                    text,
                    Verdicts.word(turned.from()) + " -> " + Verdicts.word(turned.to()),
                    turned.gate()));
    comparison.gone().forEach(gate -> line(text, "gone", gate));
    comparison.added().forEach(gate -> line(text, "new", gate));
    comparison
        .moved()
        .forEach(
            moved ->
                line(
                    text,
                    moved.direction() == Direction.UNKNOWN
                        ? "moved"
                        : moved.direction() == Direction.WORSE ? "worse" : "better",
                    "%s: %s %s -> %s"
                        .formatted(
                            moved.gate(),
                            Figures.label(moved.figure()),
                            Figures.value(moved.figure(), moved.from()),
                            Figures.value(moved.figure(), moved.to()))));
    if (comparison.isEmpty()) {
      text.append("  no verdict changed, no figure ")
          .append(ComparisonHtml.beyond(comparison))
          .append('\n');
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String what, String gate) {
    text.append(String.format(Locale.ROOT, "  %-26s %s%n", what, gate));
  }
}
