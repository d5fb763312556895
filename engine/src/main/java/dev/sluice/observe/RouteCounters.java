package dev.sluice.observe;

import dev.sluice.outcome.Cause;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What one loop counts for one route. Only the loop writes; any thread reads. Durations are 12
 * fixed buckets, because a histogram for each route and loop would be too large (DEC-51).
 */
final class RouteCounters {

  /** The last bucket has no upper bound. */
  static final double[] UPPER_SECONDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Double.POSITIVE_INFINITY
  };

  /** 1xx to 5xx by their first digit; 0 where no status was sent. */
  static final int STATUS_CLASSES = 6;

  private final Map<String, Endings> classes = new ConcurrentHashMap<>();
  private final Tally buckets = new Tally(UPPER_SECONDS.length);
  private final Tally sumNanos = new Tally(1);
  private final Tally abandoned = new Tally(1);
  private final ReuseCounters reuse = new ReuseCounters();

  /** The exchanges of one request class, by cause and status class. */
  static final class Endings {

    // Few causes ever occur on a route, so each has its cells only once it did.
    private final AtomicReferenceArray<@Nullable Tally> byCause =
        new AtomicReferenceArray<>(Cause.values().length);

    void increment(Cause cause, int status) {
      Tally cells = byCause.getPlain(cause.ordinal());
      if (cells == null) {
        cells = new Tally(STATUS_CLASSES);
        byCause.setRelease(cause.ordinal(), cells);
      }
      int statusClass = status / 100;
      cells.add(statusClass < STATUS_CLASSES ? statusClass : 0, 1);
    }

    /** By status class; null where the cause never occurred. */
    @Nullable Tally of(Cause cause) {
      return byCause.getAcquire(cause.ordinal());
    }
  }

  void record(Timeline exchange) {
    Endings endings = classes.get(exchange.requestClass());
    if (endings == null) {
      endings = classes.computeIfAbsent(exchange.requestClass(), unused -> new Endings());
    }
    endings.increment(exchange.ending().cause(), exchange.status());
    buckets.add(bucket(exchange.totalNanos()), 1);
    sumNanos.add(0, exchange.totalNanos());
    reuse.record(exchange);
  }

  void abandon() {
    abandoned.add(0, 1);
  }

  Map<String, Endings> classes() {
    return classes;
  }

  Tally buckets() {
    return buckets;
  }

  double sumSeconds() {
    return sumNanos.get(0) / 1e9;
  }

  ReuseCounters reuse() {
    return reuse;
  }

  long abandoned() {
    return abandoned.get(0);
  }

  private static int bucket(long nanos) {
    double seconds = nanos / 1e9;
    int bucket = 0;
    while (seconds > UPPER_SECONDS[bucket]) {
      bucket++;
    }
    return bucket;
  }
}
