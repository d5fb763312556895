package dev.sluice.governor.fetch;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The observed latency of an upstream (ORG-04, ORG-05). */
class LatencyTest {

  private final Latency latency = new Latency();

  @Test
  void firstSample_isTheAverage() {
    assertThat(latency.nanos(0)).isEqualTo(Latency.UNKNOWN);

    latency.record(MILLISECONDS.toNanos(40), SECONDS.toNanos(9));

    assertThat(latency.nanos(SECONDS.toNanos(9))).isEqualTo(MILLISECONDS.toNanos(40));
  }

  /** A second of slow answers, a hundred of them, and it no longer looks fast. */
  @Test
  void org05_slowAnswers_showWithinASecond() {
    long now = 0;
    for (int i = 0; i < 1000; i++) {
      now += MILLISECONDS.toNanos(10);
      latency.record(MILLISECONDS.toNanos(20), now);
    }
    for (int i = 0; i < 100; i++) {
      now += MILLISECONDS.toNanos(10);
      latency.record(MILLISECONDS.toNanos(1020), now);
    }

    assertThat(latency.averageNanos()).isGreaterThan(MILLISECONDS.toNanos(200));
  }

  @Test
  void org05_silence_fadesIt() {
    latency.record(SECONDS.toNanos(1), 0);

    assertThat(latency.nanos(SECONDS.toNanos(10)))
        .isBetween(MILLISECONDS.toNanos(360), MILLISECONDS.toNanos(375));
    assertThat(latency.averageNanos()).isEqualTo(SECONDS.toNanos(1));
  }

  /** The clock's origin is arbitrary, and its milliseconds wrap around in here. */
  @Test
  void anyOriginOfTheClock_isTheSame() {
    long start = (1L << 31) * 1_000_000L - MILLISECONDS.toNanos(5);
    latency.record(MILLISECONDS.toNanos(100), start);
    latency.record(MILLISECONDS.toNanos(100), start + MILLISECONDS.toNanos(10));

    assertThat(latency.nanos(start + SECONDS.toNanos(10)))
        .isBetween(MILLISECONDS.toNanos(35), MILLISECONDS.toNanos(38));
  }

  @Test
  void veryLongAnswer_isHeldAsFarAsItGoes() {
    latency.record(SECONDS.toNanos(100_000), 0);

    assertThat(latency.averageNanos()).isBetween(SECONDS.toNanos(4294), SECONDS.toNanos(4295));
  }
}
