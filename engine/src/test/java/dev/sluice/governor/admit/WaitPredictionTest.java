package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** DEC-42: the longest of the waits for everything, for the route and for the tier. */
class WaitPredictionTest {

  private static final String LIMITED = "r";
  private static final String OPEN = "x";

  private final FakeTicker ticker = new FakeTicker();

  /** 8 units, of which low has 4 and the limited route 4. */
  private final ConcurrencyLimit limit =
      new ConcurrencyLimit(
          Limits.of(
              new Limit(8).with(Map.of(Priority.LOW, 50), Map.of()).settings(),
              List.of(Limit.route(LIMITED, new RouteLimits(4, null, null)))));

  private final WaitQueue queue = new WaitQueue(limit);
  private final WaitPrediction prediction = new WaitPrediction(limit, queue);
  private long ranks;

  @Test
  void wait_isWhatIsNeededBeyondWhatIsFree() {
    held(OPEN, Priority.NORMAL, 7);
    Waiter last = waiting(OPEN, Priority.NORMAL, 2);
    waiting(OPEN, Priority.LOW, 3);
    unitASecond(OPEN, Priority.HIGH);
    assertThat(seconds(last)).as("2 units, 1 free").isEqualTo(1);

    last = waiting(OPEN, Priority.NORMAL, 2);

    assertThat(seconds(last)).as("4 units, 1 free, low goes behind").isEqualTo(3);
  }

  @Test
  void waitForARoute_isWhatIsNeededBeyondWhatIsFreeOfIt() {
    held(LIMITED, Priority.NORMAL, 3);
    waiting(LIMITED, Priority.NORMAL, 2);
    unitASecond(LIMITED, Priority.HIGH);
    Waiter gone = waiting(LIMITED, Priority.HIGH, 4);
    queue.remove(gone);

    Waiter last = waiting(LIMITED, Priority.NORMAL, 3);

    assertThat(seconds(last)).as("5 units, 1 free").isEqualTo(4);
  }

  @Test
  void waitForATier_isWhatIsNeededBeyondWhatIsFreeOfIt() {
    held(OPEN, Priority.LOW, 3);
    waiting(OPEN, Priority.LOW, 2);
    unitASecond(LIMITED, Priority.LOW);

    Waiter last = waiting(OPEN, Priority.LOW, 3);

    assertThat(seconds(last)).as("5 units, 1 free").isEqualTo(4);
  }

  @Test
  void nobodyBefore_isNoWaitThatIsKnown() {
    held(LIMITED, Priority.LOW, 4);
    held(OPEN, Priority.HIGH, 4);
    Waiter alone = waiting(LIMITED, Priority.LOW, 1);
    unitASecond(LIMITED, Priority.LOW);

    assertThat(seconds(alone)).isZero();
  }

  /** Whoever's tier has no share waits for everything, and for nothing else. */
  @Test
  void tierWithoutAShare_isNotWaitedFor() {
    held(OPEN, Priority.NORMAL, 8);
    waiting(OPEN, Priority.NORMAL, 1);
    for (int i = 0; i < 9; i++) {
      ticker.advance(SECONDS.toNanos(1));
      limit.tier(Priority.NORMAL).rate.returned(1, ticker.nanos());
    }

    assertThat(seconds(waiting(OPEN, Priority.NORMAL, 1))).isZero();
  }

  /** What comes back while nobody waits for it says how much was asked, not how fast it goes. */
  @Test
  void returnsThatNobodyWaitedFor_sayNothing() {
    waiting(OPEN, Priority.NORMAL, 1);
    unitASecond(LIMITED, Priority.LOW);
    held(LIMITED, Priority.LOW, 4);
    waiting(LIMITED, Priority.LOW, 1);

    Waiter last = waiting(LIMITED, Priority.LOW, 1);

    assertThat(seconds(last)).isZero();
  }

  /** Eight units come back, one a second. */
  private void unitASecond(String route, Priority tier) {
    Waiter back = waiter(route, tier, 1);
    for (int i = 0; i < 8; i++) {
      ticker.advance(SECONDS.toNanos(1));
      prediction.returned(back, now());
    }
    ticker.advance(SECONDS.toNanos(1));
  }

  private double seconds(Waiter waiter) {
    return prediction.nanos(waiter, now()) / (double) SECONDS.toNanos(1);
  }

  private Now now() {
    return new Now(ticker);
  }

  private void held(String route, Priority tier, int units) {
    limit.charge(waiter(route, tier, units));
  }

  private Waiter waiting(String route, Priority tier, int units) {
    Waiter waiter = waiter(route, tier, units);
    waiter.rank = ++ranks;
    queue.add(waiter);
    return waiter;
  }

  private Waiter waiter(String route, Priority tier, int units) {
    var waiter =
        new Waiter(
            new Waiter.Listener() {
              @Override
              public void granted() {}

              @Override
              public void shed(Cause cause, long predictedWaitNanos) {}
            },
            new FakeLoop(ticker));
    waiter.prepare(route, tier, units);
    waiter.route = limit.route(route);
    return waiter;
  }
}
