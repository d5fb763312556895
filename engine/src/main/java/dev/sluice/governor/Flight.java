package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.flow.KeptBody;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.fetch.Asking;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Verdict;
import dev.sluice.governor.reuse.cache.PurgeSelector;
import dev.sluice.http.ResponseHead;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Party;
import dev.sluice.outcome.RetryOutcome;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Stage;
import dev.sluice.time.Loop;
import dev.sluice.wire.Tunnel;
import org.jspecify.annotations.Nullable;

/**
 * One trip to the origin: admit, fetch, judge, stream. It carries one passenger, many, or none, and
 * may outlive the client that began it; its permit is returned when it ends, after the hold of
 * DEC-29, and nowhere else. Confined to the event loop that began it (DEC-47); what others may call
 * from theirs posts itself here.
 */
final class Flight implements FlightPermit.Holder, FlightAttempts.Listener {

  private final FlightContext context;
  private final Errand errand;
  private final FlightPermit permit;
  private final Passengers aboard;
  private final StaleAnswer stale;

  /** What becomes of an answer that may be shared; null for an errand of one's own. */
  private final @Nullable SharedLanding sharing;

  private final FlightLog log;

  private final Unattended unattended;
  private FlightState state = FlightState.ADMIT;
  private @Nullable FlightAttempts attempts;
  private @Nullable AnswerBody answer;
  private @Nullable FlightTunnel tunnel;

  /** Whether it has no end to wait for. */
  private boolean streams;

  Flight(FlightContext context, Errand errand, @Nullable Timeline timeline) {
    this.context = context;
    this.errand = errand;
    this.unattended = new Unattended(context, this::finishSpent);
    this.log = new FlightLog(context, timeline);
    this.aboard = new Passengers(log);
    this.permit =
        new FlightPermit(context, classified(), errand.request().head().target().path(), this);
    PermitKind kind = classified().permitKind();
    this.streams = kind == PermitKind.STREAMING || kind == PermitKind.UPGRADE;
    this.stale = new StaleAnswer(context.reuse(), errand.stale());
    this.sharing =
        errand instanceof SharedErrand shared
            ? new SharedLanding(context, shared, this, stale)
            : null;
    context.flightBegan();
  }

  private Classification.Classified classified() {
    return errand.classified();
  }

  Loop loop() {
    return context.loop();
  }

  /** Its errand, where that may be shared. */
  SharedErrand sharedErrand() {
    return (SharedErrand) errand;
  }

  /** It never departs: another is under way. */
  void dismiss() {
    close();
    context.flightEnded();
  }

  // Boarding.

  /** Whether a purge means its answer, or may once the head has come (DEC-39). From any thread. */
  boolean isMeantBy(PurgeSelector selector) {
    return sharing != null && sharing.isMeantBy(selector);
  }

  /** Nobody boards any more; those aboard go on. From any thread. */
  void closeBoarding() {
    if (sharing != null) {
      loop().run(sharing::closeBoarding);
    }
  }

  /** Takes a passenger; from any loop. What comes of it is told on the passenger's. */
  void board(Passenger passenger) {
    if (!loop().run(() -> boarded(passenger))) {
      passenger.landed(new Landing.Failed(Cause.SHUTDOWN));
    }
  }

  private void boarded(Passenger passenger) {
    if (sharing != null && !sharing.mayBoard()) {
      Passengers.tell(passenger, Landing.TooLate.INSTANCE);
    } else if (aboard.size() >= context.maxPassengers()) {
      Passengers.tell(passenger, stale.insteadOf(new Landing.Shed(Cause.BOARDING_FULL, 0)));
    } else {
      takeAboard(passenger);
    }
  }

  private void takeAboard(Passenger passenger) {
    aboard.add(passenger);
    unattended.end();
    if (sharing == null) {
      return;
    }
    switch (state) {
      case ADMIT -> {
        permit.waitsFor(passenger);
        sharing.waits();
      }
      case FETCH, JUDGE -> sharing.waits();
      case STREAM, ENDED -> sharing.boardedLate(passenger);
    }
  }

  // Admit.

  /** Asks for a permit; the landing may come before this returns. */
  void depart() {
    if (mayDepart()) {
      Passenger lead = aboard.lead();
      permit.ask(classified().priority(), lead == null ? Waiter.NO_ARRIVAL : lead.arrival());
    }
  }

  /** A refresh that nobody waits for: at the lowest tier, and now or not at all (DEC-40). */
  void departAtLeisure() {
    unattended.begin();
    if (mayDepart()) {
      permit.askInPassing(Priority.LOW);
    }
  }

  private boolean mayDepart() {
    if (context.isMemoryShort()) {
      shed(Cause.MEMORY, 0);
      return false;
    }
    log.admissionAsked();
    return true;
  }

