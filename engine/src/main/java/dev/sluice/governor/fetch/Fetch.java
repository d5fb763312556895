package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.governor.fetch.attempts.RetryBudget;
import dev.sluice.governor.fetch.attempts.RetrySettings;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.Tunnel;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A flight's attempts at the origin, one at a time (DEC-29). One more is free where a reused
 * connection died before it answered, elsewhere where there are retries: what died may be the
 * upstream. Any other the flight asks for, and the budget pays. Confined to its flight's loop.
 */
public final class Fetch implements OriginEvents, Destination.Elsewhere {

  /** DEC-29: at most 100 ms, and the permit is held all the while. */
  private static final long BACK_OFF_LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private static final long BACK_OFF_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** An answer that is not wanted is read so far, for its connection's sake. */
  private static final long DRAIN_BYTES = 64 * 1024;

  /** What came of asking for a further attempt. */
  public enum Again {
    /** There will be one. */
    SCHEDULED,
    /** There may be none. */
    REFUSED,
    /** There might, but the budget is spent. */
    UNAFFORDABLE,
    /** There might, but others are turned away for want of a place in the queue (A03). */
    CROWDED
  }

  /**
   * What the fetches of one loop stand on, under one generation.
   *
   * @param random for the back-off
   */
  public record Means(
      OriginPool pool, RetryBudget budget, RetrySettings retry, RandomGenerator random) {}

  private enum Step {
    /** An attempt is under way, or the flight has been told of its end. */
    ASKING,
    /** The upstream is being tried by another attempt: a different one is looked for. */
    DIVERTING,
    /** One that the budget need not pay for; nobody knows yet where. */
    MOVING,
    /** A further attempt is scheduled; nobody knows yet where. */
    CHOOSING,
    /** The same, at another upstream or not at all. */
    SEEKING,
    /** It is known where; the back-off runs. */
    WAITING,
    CANCELLED
  }

  private final Means means;
  private final Destination destination;
  private final Asking asking;
  private final OriginEvents flight;
  private UpstreamState upstream;
  private Step step = Step.ASKING;
  private @Nullable Attempt attempt;

  /** What the flight gets where nobody has a better one. */
  private @Nullable StandIn standIn;

  private Timer.@Nullable Scheduled backOff;
  private Cause lastCause = Cause.COMPLETE;
  private int attempts;
  private int retries;
  private boolean interimPassed;
  private boolean isSettled;
  private boolean isExhausted;
  private boolean isBetween;
  private long chargedNanos;

  /** Nothing is asked yet. */
  public Fetch(Means means, Destination destination, Asking asking, OriginEvents flight) {
    this.means = means;
    this.destination = destination;
    this.asking = asking;
    this.flight = flight;
    this.upstream = destination.first();
  }

  /** Asks; what comes of it goes to the flight. */
  public void start() {
    attempts = 1;
    means.budget().first(means.pool().now());
    if (upstream.breaker().isBeingTried()) {
      step = Step.DIVERTING;
      destination.elsewhere(this);
    } else {
      begin();
    }
  }

  private void begin() {
    step = Step.ASKING;
    isBetween = false;
    var first = new Attempt(means.pool(), upstream, asking, this);
    attempt = first;
    first.start(!asking.isRepeatable() || asking.body() != null || retries > 0, false);
  }

  /** Leaves the origin at once; the flight hears no more. */
  public void cancel() {
    step = Step.CANCELLED;
    stopWaiting();
    leaveAttempt();
    if (standIn != null) {
      standIn.cancel();
    }
  }

  // What there is to know.

  /** Who is asked. */
  public String upstreamLabel() {
    return upstream.label();
  }

  /** How many attempts there were. */
  public int attempts() {
    return attempts;
  }

  /** How many of them the budget paid for. */
  public int retries() {
    return retries;
  }

  /** Whether the last attempt went out on a connection that was used before. */
  public boolean isReused() {
    return attempt != null && attempt.isReused();
  }

  /** Whether the origin has nothing of this flight's at the moment, or had when it was left. */
  public boolean isBetweenAttempts() {
    return isBetween;
  }

  // What comes of an attempt.

  @Override
  public void interim(ResponseHead head) {
    interimPassed = true;
    flight.interim(head);
  }

  @Override
  public void head(ResponseHead head, Body answer) {
    flight.head(head, answer);
  }

  @Override
  public void switched(ResponseHead head, Tunnel tunnel) {
    flight.switched(head, tunnel);
  }

  @Override
  public void ended(Cause cause) {
    if (step != Step.ASKING) {
      // The rest of an answer that a further attempt replaces.
      return;
    }
    Attempt ended = attempt;
    if (ended != null && cause == Cause.CONNECTION_TERMINATED && isFree(ended)) {
      attempts++;
      if (means.retry().enabled()) {
        step = Step.MOVING;
        destination.elsewhere(this);
      } else {
        beginAnew();
      }
      return;
    }
    flight.ended(cause);
  }

  private void beginAnew() {
    step = Step.ASKING;
    var second = new Attempt(means.pool(), upstream, asking, this);
    attempt = second;
    second.start(true, true);
  }

