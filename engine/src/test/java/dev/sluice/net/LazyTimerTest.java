package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import org.junit.jupiter.api.Test;

class LazyTimerTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private int due;
  private final LazyTimer timer = new LazyTimer(loop, ticker, () -> due++);

  @Test
  void deadline_movedOnManyTimes_keepsOneTaskAndFiresOnce() {
    for (int i = 0; i < 1000; i++) {
      timer.in(100);
      loop.advance(10);
    }
    assertThat(loop.timers()).isEqualTo(1);
    assertThat(due).isZero();

    loop.advance(1000);

    assertThat(due).isEqualTo(1);
    assertThat(loop.timers()).isZero();
  }

  @Test
  void deadline_movedEarlier_firesEarlier() {
    timer.in(1000);
    timer.in(10);
    loop.advance(10);

    assertThat(due).isEqualTo(1);
  }

  @Test
  void deadline_off_doesNotFire() {
    timer.in(10);
    timer.off();
    loop.advance(1000);

    assertThat(due).isZero();
  }
}
