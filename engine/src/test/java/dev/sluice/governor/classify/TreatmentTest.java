package dev.sluice.governor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TreatmentTest {

  @Test
  void of_eachCombination_isThatOneAndTheSameEachTime() {
    for (RouteClass routeClass : RouteClass.values()) {
      for (PermitKind kind : PermitKind.values()) {
        for (Priority tier : Priority.values()) {
          for (Ground ground : Ground.values()) {
            assertThat(Treatment.of(routeClass, kind, tier, ground))
                .isEqualTo(new Treatment(routeClass, kind, tier, ground))
                .isSameAs(Treatment.of(routeClass, kind, tier, ground));
          }
        }
      }
    }
  }
}
