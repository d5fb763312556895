package dev.sluice.chaos.toxiproxy;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The paces of the toxics that let everything through. Stateless. */
final class Paces {

  /** A slow connection gets its bytes in steps of this time at most. */
  private static final long STEP_MILLIS = 100;

  private Paces() {}

  /** Latency ± jitter, in milliseconds; bytes never overtake one another. */
  static Pace latency(long latency, long jitter) {
    return new Pace() {
      @Override
      public int piece(int bytes) {
        return bytes;
      }

      @Override
      public long dueNanos(long now, long last, int bytes) {
        long spread =
            jitter <= 0 ? 0 : ThreadLocalRandom.current().nextLong(2 * jitter + 1) - jitter;
        long due = now + TimeUnit.MILLISECONDS.toNanos(Math.max(0, latency + spread));
        return due - last < 0 ? last : due;
      }
    };
  }

  /** So many bytes a millisecond; 0 = without a bound. */
  static Pace bandwidth(long rate) {
    return new Pace() {
      @Override
      public int piece(int bytes) {
        return rate <= 0 ? bytes : (int) Math.min(bytes, rate * STEP_MILLIS);
      }

      @Override
      public long dueNanos(long now, long last, int bytes) {
        if (rate <= 0) {
          return now;
        }
        long begin = now - last > 0 ? now : last;
        return begin + TimeUnit.MILLISECONDS.toNanos(bytes) / rate;
      }
    };
  }

  /** Slices of {@code average} ± {@code variation} bytes, so many microseconds apart. */
  static Pace slices(long average, long variation, long delay) {
    return new Pace() {
      @Override
      public int piece(int bytes) {
        long spread =
            variation <= 0
                ? 0
                : ThreadLocalRandom.current().nextLong(2 * variation + 1) - variation;
        return (int) Math.min(bytes, Math.max(1, average + spread));
      }

      @Override
      public long dueNanos(long now, long last, int bytes) {
        long due = last + TimeUnit.MICROSECONDS.toNanos(delay);
        return now - due > 0 ? now : due;
      }
    };
  }
}