  @Override
  public void granted() {
    log.granted(classified().permitKind() == PermitKind.RENDER);
    state = state.to(FlightState.FETCH);
    var asking =
        new Asking(errand.request(), errand.upload(), classified().requestClass(), log.client());
    var first = new FlightAttempts(context, permit, asking, this);
    attempts = first;
    attemptBegins(first);
    first.start();
  }

  private void attemptBegins(FlightAttempts asked) {
    if (sharing != null) {
      sharing.departed();
    }
    log.upstream(asked);
  }

  @Override
  public void shed(Cause cause, long predictedWaitNanos) {
    over();
    landWithoutAnswer(new Landing.Shed(cause, predictedWaitNanos));
  }

  // Fetch.

  @Override
  public void interim(ResponseHead head) {
    Passenger lead = aboard.lead();
    if (lead == null || (sharing != null && !sharing.isLeadOwner())) {
      return;
    }
    lead.loop().run(() -> lead.interim(head));
  }

  @Override
  public void head(ResponseHead head, Body body) {
    state = state.to(FlightState.JUDGE);
    if (asked().isReplaced(head, body, !aboard.isEmpty())) {
      return;
    }
    state = state.to(FlightState.STREAM);
    asked().landed(head);
    log.headCame(asked());
    streams |= Judge.isEventStream(head);
    var came = new AnswerBody.Answer(head, body, classified().route().spool() && !streams);
    answer = new AnswerBody(context, log, came, sharing, this::finishSpent);
    if (sharing != null) {
      sharing.landed(head);
    } else if (errand instanceof Errand.Own own) {
      context.reuse().answered(own, head);
      landOwn(own, head);
    }
    if (aboard.isEmpty()) {
      finishAlone();
    }
  }

  /** One client's own answer; where that is a failure a stored one may stand in for it, too. */
  private void landOwn(Errand.Own own, ResponseHead head) {
    if (Judge.isFailure(head) && stale.mayServe()) {
      landWithoutAnswer(new Landing.Failed(Cause.ORIGIN_ERROR));
    } else {
      relay(own.how(), null);
    }
  }

  /** The origin agreed to a WebSocket: the one aboard is its other end. */
  @Override
  public void switched(ResponseHead head, Tunnel opened) {
    state = state.to(FlightState.JUDGE);
    state = state.to(FlightState.STREAM);
    tunnel = new FlightTunnel();
    asked().switched();
    log.headCame(asked());
    Passenger lead = aboard.lead();
    if (lead == null) {
      tearDown(Cause.CLOSED_ON_ABORT);
    } else {
      lead.landed(new Landing.Switched(head, opened));
    }
  }

  @Override
  public void askedAgain() {
    state = state.to(FlightState.FETCH);
    attemptBegins(asked());
  }

  @Override
  public void fellBack() {
    state = state.to(FlightState.FETCH);
  }

  private FlightAttempts asked() {
    if (attempts == null) {
      throw new IllegalStateException("flight: " + state + " and nobody asked");
    }
    return attempts;
  }

  /** The answer goes to the lead and to nobody else. */
  void relay(Reuse how, @Nullable BypassReason reason) {
    Passenger lead = aboard.lead();
    if (lead != null) {
      answered().relay(lead, how, reason);
    }
  }

  /** From now on the answer's bytes stay for who follows, up to {@code bodyMax} of them. */
  KeptBody keep(long bodyMax) {
    return answered().keep(bodyMax);
  }

  private AnswerBody answered() {
    if (answer == null) {
      throw new IllegalStateException("flight: " + state + " without an answer");
    }
    return answer;
  }

  // Judge.

  @Override
  public void ended(Cause cause) {
    if (tunnel != null && tunnel.outlives(cause, !aboard.isEmpty())) {
      return;
    }
    boolean headCame = state == FlightState.STREAM;
    if (!headCame) {
      state = state.to(FlightState.JUDGE);
      if (asked().isReplaced(cause, !aboard.isEmpty())) {
        return;
      }
      asked().settle(RetryOutcome.FAILED);
    }
    Passenger otherEnd = tunnel == null ? null : aboard.lead();
    end(cause);
    if (otherEnd != null) {
      // What the origin had to say may be over already, so that no cut of it tells the client.
      otherEnd.cut(cause);
    } else if (Judge.ofEnd(cause, headCame) instanceof Verdict.Fail fail) {
      landWithoutAnswer(new Landing.Failed(fail.cause()));
    } else {
      close();
    }
  }

  /** No answer came or will come: for all aboard, a stored one where it may stand in (DEC-35). */
  private void landWithoutAnswer(Landing landing) {
    if (sharing != null) {
      sharing.closeBoarding();
    }
    for (Passenger passenger : aboard.disembarkAll()) {
      Passengers.tell(passenger, stale.insteadOf(landing));
    }
    close();
  }

  // Leaving.

