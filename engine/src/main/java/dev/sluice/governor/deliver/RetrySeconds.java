package dev.sluice.governor.deliver;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** When to come back: spread, or those who were shed together return together (DEC-42). */
final class RetrySeconds {

  static final int MAX = 30;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private RetrySeconds() {}

  /**
   * Whole seconds from [v, 2v], v the larger of the setting and the predicted wait, within 1 and
   * 30. The bound narrows the interval before the draw; cutting off after it would gather everyone
   * at the bound.
   */
  static int draw(Duration setting, long predictedWaitNanos, RandomGenerator random) {
    int least = wholeSeconds(Math.max(nanos(setting), predictedWaitNanos));
    int most = Math.min(2 * least, MAX);
    return least + random.nextInt(most - least + 1);
  }

  private static long nanos(Duration setting) {
    return setting.toSeconds() >= MAX ? MAX * NANOS_PER_SECOND : setting.toNanos();
  }

  private static int wholeSeconds(long nanos) {
    if (nanos >= MAX * NANOS_PER_SECOND) {
      return MAX;
    }
    return (int) Math.max(1, (nanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
  }
}
