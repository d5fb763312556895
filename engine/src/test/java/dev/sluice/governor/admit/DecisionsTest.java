package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import org.junit.jupiter.api.Test;

class DecisionsTest {

  private final Decisions decisions = new Decisions();

  @Test
  void taken_areChainedInOrder_once() {
    Waiter granted = waiter();
    Waiter shed = waiter();
    Waiter moved = waiter();
    decisions.granted(granted, 5);
    decisions.shed(shed, Cause.DISPLACED);
    decisions.moved(moved, true);

    assertThat(decisions.take()).isSameAs(granted);
    assertThat(granted.nextResult).isSameAs(shed);
    assertThat(shed.nextResult).isSameAs(moved);
    assertThat(moved.nextResult).isNull();
    assertThat(moved.movedElsewhere).isTrue();
    assertThat(decisions.take()).isNull();
  }

  /** A command that fails behind its own decision is asked for another. */
  @Test
  void secondMove_ofOneThatIsDecidedOn_isVoid() {
    Waiter first = waiter();
    Waiter last = waiter();
    decisions.moved(first, true);
    decisions.moved(last, true);

    decisions.moved(first, false);
    decisions.moved(last, false);

    assertThat(first.movedElsewhere).isTrue();
    assertThat(last.movedElsewhere).isTrue();
    assertThat(decisions.take()).isSameAs(first);
    assertThat(first.nextResult).isSameAs(last);
    assertThat(last.nextResult).isNull();
  }

  private static Waiter waiter() {
    return Place.outside(new FakeLoop(new FakeTicker()));
  }
}
