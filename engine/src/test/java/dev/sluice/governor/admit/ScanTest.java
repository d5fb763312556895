package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** DEC-30: who goes next, in which order, and after what. */
class ScanTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  // Order.

  @Test
  void oneTier_routesGoInOrderOfArrival() {
    Admission admission = admission(new Limit(1));
    Place held = enter(admission, "held", "x", Priority.NORMAL, 1);
    List<Place> waiting = new ArrayList<>();
    for (String name : List.of("r1", "s2", "t3", "s4", "r5")) {
      waiting.add(enter(admission, name, name.substring(0, 1), Priority.NORMAL, 1));
    }

    admission.giveBack(held.waiter);
    waiting.forEach(place -> admission.giveBack(place.waiter));

    assertThat(events)
        .containsExactly(
            "held granted", "r1 granted", "s2 granted", "t3 granted", "s4 granted", "r5 granted");
    assertThat(admission.snapshot().tiers().get(Priority.NORMAL))
        .isEqualTo(new Snapshot.Scope(1, 0, 0));
  }

  /** A flight's first visitor came when it came, whenever the flight asks. */
  @Test
  void earlierArrival_goesBehindThoseBeforeItAndInFrontOfThoseBehind() {
    Admission admission = admission(new Limit(1));
    Place held = enter(admission, "held", "r", Priority.NORMAL, 1);
    Place before = enter(admission, "before", "r", Priority.NORMAL, 1);
    long first = admission.arrival();
    long second = admission.arrival();
    Place behind = enter(admission, "behind", "r", Priority.NORMAL, 1);

    Place late = Place.enterLate(admission, loop, events, "second", second);
    Place early = Place.enterLate(admission, loop, events, "first", first);
    for (Place place : List.of(held, before, early, late, behind)) {
      admission.giveBack(place.waiter);
    }

    assertThat(events)
        .containsExactly(
            "held granted", "before granted", "first granted", "second granted", "behind granted");
  }

  @Test
  void fullQueue_displacesTheNewestOfAllRoutes() {
    Admission admission = admission(new Limit(1).queue(4));
    enter(admission, "held", "x", Priority.NORMAL, 1);
    enter(admission, "r1", "r", Priority.LOW, 1);
    enter(admission, "s2", "s", Priority.LOW, 1);
    enter(admission, "t3", "t", Priority.LOW, 1);
    enter(admission, "r4", "r", Priority.LOW, 1);

    enter(admission, "n5", "x", Priority.NORMAL, 1);
    enter(admission, "n6", "x", Priority.NORMAL, 1);
    enter(admission, "n7", "x", Priority.NORMAL, 1);

    assertThat(events)
        .containsExactly(
            "held granted", "r4 shed DISPLACED", "t3 shed DISPLACED", "s2 shed DISPLACED");
  }

  @Test
  void fullQueueOfARoute_displacesItsOwnNewest() {
    Admission admission = admission(new Limit(2), route("r", 1, 1));
    enter(admission, "held", "r", Priority.NORMAL, 1);
    enter(admission, "other", "x", Priority.NORMAL, 1);
    enter(admission, "own", "r", Priority.LOW, 1);
    enter(admission, "newer", "x", Priority.LOW, 1);

    enter(admission, "high", "r", Priority.HIGH, 1);

    assertThat(events).containsExactly("held granted", "other granted", "own shed DISPLACED");
  }

  // Saving.

  @Test
  void saver_thatGoesAtItsDeadline_leavesWhatItSaved() {
    Admission admission = admission(new Limit(4));
    enter(admission, "held", "r", Priority.NORMAL, 3);
    enter(admission, "heavy", "r", Priority.HIGH, 2);
    loop.advance(SECONDS.toNanos(1));
    enter(admission, "light", "r", Priority.LOW, 1);
    loop.advance(MILLISECONDS.toNanos(999));
    assertThat(events).containsExactly("held granted");

    loop.advance(MILLISECONDS.toNanos(1));

    assertThat(events)
        .containsExactlyInAnyOrder("held granted", "heavy shed QUEUE_DEADLINE", "light granted");
  }

  @Test
  void saver_thatLeaves_leavesWhatItSaved() {
    Admission admission = admission(new Limit(4));
    enter(admission, "held", "r", Priority.NORMAL, 3);
    Place heavy = enter(admission, "heavy", "r", Priority.HIGH, 2);
    enter(admission, "light", "r", Priority.LOW, 1);

    admission.leave(heavy.waiter);

    assertThat(events).containsExactly("held granted", "light granted");
  }

  @Test
  void saver_thatIsDisplaced_leavesWhatItSaved() {
    Admission admission =
        admission(new Limit(10).with(Map.of(), Map.of(Priority.LOW, 20)), route("r", 10, 1));
    enter(admission, "held", "x", Priority.NORMAL, 8);
    enter(admission, "heavy", "r", Priority.LOW, 3);
    enter(admission, "light", "x", Priority.LOW, 1);
    assertThat(events).containsExactly("held granted");

    enter(admission, "high", "r", Priority.HIGH, 1);

    assertThat(events).containsExactly("held granted", "heavy shed DISPLACED", "light granted");
  }

  @Test
  void saver_thatIsRaisedWhereItNeverFits_goesAndLeavesWhatItSaved() {
    Admission admission = admission(new Limit(4).with(Map.of(Priority.HIGH, 25), Map.of()));
    enter(admission, "held", "x", Priority.LOW, 3);
    Place heavy = enter(admission, "heavy", "r", Priority.NORMAL, 2);
    enter(admission, "light", "x", Priority.LOW, 1);
    assertThat(events).containsExactly("held granted");

    admission.raise(heavy.waiter, Priority.HIGH);

    assertThat(events).containsExactly("held granted", "heavy shed LIMIT_LOWERED", "light granted");
    assertThat(admission.snapshot().routes()).containsOnlyKeys("x");
    assertThat(admission.snapshot().global().waiting()).isZero();
  }

  @Test
  void raisedWaiter_waitsOnce() {
    Admission admission = admission(new Limit(1));
    enter(admission, "held", "r", Priority.NORMAL, 1);
    Place low = enter(admission, "low", "r", Priority.LOW, 1);

    admission.raise(low.waiter, Priority.HIGH);

    Snapshot now = admission.snapshot();
    assertThat(now.global().waiting()).isEqualTo(1);
    assertThat(now.tiers())
        .containsEntry(Priority.LOW, new Snapshot.Scope(1, 0, 0))
        .containsEntry(Priority.HIGH, new Snapshot.Scope(1, 0, 1));
  }

  /** I5: what is saved is saved from every tier below, not from the next alone. */
  @Test
  void saver_isNotOvertakenByTheLowestTierEither() {
    Admission admission = admission(new Limit(4));
    enter(admission, "held", "r", Priority.HIGH, 3);
    enter(admission, "saver", "r", Priority.HIGH, 2);

    enter(admission, "normal", "r", Priority.NORMAL, 1);
    enter(admission, "low", "x", Priority.LOW, 1);

    assertThat(events).containsExactly("held granted");
  }

  /** I2: whoever could go after a grant goes with it. */
  @Test
  void grantThatFillsTheSaversRoute_letsTheOthersPass() {
    Admission admission =
        admission(new Limit(10).with(Map.of(), Map.of(Priority.NORMAL, 10)), route("r", 2, null));
    enter(admission, "held", "x", Priority.HIGH, 8);
    enter(admission, "saver", "r", Priority.HIGH, 2);
    enter(admission, "behind", "x", Priority.LOW, 1);
    assertThat(events).containsExactly("held granted");

    enter(admission, "reserved", "r", Priority.NORMAL, 1);

    assertThat(events).containsExactly("held granted", "reserved granted", "behind granted");
  }

  /** A tier at its share saves nothing, and does not end what those above save. */
  @Test
  void tierAtItsShare_isPassedOver() {
    Limit limit = new Limit(4).with(Map.of(Priority.NORMAL, 25), Map.of());
    Admission nobodySaves = admission(limit);
    enter(nobodySaves, "one", "r", Priority.NORMAL, 1);
    enter(nobodySaves, "two", "r", Priority.NORMAL, 1);
    enter(nobodySaves, "low", "r", Priority.LOW, 1);
    assertThat(events).containsExactly("one granted", "low granted");
    events.clear();

    Admission highSaves = admission(limit);
    enter(highSaves, "one", "r", Priority.NORMAL, 1);
    enter(highSaves, "held", "r", Priority.HIGH, 2);
    enter(highSaves, "saver", "r", Priority.HIGH, 2);
    enter(highSaves, "two", "r", Priority.NORMAL, 1);
    enter(highSaves, "low", "r", Priority.LOW, 1);
    assertThat(events).containsExactly("one granted", "held granted");
  }

  /** BEY-14: one that would need what is kept for another tier is told so at once. */
  @Test
  void waiterThatTheReservationsLeaveNoRoomFor_isShedAtArrival() {
    Admission admission =
        admission(new Limit(10).with(Map.of(), Map.of(Priority.HIGH, 30, Priority.LOW, 20)));

    enter(admission, "six", "r", Priority.NORMAL, 6);
    enter(admission, "five", "r", Priority.NORMAL, 5);

    assertThat(events).containsExactly("six shed LIMIT_LOWERED", "five granted");
    assertThat(admission.snapshot().sheds()).isEqualTo(Map.of(Cause.LIMIT_LOWERED, 1L));
  }

  private Place enter(Admission admission, String name, String route, Priority tier, int weight) {
    return Place.enter(admission, loop, events, name, route, tier, weight);
  }

  private Admission admission(Limit limit, Route... routes) {
    return new Admission(limit.settings(), List.of(routes), ticker);
  }

  private static Route route(String id, int max, @Nullable Integer queueMax) {
    return Limit.route(id, new RouteLimits(max, queueMax, null));
  }
}
