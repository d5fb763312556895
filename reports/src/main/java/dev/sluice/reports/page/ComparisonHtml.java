package dev.sluice.reports.page;

import dev.sluice.reports.page.Comparison.Direction;
import dev.sluice.reports.page.Comparison.Moved;
import dev.sluice.reports.page.Comparison.Turned;

/** The comparison with an earlier run, on the page. */
final class ComparisonHtml {
  private static final int MOVED_SHOWN = 12;

  private ComparisonHtml() {}

  static String of(Comparison comparison) {
    StringBuilder html =
        new StringBuilder("<section class=\"against\"><h2>Since the earlier run</h2>");
    html.append(
        Html.element("p", "on", comparison.earlier().madeAt() + " · " + earlierOn(comparison)));
    if (!comparison.sameMachine()) {
      html.append(
          Html.element("p", "warning", "Another machine or JDK: times and costs do not compare."));
    }
    if (comparison.isEmpty()) {
      html.append(
          Html.element(
              "p", "quiet", "No verdict changed, and no figure " + beyond(comparison) + "."));
    }
    list(html, comparison);
    moved(html, comparison);
    return html.append("</section>").toString();
  }

  private static String earlierOn(Comparison comparison) {
    return comparison.earlier().machines().stream()
        .findFirst()
        .map(Page::on)
        .orElse("nothing known");
  }

  static String beyond(Comparison comparison) {
    return "moved by more than " + Figures.number(comparison.share() * 100) + " %";
  }

  private static void list(StringBuilder html, Comparison comparison) {
    html.append("<ul class=\"changes\">");
    for (Turned turned : comparison.turned()) {
      html.append("<li>")
          .append(Verdicts.mark(turned.from()))
          .append("<span class=\"arrow\">→</span>")
          .append(Verdicts.mark(turned.to()))
          .append(link(turned.gate()))
          .append("</li>");
    }
    for (String gate : comparison.gone()) {
      html.append("<li><span class=\"tag worse\">gone</span>")
          .append(Html.element("span", "name", gate))
          .append("</li>");
    }
    for (String gate : comparison.added()) {
      html.append("<li><span class=\"tag\">new</span>").append(link(gate)).append("</li>");
    }
    html.append("</ul>");
  }

  private static void moved(StringBuilder html, Comparison comparison) {
    int count = comparison.moved().size();
    if (count == 0) {
      return;
    }
    html.append("<details class=\"moved\" open><summary>")
        .append(Html.text(count + (count == 1 ? " figure " : " figures ") + beyond(comparison)))
        .append("</summary><table><tbody>");
    for (int i = 0; i < count; i++) {
      row(html, comparison.moved().get(i), i < MOVED_SHOWN ? "" : " class=\"more\"");
    }
    html.append("</tbody></table></details>");
  }

  private static void row(StringBuilder html, Moved moved, String style) {
    html.append("<tr%s><td>%s</td>".formatted(style, link(moved.gate())));
    html.append("<td>").append(Html.text(Figures.label(moved.figure()))).append("</td>");
    html.append(
        "<td class=\"from\">%s → %s</td>"
            .formatted(
                Html.text(Figures.value(moved.figure(), moved.from())),
                Html.text(Figures.value(moved.figure(), moved.to()))));
    html.append(
        "<td><span class=\"tag %s\">%s</span></td></tr>"
            .formatted(
                moved.direction() == Direction.UNKNOWN
                    ? ""
                    : moved.direction() == Direction.WORSE ? "worse" : "better",
                Html.text(change(moved))));
  }

  /** The change in words: {@code ×1.4}, or {@code from 0}. */
  static String change(Moved moved) {
    return moved.from() == 0 ? "from 0" : "×" + Figures.number(moved.ratio());
  }

  private static String link(String gate) {
    return "<a class=\"name\" href=\"#%s\">%s</a>".formatted(Html.text(gate), Html.text(gate));
  }
}
