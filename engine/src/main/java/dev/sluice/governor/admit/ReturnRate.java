package dev.sluice.governor.admit;

import java.util.concurrent.TimeUnit;

/**
 * How fast units come back to a scope while somebody waits for them (DEC-42). Confined to the
 * drain.
 *
 * <p>DEC-42 looks at the last 16 returns. Equal service times make the permits of a full ceiling
 * come back together, round by round, and 16 returns are little more than one round of a ceiling of
 * 12: behind a round the rate looked a third too high, and 2.4 % of the shed had waited past half
 * their deadline. So the window is five rounds where that is more.
 */
final class ReturnRate {

  private static final int KEPT_LEAST = 16;
  private static final int KEPT_MOST = 256;
  private static final int ROUNDS = 5;
  private static final int KNOWN_FROM = 8;
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long[] nanos = new long[KEPT_MOST];
  private final int[] units = new int[KEPT_MOST];
  private int last = -1;
  private int count;

  /** {@code weight} units came back at {@code now}. */
  void returned(int weight, long now) {
    if (count > 0 && now - nanos[last] > FORGOTTEN_NANOS) {
      count = 0;
    }
    last = (last + 1) % KEPT_MOST;
    nanos[last] = now;
    units[last] = weight;
    count = Math.min(count + 1, KEPT_MOST);
  }

  /**
   * How long {@code needed} units take to come back, in nanoseconds; 0 where that is unknown.
   *
   * @param ceiling of the scope: as many return in one round
   */
  long waitNanos(long needed, int ceiling, long now) {
    if (needed <= 0 || count < KNOWN_FROM || now - nanos[last] > FORGOTTEN_NANOS) {
      return 0;
    }
    int window = (int) Math.min(KEPT_MOST, Math.max(KEPT_LEAST, (long) ROUNDS * ceiling));
    int kept = Math.min(count, window);
    long sum = 0;
    for (int i = 0; i < kept; i++) {
      sum += units[Math.floorMod(last - i, KEPT_MOST)];
    }
    long since = now - nanos[Math.floorMod(last - kept + 1, KEPT_MOST)];
    return (long) ((double) needed * since / sum);
  }
}
