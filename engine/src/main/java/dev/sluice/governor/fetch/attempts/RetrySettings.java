package dev.sluice.governor.fetch.attempts;

import java.time.Duration;

/**
 * Further attempts of a flight that got no answer (DEC-29). Immutable.
 *
 * @param enabled whether there are any (ORG-17)
 * @param maxAttempts of one flight, the first one included (ORG-18)
 * @param window the budget's (ORG-20)
 * @param budgetPercent of the window's first attempts may be retried (ORG-19)
 * @param budgetMin retries in a window that are always affordable (ORG-21)
 */
public record RetrySettings(
    boolean enabled, int maxAttempts, Duration window, int budgetPercent, int budgetMin) {

  /** The defaults: there are none. */
  public static final RetrySettings OFF =
      new RetrySettings(false, 2, Duration.ofSeconds(10), 10, 3);

  public RetrySettings {
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("retry window: " + window + " (expected: > 0)");
    }
  }

  /** Attempts of one flight at most. */
  public int mostAttempts() {
    return enabled ? maxAttempts : 1;
  }
}
