package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.fetch.Asking;
import dev.sluice.governor.fetch.Destination;
import dev.sluice.governor.fetch.Fetch;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.RetryOutcome;
import dev.sluice.wire.OriginEvents;
import org.jspecify.annotations.Nullable;

/**
 * A flight's attempts at the origin as the flight counts them: each is told under its upstream, and
 * what became of the further ones. Confined to the flight's loop.
 */
final class FlightAttempts {

  private final FlightContext context;
  private final Fetch fetch;
  private long beganNanos;

  /** When the last one became a tunnel; what comes behind is no work of the origin's. */
  private long switchedNanos;

  private boolean switched;

  /** Nothing is asked yet. */
  FlightAttempts(FlightContext context, Destination where, Asking asking, OriginEvents flight) {
    this.context = context;
    this.fetch = context.fetch(where, asking, flight);
    this.beganNanos = context.now();
  }

  void start() {
    fetch.start();
  }

  /** Leaves the origin at once; the flight hears no more of it. */
  void cancel() {
    fetch.cancel();
  }

  int count() {
    return fetch.attempts();
  }

  /** Whom the last one asks. */
  String upstream() {
    return fetch.upstreamLabel();
  }

  boolean isReused() {
    return fetch.isReused();
  }

  /** Whether the origin has nothing of it just now. */
  boolean isBetween() {
    return fetch.isBetweenAttempts();
  }

  /**
   * Whether another follows one that ended for {@code cause}, or, complete, with an {@code
   * unwanted} answer.
   */
  boolean again(Cause cause, @Nullable Body unwanted) {
    String upstream = fetch.upstreamLabel();
    boolean wasRetry = fetch.retries() > 0;
    Fetch.Again again =
        fetch.again(unwanted == null ? cause : Cause.CONNECTION_TERMINATED, unwanted);
    if (again == Fetch.Again.UNAFFORDABLE) {
      context.retried(RetryOutcome.BUDGET_EXHAUSTED);
    }
    if (again != Fetch.Again.SCHEDULED) {
      return false;
    }
    if (wasRetry) {
      context.retried(RetryOutcome.FAILED);
    }
    context.observeOrigin(upstream, cause, tookNanos());
    beganNanos = context.now();
    return true;
  }

  /** The last one has become a tunnel. */
  void switched() {
    switched = true;
    switchedNanos = context.now();
  }

  /** The last one has come to what its flight lands on. */
  void settle(RetryOutcome outcome) {
    if (fetch.retries() > 0) {
      context.retried(outcome);
    }
  }

  /** The last one is over, for {@code cause}; returns how long it took. */
  long ended(Cause cause) {
    long took = tookNanos();
    if (!fetch.isBetweenAttempts()) {
      context.observeOrigin(fetch.upstreamLabel(), cause, took);
    }
    return took;
  }

  private long tookNanos() {
    return (switched ? switchedNanos : context.now()) - beganNanos;
  }
}
