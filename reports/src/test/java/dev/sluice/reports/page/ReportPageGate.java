package dev.sluice.reports.page;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.fixture.browser.Browser;
import dev.sluice.fixture.browser.Tab;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report's page in a browser without a network, on a phone and on a desk, light and dark. */
final class ReportPageGate {
  private static final int GATES = 4;
  private static final int CHARTS = 3;
  private static final double SMALLEST_TEXT_PX = 10;

  /** Runs in the page, with all gates open. */
  private static final String LOOK =
      """
      (() => {
        const unfold = document.getElementById('unfold');
        if (unfold && unfold.textContent === 'Open all') unfold.click();
        const all = [...document.body.querySelectorAll('*')];
        const right = document.documentElement.clientWidth + 1;
        const shown = all.filter(e => e.getClientRects().length > 0);
        const wide = shown.filter(e => e.getBoundingClientRect().right > right);
        const texts = shown.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
        const scale = e => e.ownerSVGElement
            ? e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width : 1;
        const charts = [...document.querySelectorAll('figure')].filter(f => f.getClientRects().length > 0);
        const marks = f => [...f.querySelectorAll(':scope > svg path.line, .bar rect')]
            .filter(m => m.getBoundingClientRect().width > 2);
        return {
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          wide: wide.map(e => e.tagName + '.' + e.getAttribute('class')),
          open: document.querySelectorAll('details.gate[open]').length,
          charts: charts.length,
          empty: charts.filter(f => marks(f).length === 0).length,
          verdictEnds: (document.querySelector('.counts') || document.body).getBoundingClientRect().bottom,
          smallest: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize) * scale(e))),
          paper: getComputedStyle(document.body).backgroundColor,
        };
      })()
      """;

  private static final String SEARCH =
      """
      (() => {
        const find = document.getElementById('find');
        find.value = 'CEILING passed';
        find.dispatchEvent(new Event('input'));
        const found = [...document.querySelectorAll('.gate:not([hidden])')].map(g => g.id).join();
        find.value = '';
        find.dispatchEvent(new Event('input'));
        return found;
      })()
      """;

  private static final String FOLLOW_A_TILE =
      """
      (() => {
        document.querySelectorAll('.gate').forEach(g => g.open = false);
        document.querySelector('.wall a[href="#ceiling"]').click();
        return new Promise(done => setTimeout(() => done(document.getElementById('ceiling').open), 50));
      })()
      """;

  /** A page with everything wrong that the looks are for. */
  private static final String WRONG =
      """
      <!doctype html><html><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
      <div style="width: 3000px">wide</div><p style="font-size: 6px">small</p>
      <figure><svg viewBox="0 0 400 210"></svg></figure>
      <img src="http://report.invalid/pixel.png">
      <script>console.error('told'); throw new Error('thrown');</script></body></html>
      """;

  private enum Screen {
    PHONE(360, 740, false),
    PHONE_DARK(390, 844, true),
    DESK(1280, 800, false),
    DESK_DARK(1280, 800, true);

    private final int width;
    private final int height;
    private final boolean dark;

    Screen(int width, int height, boolean dark) {
      this.width = width;
      this.height = height;
      this.dark = dark;
    }
  }

  /** What the looks found on one screen. */
  private record Seen(Tab tab, JsonNode look, List<String> complaints, List<String> requests) {}

  @TempDir Path folder;

  @Test
  void page_isWholeWithoutANetwork_onAPhoneAndOnADesk() {
    Gate.claim(
            "report-page",
            "The report's page shows all it has without a network, on a phone and on a desk.",
            RepoRoot.path())
        .given("gates", GATES)
        .given("screens", Screen.values().length)
        .judge(
            gate -> {
              Path chromium =
                  Tools.requireForGate("chromium", why -> gate.skip(why, ReportPageGate::abort));
              try (var browser = Browser.start(chromium, folder.resolve("profile"))) {
                control(gate, browser);
                page(gate, browser);
              }
            });
  }

  private static Path abort(String why) {
    return Assumptions.<Path>abort(why);
  }

