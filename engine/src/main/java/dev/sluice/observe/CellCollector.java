package dev.sluice.observe;

import dev.sluice.outcome.Cause;
import dev.sluice.outcome.RetryOutcome;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads the loops' cells as Prometheus' counters and histograms, added up over all loops. Series
 * exist while their cells do, so a route that is dropped leaves nothing behind. Called by one
 * scrape at a time.
 */
final class CellCollector implements MultiCollector {

  /** Below the recorders' 60 s, so that what is longer than they can tell is beyond the last. */
  private static final double[] UPPER_SECONDS = {
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    5,
    10,
    30,
    Double.POSITIVE_INFINITY
  };

  private final List<LoopCounters> loops;

  CellCollector(List<LoopCounters> loops) {
    this.loops = loops;
  }

  @Override
  public MetricSnapshots collect() {
    return MetricSnapshots.of(
        requests(),
        originRequests(),
        retries(),
        abandoned(),
        latency(
            "sluice_request_duration_seconds",
            "Exchanges, from the request's head to the end of its answer.",
            LoopCounters::requests),
        latency(
            "sluice_queue_wait_seconds",
            "Waits for a permit, whether it was granted or not.",
            LoopCounters::waits),
        latency(
            "sluice_origin_duration_seconds",
            "Fetches, from the permit to the origin's end of stream.",
            LoopCounters::origin),
        routeDurations());
  }

  private CounterSnapshot requests() {
    var series = new CounterSeries();
    for (LoopCounters loop : loops) {
      loop.routes()
          .forEach(
              (route, counters) ->
                  counters
                      .classes()
                      .forEach((kind, endings) -> addEndings(series, route, kind, endings)));
    }
    return series.snapshot("sluice_requests", "Exchanges by how they ended.");
  }

  private static void addEndings(
      CounterSeries series, String route, String kind, RouteCounters.Endings endings) {
    for (Cause cause : Cause.values()) {
      Tally byStatus = endings.of(cause);
      for (int i = 0; byStatus != null && i < byStatus.size(); i++) {
        series.addIfAny(labels(route, kind, i, cause), byStatus.get(i));
      }
    }
  }

  private static Labels labels(String route, String kind, int statusClass, Cause cause) {
    return Labels.of(
        "route",
        route,
        "class",
        kind,
        "status",
        statusClass == 0 ? "-" : statusClass + "xx",
        "reason",
        cause.code(),
        "party",
        cause.party().code());
  }

  private CounterSnapshot originRequests() {
    var series = new CounterSeries();
    for (LoopCounters loop : loops) {
      loop.originRequests().forEach((upstream, byCause) -> addFetches(series, upstream, byCause));
    }
    return series.snapshot("sluice_origin_requests", "Fetches by upstream and how they ended.");
  }

  private static void addFetches(CounterSeries series, String upstream, Tally byCause) {
    for (Cause cause : Cause.values()) {
      series.addIfAny(
          Labels.of("upstream", upstream, "reason", cause.code()), byCause.get(cause.ordinal()));
    }
  }

  private CounterSnapshot retries() {
    var series = new CounterSeries();
    for (LoopCounters loop : loops) {
      for (RetryOutcome outcome : RetryOutcome.values()) {
        series.add(Labels.of("outcome", outcome.code()), loop.retries().get(outcome.ordinal()));
      }
    }
    return series.snapshot(
        "sluice_origin_retries",
        "Further attempts by what became of them, or of the wish for one.");
  }

  private CounterSnapshot abandoned() {
    var series = new CounterSeries();
    for (LoopCounters loop : loops) {
      loop.routes()
          .forEach(
              (route, counters) -> series.add(Labels.of("route", route), counters.abandoned()));
    }
    return series.snapshot(
        "sluice_origin_abandoned", "Fetches that were left before their end and may render on.");
  }

  private HistogramSnapshot latency(
      String name, String help, Function<LoopCounters, LatencyRecorder> of) {
    List<LatencyRecorder> recorders = loops.stream().map(of).toList();
    recorders.forEach(LatencyRecorder::collect);
    var buckets = ClassicHistogramBuckets.builder();
    long before = 0;
    for (double upper : UPPER_SECONDS) {
      long upTo = recorders.stream().mapToLong(recorder -> countUpTo(recorder, upper)).sum();
      buckets.bucket(upper, upTo - before);
      before = upTo;
    }
    var point =
        HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(buckets.build())
            .sum(recorders.stream().mapToDouble(LatencyRecorder::sumSeconds).sum())
            .build();
    return HistogramSnapshot.builder().name(name).help(help).dataPoint(point).build();
  }

  private static long countUpTo(LatencyRecorder recorder, double seconds) {
    return Double.isInfinite(seconds)
        ? recorder.count()
        : recorder.countUpTo(Math.round(seconds * 1e6));
  }

  private HistogramSnapshot routeDurations() {
    var snapshot =
        HistogramSnapshot.builder()
            .name("sluice_route_duration_seconds")
            .help("Exchanges of a route, from the request's head to the end of its answer.");
    var routes = new TreeMap<String, Buckets>();
    for (LoopCounters loop : loops) {
      loop.routes()
          .forEach(
              (route, counters) ->
                  routes.computeIfAbsent(route, unused -> new Buckets()).add(counters));
    }
    routes.forEach((route, buckets) -> snapshot.dataPoint(buckets.point(route)));
    return snapshot.build();
  }

  /** One route's durations over all loops. */
  private static final class Buckets {

    private final long[] counts = new long[RouteCounters.UPPER_SECONDS.length];
    private double sumSeconds;

    void add(RouteCounters counters) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += counters.buckets().get(i);
      }
      sumSeconds += counters.sumSeconds();
    }

    HistogramDataPointSnapshot point(String route) {
      var buckets = ClassicHistogramBuckets.builder();
      for (int i = 0; i < counts.length; i++) {
        buckets.bucket(RouteCounters.UPPER_SECONDS[i], counts[i]);
      }
      return HistogramDataPointSnapshot.builder()
          .labels(Labels.of("route", route))
          .classicHistogramBuckets(buckets.build())
          .sum(sumSeconds)
          .build();
    }
  }
}
