package dev.sluice.governor.fetch;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One after the other (ORG-02). The turn goes through those that are eligible, so that the
 * neighbour of a full one does not get its share on top of its own. Thread-safe.
 */
final class RoundRobin implements Balance {

  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Of choices among some: else each flight that is asked elsewhere would move the turn on, and
   * with two upstreams every first attempt would go to the one that fails.
   */
  private final AtomicInteger turnOfSome = new AtomicInteger();

  @Override
  public int choose(long affinity, long nowNanos, Candidates among) {
    int eligible = 0;
    for (int at = 0; at < among.size(); at++) {
      eligible += among.isEligible(at) ? 1 : 0;
    }
    if (eligible == 0) {
      return NONE;
    }
    AtomicInteger mine = eligible == among.size() ? turn : turnOfSome;
    int skip = Math.floorMod(mine.getAndIncrement(), eligible);
    for (int at = 0; at < among.size(); at++) {
      if (among.isEligible(at) && skip-- == 0) {
        return at;
      }
    }
    // Another thread's counts moved between the two passes.
    return lastEligible(among);
  }

  private static int lastEligible(Candidates among) {
    int last = among.size() - 1;
    while (last >= 0 && !among.isEligible(last)) {
      last--;
    }
    return last;
  }
}
