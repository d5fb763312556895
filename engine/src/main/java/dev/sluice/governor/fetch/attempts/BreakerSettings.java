package dev.sluice.governor.fetch.attempts;

import java.time.Duration;

/**
 * When an upstream that fails real traffic is left alone (DEC-45). Immutable.
 *
 * @param enabled whether anybody looks (ORG-11)
 * @param window attempts of this long count (ORG-12)
 * @param minRequests on fewer attempts it never opens (ORG-13)
 * @param failurePercent the share of failures that opens it (ORG-14)
 * @param openFor how long the upstream is left alone (ORG-15)
 */
public record BreakerSettings(
    boolean enabled, Duration window, int minRequests, int failurePercent, Duration openFor) {

  /** The defaults: nobody looks. */
  public static final BreakerSettings OFF =
      new BreakerSettings(false, Duration.ofSeconds(10), 20, 50, Duration.ofSeconds(30));

  public BreakerSettings {
    if (window.isNegative() || window.isZero() || minRequests < 1) {
      throw new IllegalArgumentException(
          "breaker: " + window + ", " + minRequests + " (expected: a window and at least 1)");
    }
  }
}
