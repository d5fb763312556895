package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of section ADM and the rules behind them, one test each, under virtual time. */
class ScheduleTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  @Test
  void adm01_ceilingFull_waitsAndIsGrantedAtTheNextReturn() {
    Admission admission = admission(settings(2, 10));
    Place a = enter(admission, "a");
    Place b = enter(admission, "b");
    Place c = enter(admission, "c");

    assertThat(events).containsExactly("a granted", "b granted");

    admission.giveBack(a.waiter);

    assertThat(events).containsExactly("a granted", "b granted", "c granted");
    admission.giveBack(b.waiter);
    admission.giveBack(c.waiter);
    assertIdle(admission);
  }

  @Test
  void adm03_routeAndGlobalLimit_bothApply() {
    Admission admission = admission(settings(3, 10), route("r", 1, null));
    enter(admission, "a", "r", Priority.NORMAL, 1);
    enter(admission, "b", "r", Priority.NORMAL, 1);
    enter(admission, "c", "other", Priority.NORMAL, 1);
    enter(admission, "d", "other", Priority.NORMAL, 1);
    enter(admission, "e", "other", Priority.NORMAL, 1);

    assertThat(events).containsExactly("a granted", "c granted", "d granted");
  }

  @Test
  void adm04_queueFull_shedsAtOnce() {
    Admission admission = admission(settings(1, 2));
    enter(admission, "a");
    enter(admission, "b");
    enter(admission, "c");
    enter(admission, "d");

    assertThat(events).containsExactly("a granted", "d shed QUEUE_FULL");
  }

  /** A03: whoever would add work looks here first. */
  @Test
  void a03_queueFull_isSeenByWhoHoldsAPermit_andOver() {
    Admission admission = admission(settings(1, 2), route("r", null, null));
    Place a = enter(admission, "a");
    enter(admission, "b");
    assertThat(admission.isQueueFull(a.waiter)).isFalse();
    Place c = enter(admission, "c");
    assertThat(admission.isQueueFull(a.waiter)).isTrue();

    admission.leave(c.waiter);

    assertThat(admission.isQueueFull(a.waiter)).isFalse();
  }

  /** Where nobody may wait, it is full from the first who is turned away to the next return. */
  @Test
  void a03_noQueue_isFullWhileSomebodyIsTurnedAway() {
    Admission admission = admission(settings(2, 0));
    Place a = enter(admission, "a");
    Place b = enter(admission, "b");
    assertThat(admission.isQueueFull(a.waiter)).isFalse();

    enter(admission, "c");

    assertThat(admission.isQueueFull(a.waiter)).isTrue();
    admission.giveBack(b.waiter);
    assertThat(admission.isQueueFull(a.waiter)).isFalse();
  }

  @Test
  void a03_routesOwnQueueFull_isNobodyElses() {
    Admission admission = admission(settings(5, 10), route("r", 1, null));
    Place own = enter(admission, "own", "r", Priority.NORMAL, 1);
    Place other = enter(admission, "other", "x", Priority.NORMAL, 1);
    enter(admission, "w1", "r", Priority.NORMAL, 1);
    assertThat(admission.isQueueFull(own.waiter)).isFalse();

    enter(admission, "w2", "r", Priority.NORMAL, 1);

    assertThat(admission.isQueueFull(own.waiter)).isTrue();
    assertThat(admission.isQueueFull(other.waiter)).isFalse();
  }

  /** ADM-04: a route that lets nobody wait. */
  @Test
  void a03_routeWithoutAQueue_isFullWhileSomebodyIsTurnedAway() {
    Admission admission = admission(settings(5, 10), Limit.route("r", new RouteLimits(1, 0, null)));
    Place own = enter(admission, "own", "r", Priority.NORMAL, 1);
    Place other = enter(admission, "other", "x", Priority.NORMAL, 1);
    assertThat(admission.isQueueFull(own.waiter)).isFalse();

    enter(admission, "w1", "r", Priority.NORMAL, 1);

    assertThat(events).last().isEqualTo("w1 shed QUEUE_FULL");
    assertThat(admission.isQueueFull(own.waiter)).isTrue();
    assertThat(admission.isQueueFull(other.waiter)).isFalse();
  }

  @Test
  void a03_largerQueueOfAReload_isNotFull() {
    Admission admission = admission(settings(1, 1));
    Place held = enter(admission, "held");
    enter(admission, "waits");
    assertThat(admission.isQueueFull(held.waiter)).isTrue();

    admission.reload(settings(1, 2), List.of());

    assertThat(admission.isQueueFull(held.waiter)).isFalse();
  }

  @Test
  void adm05_queueDeadline_shedsThenAndNotBefore() {
    Admission admission = admission(settings(1, 10));
    enter(admission, "a");
    enter(admission, "b");
    loop.advance(MILLISECONDS.toNanos(1999));
    assertThat(events).containsExactly("a granted");

    loop.advance(MILLISECONDS.toNanos(1));

    assertThat(events).containsExactly("a granted", "b shed QUEUE_DEADLINE");
  }

  @Test
  void adm06_routeTimeout_replacesTheGlobalOne() {
    Admission admission = admission(settings(1, 10), route("slow", null, Duration.ofSeconds(9)));
    enter(admission, "a");
    enter(admission, "b", "slow", Priority.NORMAL, 1);
    loop.advance(SECONDS.toNanos(8));
    assertThat(events).containsExactly("a granted");

    loop.advance(SECONDS.toNanos(1));

    assertThat(events).containsExactly("a granted", "b shed QUEUE_DEADLINE");
  }

  @Test
  void adm19_tierShare_isACeilingForThatTierOnly() {
    Admission admission =
        admission(new Limit(10).with(Map.of(Priority.LOW, 30), Map.of()).settings());
    for (int i = 0; i < 5; i++) {
      enter(admission, "low" + i, "r", Priority.LOW, 1);
    }
    enter(admission, "high", "r", Priority.HIGH, 1);

    assertThat(events)
        .containsExactly("low0 granted", "low1 granted", "low2 granted", "high granted");
  }

  @Test
  void adm23_sameTierAndRoute_areGrantedInOrderOfArrival() {
    Admission admission = admission(settings(1, 10));
    Place a = enter(admission, "a");
    Place b = enter(admission, "b");
    enter(admission, "c");
    admission.giveBack(a.waiter);
    admission.giveBack(b.waiter);

    assertThat(events).containsExactly("a granted", "b granted", "c granted");
  }

  @Test
  void adm25to28_weight_isChargedToEveryScope() {
    Admission admission =
        admission(
            new Limit(12).with(Map.of(Priority.LOW, 67), Map.of()).settings(), route("r", 8, null));
    enter(admission, "a", "r", Priority.NORMAL, 4);
    enter(admission, "b", "r", Priority.NORMAL, 4);
    enter(admission, "c", "r", Priority.NORMAL, 4);
    assertThat(events).containsExactly("a granted", "b granted");

    enter(admission, "d", "other", Priority.LOW, 4);
    enter(admission, "e", "other", Priority.LOW, 4);

    assertThat(events).containsExactly("a granted", "b granted", "d granted");
    assertThat(admission.snapshot().global().inFlight()).isEqualTo(12);
  }

  @Test
  void dec30_heavyWaiter_hasFreedCapacitySavedForIt() {
    Admission admission = admission(settings(4, 10));
    Place a = enter(admission, "a");
    Place b = enter(admission, "b");
    enter(admission, "c");
    enter(admission, "d");
    enter(admission, "heavy", "r", Priority.HIGH, 2);
    enter(admission, "light", "r", Priority.LOW, 1);
    admission.giveBack(a.waiter);
    assertThat(events).hasSize(4);

    admission.giveBack(b.waiter);

    assertThat(events).last().isEqualTo("heavy granted");
    assertThat(events).doesNotContain("light granted");
  }

  @Test
  void bey14_reservation_isKeptFreeForItsTier() {
    Admission admission =
        admission(new Limit(10).with(Map.of(), Map.of(Priority.HIGH, 10)).settings());
    for (int i = 0; i < 12; i++) {
      enter(admission, "low" + i, "r", Priority.LOW, 1);
    }
    assertThat(admission.snapshot().global().inFlight()).isEqualTo(9);

    enter(admission, "high", "r", Priority.HIGH, 1);

    assertThat(events).last().isEqualTo("high granted");
  }

  @Test
  void dec31_fullQueue_displacesTheNewestOfTheLowestTierBelow() {
    Admission admission = admission(settings(1, 3));
    enter(admission, "held");
    enter(admission, "low1", "r", Priority.LOW, 1);
    enter(admission, "normal", "r", Priority.NORMAL, 1);
    enter(admission, "low2", "r", Priority.LOW, 1);

    enter(admission, "high", "r", Priority.HIGH, 1);
    enter(admission, "low3", "r", Priority.LOW, 1);

    assertThat(events)
        .containsExactly("held granted", "low2 shed DISPLACED", "low3 shed QUEUE_FULL");
  }

  @ParameterizedTest(name = "of {0}: {1}")
  @CsvSource({"100, 4", "6, 3", "1, 1"})
  void dec31_routeWithACeiling_getsAQueueOfTwiceItWithinHalfTheGlobalOne(int queue, int places) {
    Admission admission = admission(settings(10, queue), route("r", 2, null));
    for (int i = 0; i < 2 + places; i++) {
      enter(admission, "r" + i, "r", Priority.NORMAL, 1);
    }
    assertThat(events).containsExactly("r0 granted", "r1 granted");

    enter(admission, "more", "r", Priority.NORMAL, 1);

    assertThat(events).last().isEqualTo("more shed QUEUE_FULL");
  }

  @Test
  void dec33_classCeiling_shedsByItsOwnName() {
    Admission admission =
        Admission.forClass(
            new ClassLimit(1, 1, Duration.ofSeconds(1), RouteClass.STATIC), List.of(), ticker);
    enter(admission, "a");
    enter(admission, "b");
    enter(admission, "c");
    loop.advance(SECONDS.toNanos(1));

    assertThat(events).containsExactly("a granted", "c shed CLASS_FULL", "b shed CLASS_FULL");
  }

  @Test
  void dec36_loweredLimit_cutsNothingAndShedsWhoCanNeverFit() {
    Admission admission = admission(settings(4, 10));
    Place a = enter(admission, "a", "r", Priority.NORMAL, 4);
    enter(admission, "heavy", "r", Priority.NORMAL, 4);
    enter(admission, "light", "r", Priority.NORMAL, 1);

    admission.reload(settings(2, 10), List.of(route("r", null, null)));

    assertThat(events).containsExactly("a granted", "heavy shed LIMIT_LOWERED");
    assertThat(admission.snapshot().global().inFlight()).isEqualTo(4);
    admission.giveBack(a.waiter);
    assertThat(events).last().isEqualTo("light granted");
  }

  @Test
  void dec36_raisedLimit_grantsWaitersAtOnce() {
    Admission admission = admission(settings(1, 10));
    enter(admission, "a");
    enter(admission, "b");

    admission.reload(settings(2, 10), List.of());

    assertThat(events).containsExactly("a granted", "b granted");
  }

  @Test
  void leaving_whileWaiting_freesThePlaceAndIsNeverGranted() {
    Admission admission = admission(settings(1, 1));
    Place a = enter(admission, "a");
    Place b = enter(admission, "b");
    admission.leave(b.waiter);
    assertThat(loop.timers()).isZero();
    enter(admission, "c");
    admission.giveBack(a.waiter);

    assertThat(events).containsExactly("a granted", "c granted");
  }

  /** A permit comes back by being given back, and in no other way. */
  @Test
  void leaving_withAPermit_isVoid() {
    Admission admission = admission(settings(1, 1));
    Place a = enter(admission, "a");

    admission.leave(a.waiter);

    assertThat(admission.snapshot().global().inFlight()).isEqualTo(1);
    admission.giveBack(a.waiter);
    assertIdle(admission);
  }

  @Test
  void permit_givenBackTwice_throws() {
    Admission admission = admission(settings(1, 1));
    Place a = enter(admission, "a");
    admission.giveBack(a.waiter);

    assertThatThrownBy(() -> admission.giveBack(a.waiter))
        .isInstanceOf(IllegalStateException.class);
    assertIdle(admission);
  }

  private void assertIdle(Admission admission) {
    assertThat(admission.snapshot().global())
        .isEqualTo(new Snapshot.Scope(admission.snapshot().global().max(), 0, 0));
  }

  private Place enter(Admission admission, String name) {
    return enter(admission, name, "r", Priority.NORMAL, 1);
  }

  private Place enter(Admission admission, String name, String route, Priority tier, int weight) {
    return Place.enter(admission, loop, events, name, route, tier, weight);
  }

  private Admission admission(AdmitSettings settings, Route... routes) {
    return new Admission(settings, List.of(routes), ticker);
  }

  private static AdmitSettings settings(int max, int queueMax) {
    return new Limit(max).queue(queueMax).settings();
  }

  private static Route route(String id, @Nullable Integer max, @Nullable Duration timeout) {
    return Limit.route(id, new RouteLimits(max, null, timeout));
  }
}