  private void control(Gate gate, Browser browser) throws IOException {
    Path wrong = Files.writeString(folder.resolve("wrong.html"), WRONG);
    Seen seen = look(browser, wrong, Screen.PHONE);
    gate.control("overflow_px", seen.look().path("overflow").asInt(), above(0));
    gate.control("elements_too_wide", seen.look().path("wide").size(), above(0));
    gate.control("charts_without_marks", seen.look().path("empty").asInt(), exactly(1));
    gate.control("smallest_text_px", seen.look().path("smallest").asDouble(), atMost(6));
    gate.control("requests", seen.requests().size(), atLeast(1));
    gate.control("complaints", seen.complaints().size(), atLeast(2));
  }

  private void page(Gate gate, Browser browser) throws IOException {
    Suite suite = new SampleRun(folder.resolve("run")).withAll().suite();
    Suite earlier = new SampleRun(folder.resolve("earlier")).passed("queue-full", 5).suite();
    Path page = folder.resolve("index.html");
    Files.writeString(page, Page.of(suite, Comparison.of(earlier, suite, 0.25)));
    List<Seen> all = new ArrayList<>();
    for (Screen screen : Screen.values()) {
      Seen seen = look(browser, page, screen);
      keep(screen, seen.tab().screenshot());
      all.add(seen);
    }
    gate.measured("overflow_px", most(all, "overflow"), exactly(0));
    gate.measured("elements_too_wide", strings(all, "wide"), equalTo(List.of()));
    gate.measured("charts_without_marks", most(all, "empty"), exactly(0));
    gate.measured("charts", least(all, "charts"), exactly(CHARTS));
    gate.measured("gates_open", least(all, "open"), exactly(GATES));
    gate.measured("smallest_text_px", least(all, "smallest"), atLeast(SMALLEST_TEXT_PX));
    gate.measured(
        "verdict_ends_at_px", most(all, "verdictEnds"), atMost(Screen.PHONE.height / 2.0));
    gate.measured("papers", strings(all, "paper").stream().distinct().count(), exactly(2));
    gate.measured(
        "requests", all.stream().flatMap(seen -> seen.requests().stream()).toList(), none());
    gate.measured(
        "complaints", all.stream().flatMap(seen -> seen.complaints().stream()).toList(), none());
    Tab last = all.get(all.size() - 1).tab();
    gate.measured("found", last.evaluate(SEARCH).asText(), equalTo("ceiling"));
    gate.measured("tile_opens", last.evaluate(FOLLOW_A_TILE).asBoolean(), equalTo(true));
  }

  private static Bound none() {
    return equalTo(List.of());
  }

  private static Seen look(Browser browser, Path page, Screen screen) throws IOException {
    Tab tab = browser.tab(screen.width, screen.height, screen.dark);
    tab.open(page.toUri());
    JsonNode look = tab.evaluate(LOOK);
    return new Seen(tab, look, tab.complaints(), tab.requests());
  }

  private static double most(List<Seen> all, String figure) {
    return all.stream()
        .mapToDouble(seen -> seen.look().path(figure).asDouble())
        .max()
        .orElseThrow();
  }

  private static double least(List<Seen> all, String figure) {
    return all.stream()
        .mapToDouble(seen -> seen.look().path(figure).asDouble())
        .min()
        .orElseThrow();
  }

  private static List<String> strings(List<Seen> all, String figure) {
    List<String> strings = new ArrayList<>();
    for (Seen seen : all) {
      JsonNode value = seen.look().path(figure);
      if (value.isArray()) {
        value.forEach(one -> strings.add(one.asText()));
      } else {
        strings.add(value.asText());
      }
    }
    return strings;
  }

  /** For whoever wants to see what the figures are of. */
  private static void keep(Screen screen, byte[] png) throws IOException {
    Path kept = RepoRoot.path().resolve("reports/target/report-page");
    Files.createDirectories(kept);
    Files.write(kept.resolve(screen.name().toLowerCase(Locale.ROOT) + ".png"), png);
  }
}
