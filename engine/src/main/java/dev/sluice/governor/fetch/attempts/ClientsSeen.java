package dev.sluice.governor.fetch.attempts;

import java.util.Arrays;

/**
 * Whether the window has seen many clients or few: it tells up to a handful of prefixes apart and
 * forgets each a window after its last attempt. Guarded by its owner.
 */
final class ClientsSeen {

  private static final int MOST = 8;
  private static final long NEVER = Long.MIN_VALUE;

  private final long[] prefixes = new long[MOST];
  private final long[] lastSlices = new long[MOST];

  ClientsSeen() {
    Arrays.fill(lastSlices, NEVER);
  }

  /** One of {@code prefix} has asked. */
  void note(long prefix, long slice) {
    int free = -1;
    for (int i = 0; i < MOST; i++) {
      if (!isRecent(i, slice)) {
        free = i;
      } else if (prefixes[i] == prefix) {
        lastSlices[i] = Math.max(lastSlices[i], slice);
        return;
      }
    }
    if (free >= 0) {
      prefixes[free] = prefix;
      lastSlices[free] = slice;
    }
  }

  /** Different ones within the window, as far as they are told apart. */
  int count(long slice) {
    int count = 0;
    for (int i = 0; i < MOST; i++) {
      count += isRecent(i, slice) ? 1 : 0;
    }
    return count;
  }

  private boolean isRecent(int place, long slice) {
    return lastSlices[place] != NEVER && slice - lastSlices[place] < Slices.COUNT;
  }
}
