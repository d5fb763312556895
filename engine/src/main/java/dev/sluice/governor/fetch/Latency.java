package dev.sluice.governor.fetch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long an upstream took to answer of late: an average in which a sample counts the more the
 * longer ago the one before it was, over about five seconds. While nothing is measured it fades, so
 * that who is never asked for being slow is asked again. Average and time lie in one word; of two
 * samples that meet one is lost. Thread-safe.
 */
final class Latency {

  /** Nothing was measured yet. */
  static final long UNKNOWN = -1;

  /** What an attempt without an answer counts at least. */
  static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final double SPAN_MILLIS = 5_000;
  private static final double FADE_MILLIS = 10_000;

  /** What one sample counts at least, however many there are. */
  private static final double LEAST_SHARE = 0.01;

  private static final long NOTHING = 0;
  private static final long MAX_MICROS = 0xffffffffL;

  /** Microseconds, at least 1, above; milliseconds on the ticker below, compared by subtraction. */
  private final AtomicLong state = new AtomicLong(NOTHING);

  /** An answer took {@code nanos}. */
  void record(long nanos, long nowNanos) {
    long before = state.get();
    int now = millis(nowNanos);
    double sample = TimeUnit.NANOSECONDS.toMicros(nanos);
    double average = sample;
    if (before != NOTHING) {
      double share =
          Math.max(LEAST_SHARE, 1 - Math.exp(-Math.max(0, now - (int) before) / SPAN_MILLIS));
      double micros = before >>> 32;
      average = micros + share * (sample - micros);
    }
    long micros = Math.max(1, Math.min(MAX_MICROS, Math.round(average)));
    state.compareAndSet(before, micros << 32 | now & 0xffffffffL);
  }

  /** What to expect of it, {@link #UNKNOWN} before the first sample. */
  long nanos(long nowNanos) {
    long seen = state.get();
    if (seen == NOTHING) {
      return UNKNOWN;
    }
    int silent = Math.max(0, millis(nowNanos) - (int) seen);
    double micros = seen >>> 32;
    return (long) (TimeUnit.MICROSECONDS.toNanos(1) * micros * Math.exp(-silent / FADE_MILLIS));
  }

  /** The average as it was last, for who looks; {@link #UNKNOWN} before the first sample. */
  long averageNanos() {
    long seen = state.get();
    return seen == NOTHING ? UNKNOWN : TimeUnit.MICROSECONDS.toNanos(seen >>> 32);
  }

  private static int millis(long nanos) {
    return (int) TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
