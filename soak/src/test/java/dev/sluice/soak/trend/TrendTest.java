package dev.sluice.soak.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.reports.Point;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrendTest {

  private final Random random = new Random(7);

  @Test
  void line_hasItsSlope() {
    Trend trend = Trend.of(points(40, second -> 100 + 3 * second));
    assertThat(trend.slope()).isEqualTo(3);
    assertThat(trend.growth()).isEqualTo(3 * 39);
    assertThat(trend.growsBy(100)).isTrue();
    assertThat(trend.growsBy(120)).isFalse();
  }

  @Test
  void smallRise_inNoise_isFound() {
    Trend trend = Trend.of(points(60, second -> second + 10 * random.nextGaussian()));
    assertThat(trend.slope()).isCloseTo(1, within(0.3));
    assertThat(trend.growsBy(30)).isTrue();
  }

  @Test
  void noise_hasNoTrend() {
    for (int row = 0; row < 200; row++) {
      Trend trend = Trend.of(points(40, second -> 1_000 + 50 * random.nextGaussian()));
      assertThat(trend.growsBy(60)).isFalse();
    }
  }

  @Test
  void spikes_doNotDecide() {
    Trend trend = Trend.of(points(40, second -> second > 30 && second % 3 == 0 ? 9_000 : 100));
    assertThat(trend.slope()).isZero();
    assertThat(trend.growsBy(1)).isFalse();
  }

  @Test
  void sawtooth_hasNoTrend() {
    assertThat(Trend.of(points(60, second -> second % 10)).growsBy(1)).isFalse();
  }

  @Test
  void constant_hasNoTrend() {
    Trend trend = Trend.of(points(20, second -> 5));
    assertThat(trend.deviations()).isZero();
    assertThat(trend.growsBy(0)).isFalse();
  }

  @Test
  void fall_isNoGrowth() {
    Trend trend = Trend.of(points(20, second -> -second));
    assertThat(trend.deviations()).isLessThan(-Trend.SIGNIFICANT);
    assertThat(trend.growsBy(0)).isFalse();
  }

  /** Kendall's S of 28 rising pairs, variance 8 * 7 * 21 / 18, one less for continuity. */
  @Test
  void eightRising_haveTheTestsOwnNumber() {
    Trend trend = Trend.of(points(8, second -> second));
    assertThat(trend.deviations()).isCloseTo(27 / Math.sqrt(8 * 7 * 21 / 18.0), within(1e-9));
  }

  @Test
  void tooFew_areRefused() {
    assertThatThrownBy(() -> Trend.of(points(7, second -> second)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("measurements: 7 (expected: >= 8)");
  }

  private static List<Point> points(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count)
        .mapToObj(second -> new Point(second, value.applyAsDouble(second)))
        .toList();
  }
}
