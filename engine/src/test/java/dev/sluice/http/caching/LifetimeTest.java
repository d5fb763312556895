package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At which age a kept answer is still what (RFC 9111 4.2, RFC 5861). */
class LifetimeTest {

  /** Fresh for 100 ms, 30 more while it is refreshed, 50 more for an error. */
  private static final Lifetime LIFETIME = new Lifetime(7, 100, 30, 50);

  @ParameterizedTest
  @CsvSource({
    "0,   true,  true,  true",
    "99,  true,  true,  true",
    "100, false, true,  true",
    "129, false, true,  true",
    "130, false, false, true",
    "149, false, false, true",
    "150, false, false, false"
  })
  void eachWindow_endsWithItsLastMillisecond(
      long age, boolean fresh, boolean serves, boolean standsIn) {
    assertThat(LIFETIME.isFreshAt(age)).isEqualTo(fresh);
    assertThat(LIFETIME.servesAt(age)).isEqualTo(serves);
    assertThat(LIFETIME.standsInAt(age)).isEqualTo(standsIn);
  }
}
