package dev.sluice.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.outcome.Cause;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MetricsTest {

  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_]+(?:\\{[a-z]+=\"[^\"]*\"(?:,[a-z]+=\"[^\"]*\")*\\})?) ([0-9.E+-]+|NaN)");

  private AccessLog log;
  private Observer observer;
  private Metrics metrics;

  @BeforeEach
  void start() throws IOException {
    log = new AccessLog("none", () -> 0);
    observer = new Observer(2, log);
    metrics = new Metrics(observer);
  }

  @AfterEach
  void stop() {
    log.close();
  }

  @Test
  void exchanges_overTwoLoops_areAddedUp() {
    observer.forLoop(0).record(Timelines.served("shop", "/", "", 5));
    observer.forLoop(1).record(Timelines.served("shop", "/", "", 5));
    observer.forLoop(1).record(Timelines.shed("shop", Cause.QUEUE_FULL));

    Map<String, Double> samples = scrape();

    assertThat(samples)
        .containsEntry(
            "sluice_requests_total{class=\"private_document\",party=\"sluice\","
                + "reason=\"complete\",route=\"shop\",status=\"2xx\"}",
            2.0)
        .containsEntry(
            "sluice_requests_total{class=\"private_document\",party=\"sluice\","
                + "reason=\"queue_full\",route=\"shop\",status=\"5xx\"}",
            1.0)
        .containsEntry("sluice_request_duration_seconds_count", 3.0)
        .containsEntry("sluice_queue_wait_seconds_count", 3.0);
  }

  @Test
  void fetches_areCountedByUpstreamAndReason() {
    observer.forLoop(0).originEnded("10.0.0.1:3000", Cause.COMPLETE, 1);
    observer.forLoop(1).originEnded("10.0.0.1:3000", Cause.COMPLETE, 1);
    observer.forLoop(1).originEnded("10.0.0.2:3000", Cause.CONNECTION_REFUSED, 1);
    observer.forLoop(1).abandoned("shop");

    assertThat(scrape())
        .containsEntry(
            "sluice_origin_requests_total{reason=\"complete\",upstream=\"10.0.0.1:3000\"}", 2.0)
        .containsEntry(
            "sluice_origin_requests_total{reason=\"connection_refused\","
                + "upstream=\"10.0.0.2:3000\"}",
            1.0)
        .containsEntry("sluice_origin_abandoned_total{route=\"shop\"}", 1.0);
  }

  @Test
  void histogram_oneSecond_isInItsBucket() {
    observer.forLoop(0).originEnded("up", Cause.COMPLETE, 1_000 * Timelines.MILLI);

    assertThat(scrape())
        .containsEntry("sluice_origin_duration_seconds_bucket{le=\"0.5\"}", 0.0)
        .containsEntry("sluice_origin_duration_seconds_bucket{le=\"1.0\"}", 1.0)
        .containsEntry("sluice_origin_duration_seconds_bucket{le=\"+Inf\"}", 1.0)
        .containsEntry("sluice_origin_duration_seconds_sum", 1.0);
  }

  @Test
  void histogram_anHour_isBeyondTheLastBound() {
    observer.forLoop(0).originEnded("up", Cause.COMPLETE, 3_600_000 * Timelines.MILLI);

    assertThat(scrape())
        .containsEntry("sluice_origin_duration_seconds_bucket{le=\"30.0\"}", 0.0)
        .containsEntry("sluice_origin_duration_seconds_count", 1.0)
        .containsEntry("sluice_origin_duration_seconds_sum", 3600.0);
  }

  @Test
  void routes_haveTwelveBuckets() {
    observer.forLoop(0).record(Timelines.served("shop", "/", "", 40));

    Map<String, Double> samples = scrape();

    assertThat(samples.keySet())
        .filteredOn(name -> name.startsWith("sluice_route_duration_seconds_bucket"))
        .hasSize(12);
    assertThat(samples)
        .containsEntry("sluice_route_duration_seconds_bucket{route=\"shop\",le=\"0.025\"}", 0.0)
        .containsEntry("sluice_route_duration_seconds_bucket{route=\"shop\",le=\"0.05\"}", 1.0);
  }

  @Test
  void scrapes_inARow_neverGoBack() {
    var before = new HashMap<String, Double>();
    for (int round = 0; round < 5; round++) {
      observer.forLoop(round % 2).record(Timelines.served("shop", "/", "", round));
      observer.forLoop(round % 2).originEnded("up", Cause.COMPLETE, round);

      Map<String, Double> now = scrape();

      before.forEach(
          (name, value) -> assertThat(now.get(name)).as(name).isGreaterThanOrEqualTo(value));
      assertThat(now).containsEntry("sluice_request_duration_seconds_count", round + 1.0);
      before.putAll(now);
    }
  }

  @Test
  void route_removed_leavesNoSeries() {
    observer.forLoop(0).record(Timelines.served("old", "/", "", 1));
    observer.forLoop(0).record(Timelines.served("kept", "/", "", 1));

    observer.retainRoutes(Set.of("kept"));
    observer.forLoop(0).record(Timelines.served("old", "/", "", 1));

    assertThat(metrics.scrape()).doesNotContain("route=\"old\"").contains("route=\"kept\"");
    assertThat(scrape()).containsEntry("sluice_request_duration_seconds_count", 3.0);
    assertThat(metrics.scrape()).contains("route=\"-\"");
  }

  @Test
  void route_removedAndBack_countsAgain() {
    observer.forLoop(0).record(Timelines.served("shop", "/", "", 1));
    observer.retainRoutes(Set.of());
    observer.retainRoutes(Set.of("shop"));

    observer.forLoop(0).record(Timelines.served("shop", "/", "", 1));

    assertThat(scrape()).containsEntry("sluice_route_duration_seconds_count{route=\"shop\"}", 1.0);
  }

  @Test
  void gauges_areAskedAtEachScrape() {
    Map<String, Integer> limits = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    metrics.gauges("sluice.route.limit", "Limits.", "route", () -> limits);
    metrics.gauge("sluice.draining", "Draining.", Tags.empty(), unused -> 1);
    assertThat(scrape())
        .containsEntry("sluice_route_limit{route=\"a\"}", 1.0)
        .containsEntry("sluice_draining", 1.0);

    limits.remove("a");
    limits.put("b", 5);

    assertThat(scrape())
        .doesNotContainKey("sluice_route_limit{route=\"a\"}")
        .containsEntry("sluice_route_limit{route=\"b\"}", 5.0);
  }

  @Test
  void labels_neverTellPathQueryOrClient() {
    observer.forLoop(0).record(Timelines.served("shop", "/secret-path", "token=s3cret", 1));

    assertThat(metrics.scrape())
        .doesNotContain("secret-path")
        .doesNotContain("s3cret")
        .doesNotContain("192.0.2.1");
  }

  @Test
  void record_withoutLog_allocatesNothing() {
    LoopCounters loop = observer.forLoop(0);
    Timeline one = Timelines.served("shop", "/", "", 1);
    Timeline other = Timelines.shed("other", Cause.QUEUE_FULL);
    repeat(loop, one, other);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    repeat(loop, one, other);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }

  private static void repeat(LoopCounters loop, Timeline one, Timeline other) {
    for (int i = 0; i < 10_000; i++) {
      loop.record(one);
      loop.record(other);
      loop.originEnded("up", Cause.COMPLETE, i);
    }
  }

  /** Every line must be a comment or a sample, and every name must be explained. */
  private Map<String, Double> scrape() {
    var samples = new LinkedHashMap<String, Double>();
    for (String line : metrics.scrape().lines().toList()) {
      if (line.startsWith("#")) {
        assertThat(line).matches("# (HELP|TYPE) sluice_[a-z_]+ .+");
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      assertThat(samples.put(sample.group(1), Double.valueOf(sample.group(2)))).as(line).isNull();
    }
    return samples;
  }
}
