package dev.sluice.wire.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** DEC-32: a minimum rate, averaged over 10 s after a grace of 10 s. */
class RateGuardTest {

  private static final long SECOND = SECONDS.toNanos(1);

  @Test
  void slowClient_isBreachedBehindGraceAndOneWindow() {
    var guard = new RateGuard(1024);
    for (int second = 1; second < 20; second++) {
      assertThat(guard.isBreached(SECOND, 100)).as("second %d", second).isFalse();
    }
    assertThat(guard.isBreached(SECOND, 100)).isTrue();
  }

  @Test
  void clientAtTheRate_isNeverBreached() {
    var guard = new RateGuard(1024);
    for (int second = 1; second <= 100; second++) {
      assertThat(guard.isBreached(SECOND, 1024)).isFalse();
    }
  }

  @Test
  void timeInWhichTheClientOwesNothing_doesNotCount() {
    var guard = new RateGuard(1024);
    for (int second = 1; second <= 100; second++) {
      assertThat(guard.isBreached(0, 0)).isFalse();
    }
  }

  @Test
  void rateZero_judgesNobody() {
    var guard = new RateGuard(0);
    for (int second = 1; second <= 100; second++) {
      assertThat(guard.isBreached(SECOND, 0)).isFalse();
    }
  }
}
