package dev.sluice.governor.fetch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The smallest product of flights in flight, this one counted, and observed latency (ORG-04,
 * ORG-05). Every upstream is looked at: two choices at random are for balancers that see each
 * other's load late, while these counts are the process's own and exact, and a pool has tens of
 * upstreams, not thousands.
 *
 * <p>A latency fades while nothing is measured ({@link Latency}), so one that was slow is asked
 * again after a while. One that was never measured is asked once, and then not before its answer.
 * Ties go in turn. Thread-safe.
 */
final class LeastLoaded implements Balance {

  /** Differences below it are noise of the network. */
  private static final long FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long UNMEASURED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicInteger turn = new AtomicInteger();

  @Override
  public int choose(long affinity, long nowNanos, Candidates among) {
    int size = among.size();
    int first = Math.floorMod(turn.getAndIncrement(), size);
    int best = NONE;
    double least = 0;
    for (int i = 0; i < size; i++) {
      int at = (first + i) % size;
      if (among.isEligible(at)) {
        double cost = cost(among.inFlight(at), among.latencyNanos(at, nowNanos));
        if (best == NONE || cost < least) {
          best = at;
          least = cost;
        }
      }
    }
    return best;
  }

  @Override
  public boolean readsClock() {
    return true;
  }

  private static double cost(int inFlight, long latencyNanos) {
    if (latencyNanos == Latency.UNKNOWN) {
      return inFlight == 0 ? 0 : (inFlight + 1.0) * UNMEASURED_NANOS;
    }
    return (inFlight + 1.0) * Math.max(FLOOR_NANOS, latencyNanos);
  }
}