  /** Whether it holds a permit that the pace of {@code passenger} may keep. On its loop. */
  boolean isPacedBy(Passenger passenger) {
    boolean alone = aboard.lead() == passenger && aboard.size() == 1;
    boolean paced = answer == null || answer.isPacedByItsReader();
    return alone && paced && (state == FlightState.FETCH || state == FlightState.STREAM);
  }

  /** Whether it waits for its grant. On its loop. */
  boolean isQueued() {
    return state == FlightState.ADMIT;
  }

  /** Where it is, for an exchange that is aboard. On its loop. */
  Stage stage() {
    return state.stage();
  }

  /** A passenger's client closed its side; while the flight waits, that is leaving (DEC-27). */
  void halfClosed(Passenger passenger) {
    loop()
        .run(
            () -> {
              if (isQueued()) {
                passenger.loop().run(passenger::letGo);
              }
            });
  }

  /**
   * The passenger is gone, for {@code why} (DEC-27, DEC-28), or has all of its answer. From any
   * loop.
   */
  void leave(Passenger passenger, Cause why) {
    loop().run(() -> gone(passenger, why));
  }

  private void gone(Passenger passenger, Cause why) {
    boolean allCame = answer != null && answer.isComplete();
    if (aboard.remove(passenger) && aboard.isEmpty() && !allCame) {
      emptied(passenger, why);
    }
  }

  private void emptied(Passenger passenger, Cause why) {
    switch (state) {
      case ADMIT -> {
        over();
        permit.leave();
        close();
      }
      case FETCH -> leftByLast(passenger, why);
      case STREAM -> {
        if (tunnel != null) {
          leaveTunnel(tunnel.left(why), why);
        } else {
          leftByLast(passenger, why);
        }
      }
      case JUDGE, ENDED -> {}
    }
  }

  private void leaveTunnel(FlightTunnel.Left left, Cause why) {
    switch (left) {
      case NOTHING -> end(Cause.COMPLETE);
      case LAST_WORDS -> unattended.begin();
      case ORIGIN -> tearDown(why.party() == Party.ORIGIN ? why : Cause.CLOSED_ON_ABORT);
    }
  }

  /** The last one aboard is gone, for {@code why}. */
  private void leftByLast(Passenger passenger, Cause why) {
    Cause torn = tornDownBy(why);
    if (torn == null) {
      finishAlone();
    } else {
      tearDown(torn);
    }
    if (state != FlightState.ENDED && why != Cause.COMPLETE) {
      unattended.leftBy(passenger);
    }
  }

  /** What the origin is left for when the last one goes for {@code why}; null where it is not. */
  private @Nullable Cause tornDownBy(Cause why) {
    if (attempts != null && attempts.isBetween()) {
      return Cause.CLIENT_LEFT;
    }
    if (errand.isUploading()) {
      return why;
    }
    boolean closes = classified().route().onClientAbort() == OnClientAbort.CLOSE;
    return closes && why != Cause.COMPLETE ? Cause.CLOSED_ON_ABORT : null;
  }

  /** Nobody is aboard: the answer is read at full speed and dropped, within bounds, or stored. */
  private void finishAlone() {
    if (streams) {
      tearDown(Cause.CLOSED_ON_ABORT);
      return;
    }
    unattended.begin();
    if (answer != null) {
      answer.readOnAlone();
    }
  }

  /** For long enough, or enough of it was dropped. */
  private void finishSpent() {
    tearDown(Cause.FINISH_LIMIT);
  }

  private void tearDown(Cause cause) {
    if (state == FlightState.ENDED) {
      return;
    }
    if (attempts != null) {
      attempts.cancel();
    }
    if (answer != null) {
      answer.drop();
    }
    if (state == FlightState.FETCH) {
      state = state.to(FlightState.JUDGE);
      asked().settle(RetryOutcome.ABANDONED);
    }
    end(cause);
    close();
  }

  // The end.

  private void end(Cause cause) {
    if (attempts != null) {
      ended(attempts, cause);
    }
    over();
    permit.giveBack(attempts == null ? cause : attempts.givesBackFor(cause));
  }

  private void ended(FlightAttempts asked, Cause cause) {
    long took = asked.ended(cause);
    log.originEnded(asked);
    if (cause == Cause.COMPLETE && tunnel == null) {
      context.serviceTimes().record(classified().route().id(), took);
    }
  }

  /** Over with the origin: what the flight held is let go; readers of the body may go on. */
  private void over() {
    state = state.to(FlightState.ENDED);
    context.flightEnded();
    unattended.end();
    errand.dropUpload();
    if (answer != null) {
      answer.letGo();
    }
  }

  private void close() {
    if (sharing != null) {
      sharing.close();
    }
    stale.letGo();
  }

  // What the landing of a shared answer needs.

  Passengers aboard() {
    return aboard;
  }

  /** What the log is told of an answer that was to be kept and was not. */
  void notKept(BypassReason reason) {
    context.notKept(classified().route().id(), reason);
    log.notKept(reason);
  }
}
