package dev.sluice.reports.page;

import dev.sluice.reports.GateReport;
import dev.sluice.reports.Machine;
import dev.sluice.reports.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report as one HTML file that asks the network for nothing: styles, script and drawings are in
 * it, and its policy forbids the rest.
 */
final class Page {
  private static final Map<String, String> MODULES =
      Map.of(
          "bench-gates", "Claims and costs",
          "scenarios", "Whole stories",
          "chaos", "Faults",
          "soak", "Long runs",
          "reports", "This report",
          "engine", "The tests themselves");

  private final Suite suite;
  private final @Nullable Comparison comparison;
  private final Machine machine;
  private final StringBuilder html = new StringBuilder();

  private Page(Suite suite, @Nullable Comparison comparison) {
    this.suite = suite;
    this.comparison = comparison;
    this.machine = suite.machines().stream().findFirst().orElse(new Machine("", 0, "", "", ""));
  }

  static String of(Suite suite, @Nullable Comparison comparison) {
    return new Page(suite, comparison).page();
  }

  private String page() {
    html.append(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
        'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
        <link rel="icon" href="data:,">
        """);
    html.append("<title>")
        .append(Html.text("Sluice gates: " + suite.headline()))
        .append("</title>");
    html.append("<style>").append(resource("page.css")).append("</style></head><body>");
    head();
    html.append("<main>");
    needsALook();
    notRun();
    if (comparison != null) {
      html.append(ComparisonHtml.of(comparison));
    }
    gates();
    html.append("</main>");
    foot();
    html.append("<script>").append(resource("page.js")).append("</script></body></html>\n");
    return html.toString();
  }

  private void head() {
    html.append(
        "<header class=\"%s\"><div class=\"verdict\"><p class=\"product\">Sluice release gates</p><h1>%s</h1>"
            .formatted(suite.holds() ? "holds" : "fails", Html.text(suite.headline())));
    html.append("<ul class=\"counts\">");
    Stream.of(Verdict.FAILED, Verdict.PASSED, Verdict.REPORTED, Verdict.SKIPPED)
        .filter(verdict -> suite.count(verdict) > 0)
        .forEach(this::count);
    html.append("</ul>");
    html.append(Html.element("p", "on", madeOn()));
    html.append("</div><nav class=\"wall\" aria-label=\"All gates\">");
    sorted(suite.gates()).forEach(this::tile);
    html.append("</nav></header>");
  }

  private void count(Verdict verdict) {
    html.append(
        "<li class=\"%s\"><b>%d</b> %s</li>"
            .formatted(Verdicts.style(verdict), suite.count(verdict), Verdicts.word(verdict)));
  }

  private void tile(GateReport gate) {
    html.append(
        "<a class=\"%s\" href=\"#%s\" title=\"%s\" aria-label=\"%s\"></a>"
            .formatted(
                Verdicts.style(gate.verdict()),
                Html.text(gate.name()),
                Html.text(gate.name() + ": " + gate.claim()),
                Html.text(gate.name() + " " + Verdicts.word(gate.verdict()))));
  }

  private String madeOn() {
    String gates = Figures.duration(suite.durationMillis()) + " of gates";
    return suite.madeAt() + " · " + gates + " · " + on(machine);
  }

  /** A machine, its JDK and the commit in a line. */
  static String on(Machine machine) {
    String commit = machine.commit();
    return Stream.of(
            commit.isEmpty() ? "" : "commit " + commit.substring(0, Math.min(10, commit.length())),
            machine.cpu().isEmpty() ? "" : machine.cores() + " × " + machine.cpu(),
            machine.system(),
            machine.jdk())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" · "));
  }

  private void needsALook() {
    List<GateReport> failed = suite.with(Verdict.FAILED);
    if (suite.machines().size() > 1) {
      html.append(
          Html.element(
              "p",
              "warning",
              "These gates ran on "
                  + suite.machines().size()
                  + " machines, JDKs or commits: they are not the verdict on one build."));
    }
    if (failed.isEmpty() && suite.unreported().isEmpty()) {
      return;
    }
    html.append("<section class=\"look\"><h2>What failed</h2><ul>");
    failed.forEach(gate -> listed(gate, gate.reason()));
    for (FailedTest test : suite.unreported()) {
      html.append("<li>")
          .append(Verdicts.mark(Verdict.FAILED))
          .append(Html.element("b", "name", test.test()))
          .append(Html.element("span", "why", "left no report: " + test.reason()))
          .append("</li>");
    }
    html.append("</ul></section>");
  }

  private void notRun() {
    List<GateReport> skipped = suite.with(Verdict.SKIPPED);
    if (skipped.isEmpty()) {
      return;
    }
    html.append("<section class=\"look\"><h2>Not run here, and why</h2><ul>");
    skipped.forEach(gate -> listed(gate, gate.reason()));
    html.append("</ul></section>");
  }

  private void listed(GateReport gate, String why) {
    html.append("<li>")
        .append(Verdicts.mark(gate.verdict()))
        .append("<a href=\"#%s\">%s</a>".formatted(Html.text(gate.name()), Html.text(gate.claim())))
        .append(Html.element("span", "why", why))
        .append("</li>");
  }

  private void gates() {
    html.append("<div class=\"tools\"><h2>All gates</h2>");
    html.append(
        """
        <input type="search" id="find" placeholder="Find a gate" aria-label="Find a gate" hidden>\
        <button type="button" id="unfold" hidden>Open all</button></div>""");
    Map<String, List<GateReport>> byModule =
        suite.gates().stream()
            .collect(
                Collectors.groupingBy(
                    gate -> MODULES.getOrDefault(gate.source().module(), "Gates"),
                    TreeMap::new,
                    Collectors.toList()));
    byModule.forEach(
        (module, gates) -> {
          html.append("<section class=\"module\"><h3>%s</h3>".formatted(Html.text(module)));
          sorted(gates).forEach(gate -> html.append(GateSection.of(gate, machine)));
          html.append("</section>");
        });
  }

  private static List<GateReport> sorted(List<GateReport> gates) {
    return gates.stream()
        .sorted(
            Comparator.comparingInt((GateReport gate) -> Verdicts.order(gate.verdict()))
                .thenComparing(GateReport::name))
        .toList();
  }

  private void foot() {
    html.append(
        """
        <footer><p>A figure is what the origin counted or the client saw. The control is the same run \
        without the mechanism: it shows that the problem is there. In the drawings the band is what \
        the figure is held to, the thick bar the figure, the thin one the control.</p>\
        <p>These are one machine's measurements, not a baseline: compare within a run, or with an \
        earlier run on the same machine.</p></footer>""");
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + ": not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
