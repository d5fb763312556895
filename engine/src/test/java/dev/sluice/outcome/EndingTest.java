package dev.sluice.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndingTest {

  @Test
  void of_eachStageAndCause_isThatOneAndTheSameEachTime() {
    for (Stage stage : Stage.values()) {
      for (Cause cause : Cause.values()) {
        assertThat(Ending.of(stage, cause))
            .isEqualTo(new Ending(stage, cause))
            .isSameAs(Ending.of(stage, cause));
      }
    }
  }
}
