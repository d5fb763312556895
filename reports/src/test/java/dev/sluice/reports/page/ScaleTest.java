package dev.sluice.reports.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ScaleTest {

  @Test
  void valuesFromSmallToLarge_beginAtZeroWithRoundTicks() {
    Scale scale = Scale.of(3, 60);
    assertThat(scale.least()).isZero();
    assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0);
    assertThat(scale.at(30)).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void valuesThatDifferLittle_showTheDifference() {
    Scale scale = Scale.of(250, 260);
    assertThat(scale.least()).isBetween(200.0, 250.0);
    assertThat(scale.at(260) - scale.at(250)).isGreaterThan(0.3);
  }

  @Test
  void valuesOfManySizes_lieOnALogarithm() {
    Scale scale = Scale.of(2, 1_600);
    assertThat(scale.logarithmic()).isTrue();
    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0);
    assertThat(scale.at(100)).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void oneValueOnly_stillHasASpan() {
    assertThat(Scale.of(0, 0).at(0)).isZero();
    assertThat(Scale.of(7, 7).ticks()).hasSizeBetween(2, 12);
    assertThat(Scale.fromZero(0).at(0)).isZero();
  }

  @Test
  void valueOutside_isAtTheEdge() {
    assertThat(Scale.fromZero(10).at(-1)).isZero();
    assertThat(Scale.fromZero(10).at(11)).isEqualTo(1);
  }
}
