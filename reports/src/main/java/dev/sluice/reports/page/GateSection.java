package dev.sluice.reports.page;

import dev.sluice.reports.Chart;
import dev.sluice.reports.Check;
import dev.sluice.reports.GateReport;
import dev.sluice.reports.Machine;
import dev.sluice.reports.Verdict;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One gate on the page: its claim in a line, and behind it all that it measured. */
final class GateSection {
  private final GateReport gate;
  private final Machine usual;
  private final StringBuilder html = new StringBuilder();

  private GateSection(GateReport gate, Machine usual) {
    this.gate = gate;
    this.usual = usual;
  }

  /** {@code usual}: what the page's head says of the machine; a gate says where it differs. */
  static String of(GateReport gate, Machine usual) {
    return new GateSection(gate, usual).section();
  }

  private String section() {
    String verdict = Verdicts.style(gate.verdict());
    html.append(
        "<details class=\"gate %s\" id=\"%s\" data-verdict=\"%s\" data-text=\"%s\"%s><summary>"
            .formatted(
                verdict,
                Html.text(gate.name()),
                verdict,
                Html.text((gate.name() + " " + gate.claim()).toLowerCase(Locale.ROOT)),
                gate.verdict() == Verdict.FAILED ? " open" : ""));
    html.append(Verdicts.mark(gate.verdict()))
        .append(Html.element("span", "claim", gate.claim()))
        .append(Html.element("span", "name", gate.name()))
        .append(Html.element("span", "took", Figures.duration(gate.durationMillis())))
        .append("</summary><div class=\"body\">");
    reason();
    figures();
    charts();
    parameters();
    about();
    return html.append("</div></details>").toString();
  }

  private void reason() {
    if (!gate.reason().isEmpty()) {
      html.append(Html.element("p", "reason", gate.reason()));
    }
  }

  private void figures() {
    Set<String> keys = new LinkedHashSet<>(gate.measured().keySet());
    keys.addAll(gate.control().keySet());
    if (keys.isEmpty()) {
      return;
    }
    html.append("<table class=\"figures\"><thead><tr><th>Figure</th><th>Measured</th>");
    html.append("<th>Held to</th><th>Control</th><th></th></tr></thead><tbody>");
    keys.forEach(this::row);
    html.append("</tbody></table>");
    if (gate.checks().isEmpty() && !gate.bound().isEmpty()) {
      html.append("<p class=\"bound\"><b>Held to</b> ")
          .append(Html.text(gate.bound()))
          .append("</p>");
    }
  }

  private void row(String key) {
    Object measured = gate.measured().get(key);
    Object control = gate.control().get(key);
    Check check = check(false, key);
    Check controlCheck = check(true, key);
    boolean broken = isBroken(check) || isBroken(controlCheck);
    html.append(broken ? "<tr class=\"broken\">" : "<tr>");
    html.append("<th scope=\"row\">").append(Html.text(Figures.label(key))).append("</th>");
    cell("Measured", measured == null ? "" : Figures.value(key, measured), isBroken(check));
    cell("Held to", held(key, check), false);
    String needed = controlCheck == null ? "" : " (" + held(key, controlCheck) + ")";
    String without = control == null ? "" : Figures.value(key, control) + needed;
    cell("Control", without, isBroken(controlCheck));
    html.append("<td class=\"drawn\">").append(Gauge.of(measured, control, check).svg());
    html.append("</td></tr>");
  }

  private void cell(String label, String value, boolean broken) {
    html.append(
        "<td data-label=\"%s\"%s>%s</td>"
            .formatted(
                label,
                value.isEmpty() ? " class=\"none\"" : broken ? " class=\"wrong\"" : "",
                Html.text(value)));
  }

  private static String held(String key, @Nullable Check check) {
    return check == null ? "" : Figures.bound(key, check.bound());
  }

  private static boolean isBroken(@Nullable Check check) {
    return check != null && !check.held();
  }

  private @Nullable Check check(boolean control, String key) {
    return gate.checks().stream()
        .filter(check -> check.control() == control && check.figure().equals(key))
        .findFirst()
        .orElse(null);
  }

  private void charts() {
    if (gate.charts().isEmpty()) {
      return;
    }
    html.append("<div class=\"charts\">");
    for (Chart chart : gate.charts()) {
      html.append("<figure><figcaption>").append(Html.text(chart.title()));
      if (!chart.unit().isEmpty()) {
        html.append(Html.element("span", "unit", chart.unit()));
      }
      html.append("</figcaption>");
      if (chart.kind() == Chart.Kind.BARS) {
        html.append(BarsHtml.of(chart));
      } else {
        html.append(LinesSvg.of(chart)).append(Legend.of(chart));
      }
      html.append("</figure>");
    }
    html.append("</div>");
  }

  private void parameters() {
    if (gate.parameters().isEmpty()) {
      return;
    }
    html.append("<dl class=\"parameters\">");
    for (Map.Entry<String, Object> parameter : gate.parameters().entrySet()) {
      html.append("<div><dt>")
          .append(Html.text(Figures.label(parameter.getKey())))
          .append("</dt><dd>")
          .append(Html.text(Figures.value(parameter.getKey(), parameter.getValue())))
          .append("</dd></div>");
    }
    html.append("</dl>");
  }

  private void about() {
    if (!gate.source().test().isEmpty()) {
      html.append("<p class=\"again\">Again: <code>mvn -B verify -Pgates -am -pl ")
          .append(Html.text(gate.source().module()))
          .append(" -Dit.test=")
          .append(Html.text(gate.source().test() + "#" + gate.source().method()))
          .append(" -Dfailsafe.failIfNoSpecifiedTests=false</code></p>");
    }
    if (!gate.machine().equals(usual)) {
      html.append(Html.element("p", "elsewhere", "Measured on " + Page.on(gate.machine())));
    }
  }
}
