package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of those who wait: predicted, raised, with more time (DEC-30, DEC-35, DEC-40,
 * DEC-42).
 */
class WaitingTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {0, 100})
  void dec42_predictedWaitPastTheDeadline_isShedAtArrival(long laterMillis) {
    Admission admission = admission(new Limit(1).predicting());
    Place.eightReturns(admission, loop, ticker);
    ticker.advance(MILLISECONDS.toNanos(laterMillis));
    // 8 units in 3.5 s or 3.6 s: the fifth would wait 2.2 s or more, past 0.9 x 2 s; the fourth
    // 1.75 s or exactly that.
    for (int i = 0; i < 6; i++) {
      enter(admission, "n" + i);
    }

    assertThat(events).containsExactly("n4 shed PREDICTED", "n5 shed PREDICTED");
  }

  @Test
  void dec42_turnedOff_shedsNobodyAtArrival() {
    Admission admission = admission(new Limit(1));
    Place.eightReturns(admission, loop, ticker);
    for (int i = 0; i < 6; i++) {
      enter(admission, "n" + i);
    }

    assertThat(events).isEmpty();
  }

  /** DEC-42: a route's own ceiling, and a tier's share, are waited for by themselves. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dec42_waitForARouteOrATier_isPredictedFromItsOwnReturns(boolean ofRoute) {
    Limit limit = new Limit(50).predicting();
    Admission admission =
        ofRoute
            ? admission(limit, limited("r"))
            : admission(limit.with(Map.of(Priority.LOW, 2), Map.of()));
    Priority tier = ofRoute ? Priority.NORMAL : Priority.LOW;
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      places.add(enter(admission, "w" + i, "r", tier, 1));
    }
    for (int i = 0; i < 9; i++) {
      ticker.advance(MILLISECONDS.toNanos(900));
      admission.giveBack(places.get(i).waiter);
      places.add(enter(admission, "w" + (i + 3), "r", tier, 1));
    }
    events.clear();

    // A unit comes back every 0.9 s: the second in line waits for 1.6 s by the last nine, the third
    // would for 2.4 s, past 0.9 x 2 s.
    enter(admission, "third", "r", tier, 1);

    assertThat(events).containsExactly("third shed PREDICTED");
    enter(admission, "elsewhere", "other", Priority.HIGH, 1);
    assertThat(events).last().isEqualTo("elsewhere granted");
  }

  /** DEC-30: whoever boards a waiting flight at a higher tier lifts it, in its place. */
  @Test
  void dec30_raisedWaiter_goesByItsNewTierAndItsOldPlace() {
    Admission admission = admission(new Limit(1).queue(10));
    Place held = enter(admission, "held");
    Place low = enter(admission, "low", "r", Priority.LOW, 1);
    Place high = enter(admission, "high", "r", Priority.HIGH, 1);
    enter(admission, "normal");

    admission.raise(low.waiter, Priority.HIGH);
    admission.raise(high.waiter, Priority.NORMAL);
    admission.giveBack(held.waiter);
    admission.giveBack(low.waiter);

    assertThat(events).containsExactly("held granted", "low granted", "high granted");
  }

  /** DEC-30: a higher tier's share may have room where the lower one's had none. */
  @Test
  void dec30_raisedWaiter_isGrantedAtOnceWhereItsNewTierHasRoom() {
    Admission admission = admission(new Limit(10).with(Map.of(Priority.LOW, 10), Map.of()));
    enter(admission, "first", "r", Priority.LOW, 1);
    Place second = enter(admission, "second", "r", Priority.LOW, 1);
    assertThat(events).containsExactly("first granted");

    admission.raise(second.waiter, Priority.NORMAL);

    assertThat(events).containsExactly("first granted", "second granted");
  }

  /** DEC-35: whoever boards late has all of its own time. */
  @Test
  void dec35_extendedDeadline_isCountedFromThen() {
    Admission admission = admission(new Limit(1).queue(10));
    enter(admission, "held");
    Place waits = enter(admission, "waits");
    loop.advance(MILLISECONDS.toNanos(1_500));

    admission.extend(waits.waiter);
    loop.advance(MILLISECONDS.toNanos(1_999));
    assertThat(events).containsExactly("held granted");
    loop.advance(MILLISECONDS.toNanos(1));

    assertThat(events).containsExactly("held granted", "waits shed QUEUE_DEADLINE");
  }

  /** DEC-40: nobody waits for a refresh, and it waits for nobody. */
  @Test
  void dec40_impatientOne_takesWhatIsFreeOrNothing() {
    Admission admission = admission(new Limit(1).queue(10));
    Place free = Place.enterInPassing(admission, loop, events, "free");
    Place busy = Place.enterInPassing(admission, loop, events, "busy");

    assertThat(events).containsExactly("free granted", "busy shed REFRESH_DECLINED");
    assertThat(admission.snapshot().global().waiting()).isZero();
    admission.giveBack(free.waiter);
    assertThat(busy.waiter.isPending()).isFalse();
    assertThat(admission.snapshot().global().inFlight()).isZero();
  }

  private Place enter(Admission admission, String name) {
    return enter(admission, name, "r", Priority.NORMAL, 1);
  }

  private Place enter(Admission admission, String name, String route, Priority tier, int weight) {
    return Place.enter(admission, loop, events, name, route, tier, weight);
  }

  private Admission admission(Limit limit, Route... routes) {
    return new Admission(limit.settings(), List.of(routes), ticker);
  }

  /** One of it at a time. */
  private static Route limited(String id) {
    return Limit.route(id, new RouteLimits(1, null, null));
  }
}
