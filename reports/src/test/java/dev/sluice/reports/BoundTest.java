package dev.sluice.reports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundTest {

  @Test
  void fraction_isToldToSixDigits_andHeldToAll() {
    Bound bound = Bound.atLeast(18.115290503671936);

    assertThat(bound.text()).isEqualTo("at least 18.1153");
    assertThat(bound.holds().test(18.115290503671936)).isTrue();
    assertThat(bound.holds().test(18.115290503671930)).isFalse();
    assertThat(Bound.between(70.94999999999999, 16_777_216).text())
        .isEqualTo("from 70.95 to 16777216");
    assertThat(Bound.below(0.5).text()).isEqualTo("below 0.5");
  }

  @Test
  void limits_belongToThoseThatNameThem() {
    assertThat(Bound.atMost(10).holds().test(10)).isTrue();
    assertThat(Bound.below(10).holds().test(10)).isFalse();
    assertThat(Bound.atLeast(10).holds().test(10L)).isTrue();
    assertThat(Bound.above(10).holds().test(10L)).isFalse();
    assertThat(Bound.exactly(10).holds().test(10.5)).isFalse();
    assertThat(Bound.between(1, 10).holds().test(10)).isTrue();
    assertThat(Bound.between(1, 10).holds().test(0.9)).isFalse();
    assertThat(Bound.equalTo("HIT").holds().test("MISS")).isFalse();
    assertThat(Bound.exactly(10).holds().test("10")).isFalse();
  }
}
