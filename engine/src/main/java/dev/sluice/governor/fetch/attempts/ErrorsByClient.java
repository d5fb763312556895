package dev.sluice.governor.fetch.attempts;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The application's errors within the window by who met them, so that the errors of one client can
 * be told from those of all (DEC-45). Guarded by its owner.
 */
final class ErrorsByClient {

  /** What one prefix may add once the window has seen {@link #SPREAD} of them. */
  static final int MOST_EACH = 3;

  static final int SPREAD = 4;

  /** Prefixes that are told apart; where there are more, theirs count in full: it is everybody. */
  static final int MOST_CLIENTS = 1024;

  private final Map<Long, SlidingCount> byClient = new HashMap<>();
  private final SlidingCount others = new SlidingCount();
  private long at;
  private long all;
  private long fair;

  void add(long prefix, long slice) {
    advance(slice);
    SlidingCount count = byClient.get(prefix);
    if (count == null && byClient.size() < MOST_CLIENTS) {
      count = new SlidingCount();
      byClient.put(prefix, count);
    }
    if (count == null) {
      others.add(slice);
      fair++;
    } else {
      count.add(slice);
      fair += count.sum(slice) <= MOST_EACH ? 1 : 0;
    }
    all++;
  }

  /** As many as count, for a window that has seen so many prefixes. */
  long count(int clientsSeen, long slice) {
    advance(slice);
    return clientsSeen >= SPREAD ? fair : all;
  }

  /** Once a slice: what slid out of the window is forgotten. */
  private void advance(long slice) {
    if (slice <= at) {
      return;
    }
    at = slice;
    all = others.sum(slice);
    fair = all;
    for (Iterator<SlidingCount> counts = byClient.values().iterator(); counts.hasNext(); ) {
      long sum = counts.next().sum(slice);
      if (sum == 0) {
        counts.remove();
      }
      all += sum;
      fair += Math.min(sum, MOST_EACH);
    }
  }
}
