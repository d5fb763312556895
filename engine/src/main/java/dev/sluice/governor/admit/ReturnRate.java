package dev.sluice.governor.admit;

import java.util.concurrent.TimeUnit;

/**
 * How fast units come back to a scope while somebody waits for them (DEC-42): the last 16 returns.
 * Confined to the drain.
 */
final class ReturnRate {

  private static final int KEPT = 16;
  private static final int KNOWN_FROM = 8;
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long[] nanos = new long[KEPT];
  private final int[] units = new int[KEPT];
  private int count;

  void returned(int weight, long now) {
    if (count > 0 && now - nanos[(count - 1) % KEPT] > FORGOTTEN_NANOS) {
      count = 0;
    }
    int at = count % KEPT;
    nanos[at] = now;
    units[at] = weight;
    count = count == 2 * KEPT - 1 ? KEPT : count + 1;
  }

  /** How long {@code needed} units take to come back, in nanoseconds; 0 where that is unknown. */
  long waitNanos(long needed, long now) {
    if (needed <= 0 || count < KNOWN_FROM || now - nanos[(count - 1) % KEPT] > FORGOTTEN_NANOS) {
      return 0;
    }
    int kept = Math.min(count, KEPT);
    long sum = 0;
    for (int i = 0; i < kept; i++) {
      sum += units[i];
    }
    long since = now - nanos[count <= KEPT ? 0 : count % KEPT];
    return (long) ((double) needed * since / sum);
  }
}
