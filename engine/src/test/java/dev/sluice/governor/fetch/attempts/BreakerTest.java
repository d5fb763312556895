package dev.sluice.governor.fetch.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.fetch.attempts.Breaker.Change;
import dev.sluice.governor.fetch.attempts.Breaker.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DEC-45, ORG-11 to ORG-16, in virtual time. */
class BreakerTest {

  private static final BreakerSettings SETTINGS =
      new BreakerSettings(true, Duration.ofSeconds(10), 20, 50, Duration.ofSeconds(30));
  private static final long CLIENT = 1;

  private final Breaker breaker = new Breaker();
  private final List<Change> changes = new ArrayList<>();
  private long now = Duration.ofDays(1).toNanos();

  BreakerTest() {
    breaker.enforce(SETTINGS, now);
  }

  private void attempt(Sign sign, long client) {
    ended(breaker.begin(), sign, client);
  }

  private void ended(long pass, Sign sign, long client) {
    Change change = breaker.ended(pass, sign, client, now);
    if (change != null) {
      changes.add(change);
    }
  }

  private void attempts(int count, Sign sign) {
    for (int i = 0; i < count; i++) {
      attempt(sign, CLIENT);
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private State state() {
    return breaker.view(now).state();
  }

  /** Opens it and lets its time pass. */
  private void halfOpen() {
    attempts(20, Sign.FAILURE);
    pass(SETTINGS.openFor());
    assertThat(breaker.halfOpen(last().epoch(), now)).isNotNull();
  }

  private Change last() {
    return changes.get(changes.size() - 1);
  }

  @Test
  void org13_nineteenFailures_stay_theTwentiethOpens() {
    attempts(19, Sign.FAILURE);
    assertThat(state()).isEqualTo(State.CLOSED);
    assertThat(breaker.isEjected()).isFalse();

    attempts(1, Sign.FAILURE);

    assertThat(state()).isEqualTo(State.OPEN);
    assertThat(breaker.isEjected()).isTrue();
    assertThat(last()).isEqualTo(new Change(State.CLOSED, State.OPEN, 2, 20, 20));
    assertThat(breaker.view(now).trips()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"49, 51, CLOSED", "50, 50, OPEN"})
  void org14_shareOfFailures_decides(int failures, int good, State state) {
    attempts(good, Sign.GOOD);
    attempts(failures, Sign.FAILURE);

    assertThat(state()).isEqualTo(state);
  }

  /** A success may be the attempt that makes them enough to judge. */
  @Test
  void org14_lastOneGood_isJudgedToo() {
    attempts(10, Sign.FAILURE);
    attempts(9, Sign.GOOD);
    assertThat(state()).isEqualTo(State.CLOSED);

    attempts(1, Sign.GOOD);

    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void org12_failuresOlderThanTheWindow_doNotCount() {
    attempts(19, Sign.FAILURE);
    pass(Duration.ofMillis(10_001));

    attempts(19, Sign.FAILURE);
    assertThat(state()).isEqualTo(State.CLOSED);

    attempts(1, Sign.FAILURE);
    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void org12_failuresWithinTheWindow_count() {
    attempts(10, Sign.FAILURE);
    pass(Duration.ofMillis(8_900));
    attempts(10, Sign.FAILURE);

    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void org15_open_letsNobodyThroughUntilItsTime() {
    attempts(20, Sign.FAILURE);
    assertThat(breaker.begin()).isEqualTo(Breaker.UNSEEN);

    pass(SETTINGS.openFor());
    Change change = Objects.requireNonNull(breaker.halfOpen(last().epoch(), now));

    assertThat(change.to()).isEqualTo(State.HALF_OPEN);
    assertThat(breaker.isEjected()).isFalse();
  }

  @Test
  void halfOpen_oneAtATime_andTheUpstreamIsLeftOutMeanwhile() {
    halfOpen();

    long trial = breaker.begin();

    assertThat(breaker.isTrial(trial)).isTrue();
    assertThat(breaker.isEjected()).isTrue();
    assertThat(breaker.begin()).isEqualTo(Breaker.UNSEEN);
    ended(trial, Sign.NOTHING, CLIENT);
    assertThat(breaker.isEjected()).isFalse();
    assertThat(breaker.isTrial(breaker.begin())).isTrue();
  }

  @Test
  void halfOpen_goodTrial_closesAndCountsAnew() {
    halfOpen();

    attempt(Sign.GOOD, CLIENT);

    assertThat(state()).isEqualTo(State.CLOSED);
    assertThat(breaker.isEjected()).isFalse();
    attempts(19, Sign.FAILURE);
    assertThat(state()).isEqualTo(State.CLOSED);
    attempts(1, Sign.FAILURE);
    assertThat(breaker.view(now).trips()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"FAILURE", "ERROR"})
  void halfOpen_badTrial_opensAgain_whichIsNoTrip(Sign sign) {
    halfOpen();

    attempt(sign, CLIENT);

    assertThat(state()).isEqualTo(State.OPEN);
    assertThat(breaker.isEjected()).isTrue();
    assertThat(breaker.view(now).trips()).isEqualTo(1);
  }

  @Test
  void earlierEpoch_isIgnored() {
    List<Long> old = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      old.add(breaker.begin());
    }
    for (long pass : old.subList(0, 20)) {
      ended(pass, Sign.FAILURE, CLIENT);
    }
    assertThat(state()).isEqualTo(State.OPEN);
    pass(SETTINGS.openFor());
    breaker.halfOpen(last().epoch(), now);

    ended(old.get(20), Sign.GOOD, CLIENT);
    assertThat(state()).as("a good one from before").isEqualTo(State.HALF_OPEN);
    attempt(Sign.GOOD, CLIENT);
    for (long pass : old.subList(21, 40)) {
      ended(pass, Sign.FAILURE, CLIENT);
    }

    assertThat(breaker.view(now).attempts()).isZero();
    assertThat(state()).isEqualTo(State.CLOSED);
  }

  @Test
  void timerOfAnEarlierEpoch_changesNothing() {
    attempts(20, Sign.FAILURE);
    long first = last().epoch();
    pass(SETTINGS.openFor());
    breaker.halfOpen(first, now);
    attempt(Sign.FAILURE, CLIENT);

    assertThat(breaker.halfOpen(first, now)).isNull();
    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void abortsOfOurs_andOfClients_countAsNothing() {
    attempts(100, Sign.NOTHING);
    attempts(19, Sign.FAILURE);

    assertThat(breaker.view(now).attempts()).isEqualTo(19);
    assertThat(state()).isEqualTo(State.CLOSED);
  }

  // Errors of the application.

  @Test
  void errors_ofFewClients_countInFull() {
    attempts(19, Sign.ERROR);
    assertThat(state()).isEqualTo(State.CLOSED);

    attempt(Sign.ERROR, 2);

    assertThat(state()).isEqualTo(State.OPEN);
  }

  /** Garbage from one client: three of its errors count, the others are no attempts at all. */
  @Test
  void errors_ofOneClientAmongFour_countThreeTimes() {
    for (long client = 2; client <= 5; client++) {
      attempt(Sign.GOOD, client);
    }

    attempts(1_000, Sign.ERROR);

    assertThat(breaker.view(now)).isEqualTo(new Breaker.View(State.CLOSED, 3, 7, 0));
  }

  /** What one client had added before the others came is cut back when they do. */
  @Test
  void errors_ofOneClient_areCutBackOnceOthersCame() {
    attempts(16, Sign.ERROR);
    for (long client = 2; client <= 4; client++) {
      attempt(Sign.GOOD, client);
    }

    assertThat(breaker.view(now).failures()).isEqualTo(3);
    assertThat(state()).isEqualTo(State.CLOSED);
  }

  @Test
  void errors_ofEverybody_openIt() {
    for (long client = 1; client <= 7; client++) {
      for (int i = 0; i < 3; i++) {
        attempt(Sign.ERROR, client);
      }
    }

    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void errors_leaveTheWindow_andTheClientHasThreeAgain() {
    for (long client = 2; client <= 5; client++) {
      attempt(Sign.GOOD, client);
    }
    attempts(10, Sign.ERROR);
    pass(Duration.ofSeconds(11));
    for (long client = 2; client <= 5; client++) {
      attempt(Sign.GOOD, client);
    }

    attempts(10, Sign.ERROR);

    assertThat(breaker.view(now).failures()).isEqualTo(3);
  }

  @Test
  void otherFailures_areNotCut_whoeverMeetsThem() {
    for (long client = 2; client <= 5; client++) {
      attempt(Sign.GOOD, client);
    }

    attempts(20, Sign.FAILURE);

    assertThat(state()).isEqualTo(State.OPEN);
  }

  /** More networks than are told apart: theirs are everybody's. */
  @Test
  void errors_ofVeryManyClients_needNoMemoryOfTheirOwn() {
    attempts(1, Sign.GOOD);
    var errors = new ErrorsByClient();
    for (long client = 0; client < 5_000; client++) {
      errors.add(client, 1);
    }

    assertThat(errors.count(4, 1)).isEqualTo(5_000);
    assertThat(errors.count(4, 100)).isZero();
  }

  // Settings.

  @Test
  void off_seesNothing() {
    breaker.enforce(BreakerSettings.OFF, now);

    attempts(100, Sign.FAILURE);

    assertThat(breaker.begin()).isEqualTo(Breaker.UNSEEN);
    assertThat(breaker.isEjected()).isFalse();
  }

  @Test
  void reload_withOtherSettings_beginsAnew_withTheSameGoesOn() {
    attempts(20, Sign.FAILURE);
    breaker.enforce(SETTINGS, now);
    assertThat(breaker.isEjected()).isTrue();

    breaker.enforce(
        new BreakerSettings(true, Duration.ofSeconds(5), 20, 50, Duration.ofSeconds(30)), now);

    assertThat(state()).isEqualTo(State.CLOSED);
    assertThat(breaker.isEjected()).isFalse();
  }
}
