package dev.sluice.observe;

import dev.sluice.outcome.Cause;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * What one loop counts: cells that only it writes and the scrape reads (DEC-51). Writes are
 * confined to the loop; reads are for the scrape's one thread.
 */
public final class LoopCounters {

  private final AccessLog accessLog;
  private final LatencyRecorder requests = new LatencyRecorder();
  private final LatencyRecorder waits = new LatencyRecorder();
  private final LatencyRecorder origin = new LatencyRecorder();
  private final Map<ExchangeKey, LongAdder> exchanges = new ConcurrentHashMap<>();
  private final Map<OriginKey, LongAdder> originRequests = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> abandoned = new ConcurrentHashMap<>();
  private final Map<String, RouteBuckets> buckets = new ConcurrentHashMap<>();
  private ExchangeKey last = new ExchangeKey("", "", 0, Cause.COMPLETE);
  private LongAdder lastCell = new LongAdder();

  LoopCounters(AccessLog accessLog) {
    this.accessLog = accessLog;
  }

  /** The labels of {@code sluice_requests_total}; all from small, fixed sets. */
  record ExchangeKey(String route, String requestClass, int statusClass, Cause cause) {}

  /** The labels of {@code sluice_origin_requests_total}. */
  record OriginKey(String upstream, Cause cause) {}

  /** An exchange is over; the timeline is the log's from here. */
  public void record(Timeline exchange) {
    requests.record(exchange.totalNanos());
    if (exchange.reachedOrigin() || exchange.isShed()) {
      waits.record(exchange.queueNanos());
    }
    cell(exchange).increment();
    bucketsOf(exchange.route()).record(exchange.totalNanos());
    accessLog.log(exchange);
  }

  /** An attempt at an upstream is over. */
  public void originEnded(String upstream, Cause cause, long nanos) {
    origin.record(nanos);
    var key = new OriginKey(upstream, cause);
    LongAdder cell = originRequests.get(key);
    if (cell == null) {
      cell = originRequests.computeIfAbsent(key, unused -> new LongAdder());
    }
    cell.increment();
  }

  /** A permit is held on for an attempt that was left before its end (DEC-29). */
  public void abandoned(String route) {
    abandoned.computeIfAbsent(route, unused -> new LongAdder()).increment();
  }

  /** Forgets the series of routes that are gone. */
  void retainRoutes(java.util.Set<String> routes) {
    exchanges.keySet().removeIf(key -> !routes.contains(key.route()));
    abandoned.keySet().retainAll(routes);
    buckets.keySet().retainAll(routes);
  }

  private LongAdder cell(Timeline exchange) {
    int statusClass = exchange.status() / 100;
    Cause cause = exchange.ending().cause();
    if (last.cause == cause
        && last.statusClass == statusClass
        && last.route.equals(exchange.route())
        && last.requestClass.equals(exchange.requestClass())) {
      return lastCell;
    }
    last = new ExchangeKey(exchange.route(), exchange.requestClass(), statusClass, cause);
    lastCell = exchanges.computeIfAbsent(last, unused -> new LongAdder());
    return lastCell;
  }

  private RouteBuckets bucketsOf(String route) {
    RouteBuckets found = buckets.get(route);
    return found != null ? found : buckets.computeIfAbsent(route, unused -> new RouteBuckets());
  }

  LatencyRecorder requests() {
    return requests;
  }

  LatencyRecorder waits() {
    return waits;
  }

  LatencyRecorder origin() {
    return origin;
  }

  Map<ExchangeKey, LongAdder> exchanges() {
    return exchanges;
  }

  Map<OriginKey, LongAdder> originRequests() {
    return originRequests;
  }

  Map<String, LongAdder> abandonedByRoute() {
    return abandoned;
  }

  Map<String, RouteBuckets> buckets() {
    return buckets;
  }

  /** 2 digits, 1 µs to 60 s, int counts: 11 KB (DEC-51). */
  static final class LatencyRecorder {

    private static final long MAX_MICROS = TimeUnit.SECONDS.toMicros(60);
    private static final int DIGITS = 2;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, MAX_MICROS, DIGITS);
    private final IntCountsHistogram sum = new IntCountsHistogram(1, MAX_MICROS, DIGITS);
    private @org.jspecify.annotations.Nullable Histogram interval;
    private double sumSeconds;

    void record(long nanos) {
      recorder.recordValue(Math.max(1, Math.min(MAX_MICROS, nanos / 1000)));
    }

    /** Everything since the start; for the scrape's one thread. */
    IntCountsHistogram total() {
      interval = recorder.getIntervalHistogram(interval);
      sum.add(interval);
      sumSeconds += interval.getMean() * interval.getTotalCount() / 1e6;
      return sum;
    }

    double sumSeconds() {
      return sumSeconds;
    }
  }

  /** A route's latencies in 12 fixed buckets: counters, because 189 KB a route is too much. */
  static final class RouteBuckets {

    static final double[] UPPER_SECONDS = {
      0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Double.POSITIVE_INFINITY
    };

    private final java.util.concurrent.atomic.AtomicLongArray counts =
        new java.util.concurrent.atomic.AtomicLongArray(UPPER_SECONDS.length);
    private volatile long sumNanos;

    /** Called by one loop only, so a plain read and an ordered write are enough. */
    void record(long nanos) {
      double seconds = nanos / 1e9;
      int bucket = 0;
      while (seconds > UPPER_SECONDS[bucket]) {
        bucket++;
      }
      counts.lazySet(bucket, counts.get(bucket) + 1);
      sumNanos = addToSum(nanos);
    }

    private long addToSum(long nanos) {
      return sumNanos + nanos;
    }

    long count(int bucket) {
      return counts.get(bucket);
    }

    long sumNanos() {
      return sumNanos;
    }
  }
}
