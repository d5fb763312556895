package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DEC-42: what the last returns say of the next. */
class ReturnRateTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ReturnRate rate = new ReturnRate();
  private long now = 100 * SECOND;

  @ParameterizedTest(name = "{0} returns")
  @CsvSource({"7, 0", "8, 4", "16, 4"})
  void wait_isKnownFromTheEighthReturn(int returns, int seconds) {
    returns(returns, 2, SECOND);
    now += SECOND;

    assertThat(rate.waitNanos(8, 1, now)).isEqualTo(seconds * SECOND);
  }

  /** Of the 17 returns that which is 17 s ago is not looked at any more. */
  @Test
  void smallCeiling_isJudgedByTheLastSixteen() {
    returns(1, 1_000, SECOND);
    returns(16, 1, SECOND);
    now += SECOND;

    assertThat(rate.waitNanos(3, 3, now)).isEqualTo(3 * SECOND);
  }

  /** Five rounds of a ceiling of 12: 44 in no time, 16 in 16 s. */
  @Test
  void ceiling_isJudgedByFiveRounds() {
    returns(44, 1, 0);
    returns(16, 1, SECOND);

    assertThat(rate.waitNanos(60, 12, now)).isEqualTo(16 * SECOND);
    assertThat(rate.waitNanos(15, 3, now)).isLessThan(16 * SECOND).isGreaterThan(13 * SECOND);
  }

  @ParameterizedTest(name = "{0} ns later")
  @CsvSource({"30000000000, 1", "30000000001, 0"})
  void silence_isForgottenAfterHalfAMinute(long silence, int known) {
    returns(7, 1, 0);
    now += silence;
    rate.returned(1, now);
    assertThat(rate.waitNanos(1, 1, now) > 0 ? 1 : 0).isEqualTo(known);

    returns(8, 1, 1);
    now += silence;
    assertThat(rate.waitNanos(1, 1, now) > 0 ? 1 : 0).isEqualTo(known);
  }

  @Test
  void nothingNeeded_isNoWait() {
    returns(8, 1, SECOND);

    assertThat(rate.waitNanos(0, 1, now)).isZero();
    assertThat(rate.waitNanos(-3, 1, now)).isZero();
  }

  private void returns(int count, int weight, long apart) {
    for (int i = 0; i < count; i++) {
      now += apart;
      rate.returned(weight, now);
    }
  }
}
