package dev.sluice.governor.reuse.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** DEC-44. */
class UnshareableKeysTest {

  private static final Duration TIME = Duration.ofSeconds(10);

  private final FakeTicker ticker = new FakeTicker();
  private final UnshareableKeys<String> keys = new UnshareableKeys<>(ticker);

  @Test
  void remembered_untilItsTimeIsOver() {
    keys.remember("a", TIME);
    assertThat(keys.isRemembered("a")).isTrue();
    assertThat(keys.isRemembered("b")).isFalse();
    ticker.advance(TIME.toNanos() - 1);
    assertThat(keys.isRemembered("a")).isTrue();
    ticker.advance(1);
    assertThat(keys.isRemembered("a")).isFalse();
    assertThat(keys.size()).isZero();
  }

  @Test
  void rememberedAgain_fromThenOn() {
    keys.remember("a", TIME);
    ticker.advance(TIME.toNanos() - 1);
    keys.remember("a", TIME);
    ticker.advance(TIME.toNanos() - 1);
    assertThat(keys.isRemembered("a")).isTrue();
  }

  @Test
  void turnedOutShareable_isForgotten() {
    keys.forget("a");
    keys.remember("a", TIME);
    keys.forget("a");
    assertThat(keys.isRemembered("a")).isFalse();
    assertThat(keys.size()).isZero();
  }

  @Test
  void noTime_remembersNothing() {
    keys.remember("a", Duration.ZERO);
    assertThat(keys.isRemembered("a")).isFalse();
    assertThat(keys.size()).isZero();
  }

  @Test
  void tooMany_theLeastRecentlyUsedIsForgotten() {
    for (int i = 0; i < UnshareableKeys.MOST; i++) {
      keys.remember("k" + i, TIME);
    }
    assertThat(keys.isRemembered("k0")).isTrue();
    keys.remember("one more", TIME);

    assertThat(keys.size()).isEqualTo(UnshareableKeys.MOST);
    assertThat(keys.isRemembered("k0")).as("asked for a moment ago").isTrue();
    assertThat(keys.isRemembered("one more")).isTrue();
    assertThat(keys.isRemembered("k1")).isFalse();
    assertThat(keys.isRemembered("k2")).isTrue();
  }

  @Test
  void whatIsOver_doesNotPileUp() {
    for (int i = 0; i < 1000; i++) {
      keys.remember("old" + i, TIME);
    }
    ticker.advance(TIME.toNanos());
    for (int i = 0; i < 500; i++) {
      keys.remember("new" + i, TIME);
    }
    assertThat(keys.size()).isEqualTo(500);
  }
}
