package dev.sluice.observe;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Durations of one loop, 2 digits from 1 µs to 60 s (DEC-51). {@link #record} is the loop's, all
 * else the scrape's, which is one thread at a time. Intervals are added up and never given back, so
 * what Prometheus sees only grows.
 */
final class LatencyRecorder {

  private static final long MAX_MICROS = TimeUnit.SECONDS.toMicros(60);
  private static final int DIGITS = 2;

  private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, MAX_MICROS, DIGITS);
  private final Histogram total = new Histogram(1, MAX_MICROS, DIGITS);
  private final Tally sumNanos = new Tally(1);
  private @Nullable Histogram interval;

  /** What is longer than 60 s counts as 60 s in the buckets and as itself in the sum. */
  void record(long nanos) {
    recorder.recordValue(Math.max(1, Math.min(MAX_MICROS, nanos / 1000)));
    sumNanos.add(0, Math.max(0, nanos));
  }

  /** Takes in what was recorded since the last call. */
  void collect() {
    interval = recorder.getIntervalHistogram(interval);
    total.add(interval);
  }

  /** How many were collected that took at most {@code micros}. */
  long countUpTo(long micros) {
    return total.getCountBetweenValues(0, micros);
  }

  /** How many were collected. */
  long count() {
    return total.getTotalCount();
  }

  double sumSeconds() {
    return sumNanos.get(0) / 1e9;
  }
}
