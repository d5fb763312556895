package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.SlowOrigin;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reuse as {@code /metrics} and {@code /status} tell it (OBS-03, OBS-15). */
class ReuseMetricsTest {

  private static final String FRESH = "h=Cache-Control:max-age%3D60";
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-z_]+(?:\\{[^}]*\\})?) ([0-9.E]+)$");

  @RegisterExtension static final Running running = new Running();

  private SlowOrigin origin;
  private Visitors visitors;
  private Operator operator;

  @BeforeEach
  void start() {
    origin = running.slowOrigin();
    ProxyFile file =
        ProxyFile.plain()
            .block("cache: { enabled: true, purge: { token: " + Operator.TOKEN + " } }")
            .block("spool: { max_body: 4MiB, max_memory: 64MiB }")
            .block(
                """
                routes:
                  - { id: shop, match: "/shop/**", class: public_ssr }
                  - { id: files, match: "/files/**", class: private_dynamic, spool: { enabled: true } }
                """);
    Sluice proxy = running.proxy(origin.port(), file);
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
  }

  private Map<String, Double> scrape() {
    visitors.awaitIdle();
    var samples = new TreeMap<String, Double>();
    Matcher sample = SAMPLE.matcher(operator.metrics());
    while (sample.find()) {
      samples.put(sample.group(1), Double.valueOf(sample.group(2)));
    }
    return samples;
  }

  private static String outcome(String route, String outcome, String reason) {
    return "sluice_cache_requests_total{outcome=\"%s\",reason=\"%s\",route=\"%s\"}"
        .formatted(outcome, reason, route);
  }

  @Test
  void scriptedRun_isCountedByRouteOutcomeAndReason() {
    visitors.get("/shop/a?" + FRESH);
    visitors.get("/shop/a?" + FRESH);
    visitors.get("/shop/a?" + FRESH);
    visitors.get("/shop/b?" + FRESH, "Cookie: a=b");
    visitors.get("/shop/c?cookie=1");
    visitors.get("/files/d?bytes=5000");
    Visitors.readAll(visitors.crowd(3, "/shop/e?ms=600&" + FRESH));

    assertThat(scrape())
        .containsEntry(outcome("shop", "miss", "-"), 2.0)
        .containsEntry(outcome("shop", "hit", "-"), 2.0)
        .containsEntry(outcome("shop", "collapsed", "-"), 2.0)
        .containsEntry(outcome("shop", "bypass", "cookie"), 1.0)
        .containsEntry(outcome("shop", "miss", "set_cookie"), 1.0)
        .containsEntry(outcome("files", "bypass", "private_route"), 1.0)
        .containsEntry("sluice_reuse_eligible_requests_total{route=\"shop\"}", 7.0)
        .containsEntry("sluice_reuse_eligible_requests_total{route=\"files\"}", 0.0)
        .containsEntry("sluice_spool_answers_total{outcome=\"complete\",route=\"files\"}", 1.0)
        .doesNotContainKey(outcome("shop", "stale", "-"));
    assertThat(origin.stats().requests()).isEqualTo(5);
  }

  /** OBS-15: the gauges agree with the status page and with what a purge says. */
  @Test
  void occupancy_risesAndFalls() {
    assertThat(scrape()).containsEntry("sluice_cache_bytes", 0.0);
    visitors.get("/shop/a?bytes=10000&" + FRESH);
    visitors.get("/shop/b?bytes=10000&" + FRESH);

    Map<String, Double> full = scrape();
    assertThat(full).containsEntry("sluice_cache_entries", 2.0);
    assertThat(full.get("sluice_cache_bytes")).isBetween(20_000.0, 24_000.0);
    assertThat(full)
        .containsEntry("sluice_cache_bytes", operator.status().at("/cache/bytes").asDouble())
        .containsEntry(
            "sluice_cache_max_bytes", operator.status().at("/cache/max_bytes").asDouble())
        .containsEntry("sluice_cache_pinned_bytes", 0.0)
        .containsEntry("sluice_cache_variants", 0.0)
        .containsEntry("sluice_cache_purges_total", 0.0)
        .containsEntry("sluice_spool_max_bytes", 67_108_864.0)
        .containsEntry("sluice_flights_boardable", 0.0)
        .containsEntry("sluice_refreshes_open", 0.0);

    operator.purge("prefix=/shop/");
    Running.await("the bytes back", () -> operator.status().at("/cache/bytes").asLong() == 0);
    assertThat(scrape())
        .containsEntry("sluice_cache_entries", 0.0)
        .containsEntry("sluice_cache_purges_total", 1.0)
        .containsEntry("sluice_cache_purged_entries_total", 2.0)
        .containsEntry("sluice_spool_bytes", 0.0);
  }

  @Test
  void answersThatWereNotKept_areCountedByReason() {
    visitors.get("/shop/a?framing=chunked&bytes=" + (5 << 20) + "&" + FRESH);
    visitors.get("/shop/b?h=Cache-Control:max-age%3D60&h=Vary:*");

    assertThat(scrape())
        .containsEntry("sluice_cache_not_kept_total{reason=\"oversize\",route=\"shop\"}", 1.0)
        .doesNotContainKey("sluice_cache_not_kept_total{reason=\"vary_star\",route=\"shop\"}");
  }

  @Test
  void flightUnderWay_isBoardable() {
    var client = visitors.ask("GET", "/shop/a?ms=60000&" + FRESH);
    Running.awaitRequests(origin, 1);

    assertThat(operator.status().at("/work/boardable_flights").asInt()).isEqualTo(1);
    client.reset();
  }

  @Test
  void listeners_areAllTold() {
    assertThat(operator.status().get("listeners").toString())
        .isEqualTo(
            "[{\"name\":\"admin\",\"host\":\"127.0.0.1\",\"port\":%d},{\"name\":\"traffic\",\"host\":\"127.0.0.1\",\"port\":%d}]"
                .formatted(visitors.sluice().adminPort(), visitors.sluice().port()));
  }
}
