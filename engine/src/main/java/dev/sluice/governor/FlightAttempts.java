package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.fetch.Asking;
import dev.sluice.governor.fetch.Destination;
import dev.sluice.governor.fetch.Fetch;
import dev.sluice.governor.judge.Judge;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.RetryOutcome;
import dev.sluice.wire.OriginEvents;
import org.jspecify.annotations.Nullable;

/**
 * A flight's attempts at the origin: whether what came of one is what the flight lands on, or
 * another answer is waited for in its place; and how each is counted, under its upstream. Confined
 * to the flight's loop.
 */
final class FlightAttempts {

  /** The flight. */
  interface Listener extends OriginEvents {
    /** A further attempt is under way in place of what came. */
    void askedAgain();

    /** An answer that was kept comes next, in place of what came. */
    void fellBack();
  }

  private final FlightContext context;
  private final Asking asking;
  private final Listener flight;
  private final Fetch fetch;

  /** Whether a file that is missing may be another build's (N10). */
  private final boolean mayBeElsewhere;

  private long beganNanos;

  /** When the last one became a tunnel; what comes behind is no work of the origin's. */
  private long switchedNanos;

  private boolean switched;

  /** Why one was left that its origin may work on still, though another's answer stands. */
  private @Nullable Cause leftWorking;

  /** The attempt whose answer is kept while another upstream is asked (N10). */
  private @Nullable Kept kept;

  private record Kept(String upstream, long tookNanos) {}

  /** Nothing is asked yet. */
  FlightAttempts(FlightContext context, Destination where, Asking asking, Listener flight) {
    this.context = context;
    this.asking = asking;
    this.flight = flight;
    this.mayBeElsewhere =
        asking.request() == RequestClass.STATIC_ASSET
            && context.generation().fetch().upstreams().size() > 1;
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

  // What comes in place of what came.

  /**
   * Whether another answer is waited for in place of this one: of the one other upstream that is
   * asked for what the first one does not have, the first one's where that one fails (N10), or that
   * of a further attempt (DEC-29). None is where nobody waits for it.
   */
  boolean isReplaced(ResponseHead head, Body body, boolean isAwaited) {
    if (hasKept()) {
      return Judge.isFailure(head) && fallBack(head, body);
    }
    if (isMissing(head)) {
      return isAwaited && mayBeElsewhere && count() == 1 && elsewhere(head, body);
    }
    return isAwaited && Judge.mayFollow(head) && again(Cause.COMPLETE, body);
  }

  /** The same for an end without an answer. */
  boolean isReplaced(Cause cause, boolean isAwaited) {
    if (hasKept()) {
      return fallBack(cause);
    }
    return isAwaited && Judge.mayFollow(cause) && again(cause, null);
  }

  private boolean isMissing(ResponseHead head) {
    return Judge.isOfAnotherBuild(asking.out().head(), head);
  }

  private boolean again(Cause cause, @Nullable Body unwanted) {
    String upstream = fetch.upstreamLabel();
    boolean wasRetry = fetch.retries() > 0;
    if (!isScheduled(
        fetch.again(unwanted == null ? cause : Cause.CONNECTION_TERMINATED, unwanted))) {
      return false;
    }
    if (wasRetry) {
      context.retried(RetryOutcome.FAILED);
    }
    context.observeOrigin(upstream, cause, tookNanos());
    beganNanos = context.now();
    flight.askedAgain();
    return true;
  }

  /** What came is kept meanwhile. */
  private boolean elsewhere(ResponseHead head, Body answer) {
    var first = new Kept(fetch.upstreamLabel(), tookNanos());
    if (!isScheduled(fetch.elsewhere(head, answer))) {
      return false;
    }
    kept = first;
    beganNanos = context.now();
    flight.askedAgain();
    return true;
  }

  private boolean isScheduled(Fetch.Again again) {
    switch (again) {
      case UNAFFORDABLE -> context.retried(RetryOutcome.BUDGET_EXHAUSTED);
      case CROWDED -> context.retried(RetryOutcome.QUEUE_FULL);
      case SCHEDULED, REFUSED -> {}
    }
    return again == Fetch.Again.SCHEDULED;
  }

  private boolean hasKept() {
    return kept != null && fetch.hasStandIn();
  }

  private boolean fallBack(ResponseHead head, Body unwanted) {
    fallsBack(Cause.COMPLETE);
    fetch.fallBack(head, unwanted);
    return true;
  }

  private boolean fallBack(Cause cause) {
    fallsBack(cause);
    fetch.fallBack();
    return true;
  }

  /** The one that failed is counted; the kept one goes on as if nothing had come between. */
  private void fallsBack(Cause cause) {
    context.observeOrigin(fetch.upstreamLabel(), cause, tookNanos());
    beganNanos = context.now() - (kept == null ? 0 : kept.tookNanos());
    kept = null;
    if (Judge.mayRenderOn(cause)) {
      leftWorking = cause;
    }
    flight.fellBack();
  }

  // What the flight lands on.

  /** It lands on this answer. */
  void landed(ResponseHead head) {
    boolean inVain = isMissing(head) || Judge.isRefusal(head);
    settle(inVain ? RetryOutcome.FAILED : RetryOutcome.SUCCEEDED);
  }

  /** The last one has become a tunnel. */
  void switched() {
    switched = true;
    switchedNanos = context.now();
    settle(RetryOutcome.SUCCEEDED);
  }

  /** The last one has come to what its flight lands on. */
  void settle(RetryOutcome outcome) {
    if (kept != null) {
      context.observeOrigin(kept.upstream(), Cause.COMPLETE, kept.tookNanos());
      kept = null;
      fetch.forgetStandIn();
    }
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

  /** What the permit is given back for where the flight ends for {@code cause} (DEC-29). */
  Cause givesBackFor(Cause cause) {
    return leftWorking == null || Judge.mayRenderOn(cause) ? cause : leftWorking;
  }

  private long tookNanos() {
    return (switched ? switchedNanos : context.now()) - beganNanos;
  }
}