  /** It died on a connection that had served before, and whatever it was may be asked again. */
  private boolean isFree(Attempt dead) {
    if (attempts == 1 && dead.isRefused()) {
      // DEC-13: HTTP/2 proves that it was not processed, whatever the method.
      return asking.isWhole();
    }
    if (attempts > 1 || !dead.isReused() || !dead.isSilent()) {
      return false;
    }
    return asking.body() == null
        ? dead.isUntouched() || asking.out().head().isSafe()
        : dead.isUntouched() && asking.isWhole();
  }

  // A further attempt.

  /**
   * Asks for another attempt in place of the one that ended for {@code cause}, or whose {@code
   * answer} is not wanted; the flight is told of that one as of any. Charged when it is scheduled,
   * and elsewhere if there is an elsewhere.
   */
  public Again again(Cause cause, @Nullable Body answer) {
    lastCause = cause;
    Attempt unwanted = attempt;
    Again again = schedule(Step.CHOOSING, answer != null);
    if (again == Again.SCHEDULED && answer != null && unwanted != null) {
      answer.desert(DRAIN_BYTES, unwanted::cancel);
    }
    return again;
  }

  /**
   * Asks one other upstream for a better {@code answer} than the one that came; that one is kept
   * for {@link #fallBack}, or until {@link #forgetStandIn}.
   */
  public Again elsewhere(ResponseHead head, Body answer) {
    Attempt asked = attempt;
    UpstreamState where = upstream;
    Again again = schedule(Step.SEEKING, true);
    if (again == Again.SCHEDULED && asked != null) {
      standIn = new StandIn(asked, where, head, answer);
    }
    return again;
  }

  private Again schedule(Step wanted, boolean isAnswered) {
    if (!mayAskAgain(isAnswered)) {
      return Again.REFUSED;
    }
    if (destination.isCrowded()) {
      return Again.CROWDED;
    }
    chargedNanos = means.pool().now();
    if (!means.budget().take(chargedNanos)) {
      return Again.UNAFFORDABLE;
    }
    step = wanted;
    isBetween = true;
    // From in here a refusal is this method's answer, later it is an end of its own.
    isSettled = false;
    destination.elsewhere(this);
    boolean refused = step == Step.ASKING;
    isSettled = true;
    return refused ? Again.REFUSED : Again.SCHEDULED;
  }

  private boolean mayAskAgain(boolean isAnswered) {
    Attempt last = attempt;
    return attempts < means.retry().mostAttempts()
        && !isExhausted
        && last != null
        && asking.isRepeatable()
        && !interimPassed
        && (isAnswered || last.isSilent());
  }

  // The answer that was kept.

  /** Whether there is one that the flight can fall back on. */
  public boolean hasStandIn() {
    return standIn != null && !standIn.isBroken();
  }

  /** The flight hears of the answer that was kept, in place of the end of the last attempt. */
  public void fallBack() {
    StandIn kept = standIn;
    if (kept == null) {
      throw new IllegalStateException("fetch: nothing to fall back on");
    }
    standIn = null;
    attempt = kept.attempt();
    upstream = kept.upstream();
    kept.comeForth(this);
  }

  /** The same in place of an answer that is no better. */
  public void fallBack(ResponseHead head, Body unwanted) {
    if (attempt != null) {
      new StandIn(attempt, upstream, head, unwanted).drop();
    }
    fallBack();
  }

  /** A better one came. */
  public void forgetStandIn() {
    StandIn kept = standIn;
    standIn = null;
    if (kept != null) {
      kept.drop();
    }
  }

  @Override
  public void to(UpstreamState next) {
    upstream = next;
    switch (step) {
      case DIVERTING -> begin();
      case MOVING -> beginAnew();
      case CHOOSING, SEEKING -> await(0);
      case ASKING, WAITING, CANCELLED -> {}
    }
  }

  @Override
  public void nowhere() {
    switch (step) {
      case DIVERTING -> begin();
      case MOVING -> beginAnew();
      case CHOOSING -> askHereAgain();
      case SEEKING -> stay();
      case ASKING, WAITING, CANCELLED -> {}
    }
  }

  /** The same upstream once more, unless its breaker has just opened (field case A03). */
  private void askHereAgain() {
    if (!upstream.isEjected()) {
      long spread = BACK_OFF_MOST_NANOS - BACK_OFF_LEAST_NANOS;
      await(BACK_OFF_LEAST_NANOS + (long) (means.random().nextDouble() * spread));
      return;
    }
    giveUp();
    if (isSettled) {
      leaveAttempt();
      isExhausted = true;
      flight.ended(lastCause);
    }
  }

  /** Nobody else is there to ask. */
  private void stay() {
    giveUp();
    if (isSettled) {
      fallBack();
    }
  }

  /** There is no further attempt after all, so it costs nothing. */
  private void giveUp() {
    step = Step.ASKING;
    isBetween = false;
    means.budget().giveBack(chargedNanos);
  }

  private void await(long nanos) {
    step = Step.WAITING;
    retries++;
    backOff = means.pool().loop().schedule(this::resume, nanos);
  }

  private void resume() {
    backOff = null;
    if (standIn == null || standIn.attempt() != attempt) {
      leaveAttempt();
    }
    attempts++;
    begin();
  }

  private void stopWaiting() {
    if (backOff != null) {
      backOff.cancel();
      backOff = null;
    }
  }

  /** One attempt at a time: what is left of the one before is left. */
  private void leaveAttempt() {
    if (attempt != null) {
      attempt.cancel();
    }
  }
}
