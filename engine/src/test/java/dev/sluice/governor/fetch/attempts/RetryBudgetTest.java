package dev.sluice.governor.fetch.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** ORG-19 to ORG-21, ORG-24, A03, in virtual time. */
class RetryBudgetTest {

  private static final RetrySettings SETTINGS =
      new RetrySettings(true, 2, Duration.ofSeconds(10), 10, 3);

  private final RetryBudget budget = new RetryBudget();
  private long now = Duration.ofDays(1).toNanos();

  RetryBudgetTest() {
    budget.enforce(SETTINGS, now);
  }

  private int retriesOf(int failing) {
    for (int i = 0; i < failing; i++) {
      budget.first(now);
    }
    int retries = 0;
    for (int i = 0; i < failing; i++) {
      retries += budget.take(now) ? 1 : 0;
    }
    return retries;
  }

  /** A03: 1,000 at once; what waits in its back-off has been charged. */
  @Test
  void org19_thousandFailAtOnce_aTenthIsRetried() {
    assertThat(retriesOf(1_000)).isEqualTo(100);
  }

  @Test
  void org21_fiveFail_threeAreRetried() {
    assertThat(retriesOf(5)).isEqualTo(3);
  }

  @Test
  void a03_trickle_theFloorStillAllowsOne() {
    retriesOf(2);

    assertThat(budget.take(now)).isTrue();
  }

  @Test
  void org20_window_refillsIt() {
    assertThat(retriesOf(1_000)).isEqualTo(100);
    assertThat(budget.take(now)).isFalse();

    now += Duration.ofMillis(10_001).toNanos();

    assertThat(retriesOf(1_000)).isEqualTo(100);
  }

  @Test
  void giveBack_ofARetryThatAskedNobody_affordsAnother() {
    for (int i = 0; i < 5; i++) {
      assertThat(budget.take(now)).isTrue();
      budget.giveBack(now);
    }

    assertThat(retriesOf(5)).isEqualTo(3);
  }

  @Test
  void giveBack_afterItsWindow_changesNothing() {
    long taken = now;
    assertThat(budget.take(taken)).isTrue();
    now += Duration.ofMillis(10_001).toNanos();
    assertThat(retriesOf(5)).isEqualTo(3);

    budget.giveBack(taken);

    assertThat(budget.take(now)).isFalse();
  }

  /** ORG-24: however long an outage lasts, its share stays. */
  @Test
  void org24_longOutage_affordsItsShareAndNoMore() {
    int retries = 0;
    int requests = 0;
    for (int millis = 0; millis < 120_000; millis += 5) {
      now += Duration.ofMillis(5).toNanos();
      budget.first(now);
      requests++;
      retries += budget.take(now) ? 1 : 0;
    }

    assertThat(retries).isBetween(requests * 8 / 100, requests * 10 / 100 + 3);
  }

  @Test
  void org17_off_affordsNone() {
    budget.enforce(RetrySettings.OFF, now);
    budget.first(now);

    assertThat(budget.take(now)).isFalse();
  }

  @Test
  void reload_ofTheShareAlone_keepsWhatWasSpent() {
    retriesOf(1_000);
    budget.enforce(new RetrySettings(true, 2, Duration.ofSeconds(10), 11, 3), now);

    assertThat(budget.take(now)).isTrue();
    for (int i = 0; i < 9; i++) {
      budget.take(now);
    }
    assertThat(budget.take(now)).isFalse();
  }
}
