package dev.sluice.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** DEC-20: how soon the application is started again. */
class BackoffTest {

  /** Draws the middle of every range. */
  private static final RandomGenerator MIDDLE = () -> 1L << 63;

  private final Backoff backoff = new Backoff(MIDDLE);

  private long millisAfter(long ranNanos) {
    return TimeUnit.NANOSECONDS.toMillis(backoff.after(ranNanos));
  }

  @Test
  void endsInARow_waitTwiceAsLong_upToHalfAMinute() {
    long[] waits = new long[8];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = millisAfter(0);
    }

    assertThat(waits).containsExactly(500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000);
  }

  @Test
  void steadyRun_beginsAnew() {
    millisAfter(0);
    millisAfter(0);

    assertThat(millisAfter(Backoff.STEADY_NANOS)).isEqualTo(500);
    assertThat(millisAfter(Backoff.STEADY_NANOS - 1)).isEqualTo(1000);
  }

  @Test
  void jitter_isAFifth() {
    assertThat(new Backoff(() -> 0).after(0)).isEqualTo(Backoff.FIRST_NANOS * 8 / 10);
    assertThat(new Backoff(() -> -1).after(0))
        .isCloseTo(Backoff.FIRST_NANOS * 12 / 10, org.assertj.core.data.Offset.offset(1L));
  }
}
