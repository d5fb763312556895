package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DEC-48: who is sent away because its command failed. */
class EvictionTest {

  private final FakeTicker ticker = new FakeTicker();
  private final Now now = new Now(ticker);
  private final Schedule schedule =
      new Schedule(Limits.of(new Limit(1).settings(), List.of(), null));

  @Test
  void waiter_leavesItsPlace_andIsGrantedNoMore() {
    Waiter holds = entered();
    Waiter waits = entered();
    assertThat(waits.phase).isEqualTo(Waiter.Phase.WAITING);

    schedule.evict(waits, Cause.INTERNAL_ERROR);
    schedule.apply(holds, Waiter.RETURN, now);

    assertThat(waits.shedCause).isEqualTo(Cause.INTERNAL_ERROR);
    assertThat(waits.phase).isEqualTo(Waiter.Phase.OUT);
    assertThat(schedule.snapshot(0).global()).isEqualTo(new Snapshot.Scope(1, 0, 0));
  }

  @Test
  void holder_keepsItsPermit() {
    Waiter holds = entered();
    schedule.takeResults();

    schedule.evict(holds, Cause.INTERNAL_ERROR);

    assertThat(holds.phase).isEqualTo(Waiter.Phase.HOLDING);
    assertThat(schedule.takeResults()).isSameAs(holds);
    assertThat(holds.movedElsewhere).isFalse();
    assertThat(schedule.snapshot(0).global().inFlight()).isEqualTo(1);
  }

  @Test
  void oneThatIsOut_isToldNothing() {
    Waiter out = Place.outside(new FakeLoop(ticker));

    schedule.evict(out, Cause.INTERNAL_ERROR);

    assertThat(schedule.takeResults()).isNull();
  }

  private Waiter entered() {
    Waiter waiter = Place.outside(new FakeLoop(ticker));
    waiter.prepare("r", Priority.NORMAL, 1);
    schedule.apply(waiter, Waiter.ENTER, now);
    return waiter;
  }
}
