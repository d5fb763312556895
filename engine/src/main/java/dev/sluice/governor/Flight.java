package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.fetch.Fetch;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Verdict;
import dev.sluice.http.FieldName;
import dev.sluice.http.ResponseHead;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Stage;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/**
 * One trip to the origin: admit, fetch, judge, stream. It may outlive the client that began it, and
 * its permit is returned when it ends, after the hold of DEC-29, and nowhere else. Confined to the
 * event loop that began it.
 */
final class Flight implements Waiter.Listener, OriginEvents {

  private final FlightContext context;
  private final Classification.Classified classified;
  private final RequestOut request;
  private final @Nullable Body upload;

  /** The passenger's, and not to be touched without one: the log has it then. */
  private final Timeline timeline;

  private final Waiter permit;
  private FlightState state = FlightState.ADMIT;
  private @Nullable Passenger passenger;
  private @Nullable Fetch fetch;
  private @Nullable Body answer;
  private Timer.@Nullable Scheduled finishTimer;
  private boolean streams;
  private long grantedNanos;

  Flight(
      FlightContext context,
      Classification.Classified classified,
      RequestOut request,
      @Nullable Body upload,
      Timeline timeline,
      Passenger lead) {
    this.context = context;
    this.classified = classified;
    this.request = request;
    this.upload = upload;
    this.timeline = timeline;
    this.permit = new Waiter(this, context.loop());
    this.passenger = lead;
    this.streams = classified.permitKind() == PermitKind.STREAMING;
    context.flightBegan();
  }

  // Admit.

  /** Asks for a permit; the landing may come before this returns. */
  void depart() {
    if (context.isMemoryShort()) {
      shed(Cause.MEMORY, 0);
      return;
    }
    permit.prepare(classified.route().id(), classified.priority(), classified.route().weight());
    timeline.admissionAsked(context.now());
    context.admissionFor(classified.permitKind()).enter(permit);
  }

  @Override
  public void granted() {
    grantedNanos = context.now();
    timeline.granted(grantedNanos, classified.permitKind() == PermitKind.RENDER);
    state = state.to(FlightState.FETCH);
    Fetch started = context.fetch(request, upload, this);
    fetch = started;
    timeline.upstream(started.upstreamLabel());
    started.start();
  }

  @Override
  public void shed(Cause cause, long predictedWaitNanos) {
    over();
    timeline.shed(context.now());
    land(new Landing.Shed(cause, predictedWaitNanos));
  }

  // Fetch.

  @Override
  public void interim(ResponseHead head) {
    if (passenger != null) {
      passenger.interim(head);
    }
  }

  @Override
  public void head(ResponseHead head, Body body) {
    state = state.to(FlightState.JUDGE);
    state = state.to(FlightState.STREAM);
    answer = body;
    streams |= isEventStream(head);
    if (passenger == null) {
      unfollowed(body);
    } else {
      timeline.headCame(context.now());
      land(new Landing.Answered(head, body));
    }
  }

  // Judge.

  @Override
  public void ended(Cause cause) {
    boolean headCame = state == FlightState.STREAM;
    Verdict verdict = Judge.ofEnd(cause, headCame);
    if (!headCame) {
      state = state.to(FlightState.JUDGE);
    }
    end(cause);
    if (verdict instanceof Verdict.Fail fail) {
      land(new Landing.Failed(fail.cause()));
    }
  }

  // Leaving.

  /** Whether the flight still waits for its permit. */
  boolean isWaiting() {
    return state == FlightState.ADMIT;
  }

  /** Whether it holds a permit. */
  boolean holdsPermit() {
    return state == FlightState.FETCH || state == FlightState.STREAM;
  }

  /** Where it is, for an exchange that is aboard. */
  Stage stage() {
    return switch (state) {
      case ADMIT -> Stage.ADMIT;
      case FETCH -> Stage.FETCH;
      case JUDGE -> Stage.JUDGE;
      case STREAM, ENDED -> Stage.STREAM;
    };
  }

  /** The passenger has all of its answer; the flight may have its own end before it. */
  void disembark() {
    passenger = null;
  }

  /** The passenger is gone, for {@code why} (DEC-27, DEC-28). */
  void leave(Cause why) {
    passenger = null;
    switch (state) {
      case ADMIT -> {
        over();
        context.admissionFor(classified.permitKind()).leave(permit);
      }
      case FETCH, STREAM -> leaveOrigin(why);
      case JUDGE, ENDED -> {}
    }
  }

  private void leaveOrigin(Cause why) {
    boolean uploadCut = upload != null && !upload.isComplete();
    if (uploadCut || streams || classified.route().onClientAbort() == OnClientAbort.CLOSE) {
      tearDown(uploadCut ? why : Cause.CLOSED_ON_ABORT);
      return;
    }
    finishTimer = context.loop().schedule(this::finishExpired, context.finishTimeoutNanos());
    if (answer != null) {
      unfollowed(answer);
    }
  }

  /** Nobody reads the answer: it is read at full speed and dropped, within bounds. */
  private void unfollowed(Body body) {
    if (streams) {
      tearDown(Cause.CLOSED_ON_ABORT);
    } else {
      body.desert(context.discardMax(), () -> tearDown(Cause.FINISH_LIMIT));
    }
  }

  private void finishExpired() {
    tearDown(Cause.FINISH_LIMIT);
  }

  private void tearDown(Cause cause) {
    if (state == FlightState.ENDED) {
      return;
    }
    if (fetch != null) {
      fetch.cancel();
    }
    if (answer != null) {
      answer.desert();
    }
    if (state == FlightState.FETCH) {
      state = state.to(FlightState.JUDGE);
    }
    end(cause);
  }

  // The end.

  private void end(Cause cause) {
    over();
    if (finishTimer != null) {
      finishTimer.cancel();
    }
    long took = context.now() - grantedNanos;
    if (fetch != null) {
      context.observeOrigin(fetch, cause, took);
      if (passenger != null) {
        timeline.originEnded(took, fetch.attempts(), fetch.isReused());
      }
    }
    if (cause == Cause.COMPLETE) {
      context.serviceTimes().record(classified.route().id(), took);
    }
    returnPermit(cause);
  }

  private void over() {
    state = state.to(FlightState.ENDED);
    context.flightEnded();
    dropUpload();
  }

  /** A whole upload that was never sent is held by nobody else; an unfinished one the client's. */
  private void dropUpload() {
    if (upload != null && upload.isComplete() && !upload.isFollowed()) {
      upload.desert();
    }
  }

  private void returnPermit(Cause cause) {
    long hold = Judge.mayRenderOn(cause) ? context.holdNanos(classified.route().id()) : 0;
    if (hold == 0) {
      context.admissionFor(classified.permitKind()).giveBack(permit);
      return;
    }
    context.abandoned(classified.route().id());
    context
        .loop()
        .schedule(() -> context.admissionFor(classified.permitKind()).giveBack(permit), hold);
  }

  private void land(Landing landing) {
    if (passenger != null) {
      passenger.landed(landing);
    }
  }

  private static boolean isEventStream(ResponseHead head) {
    String type = head.headers().first(FieldName.CONTENT_TYPE);
    return type != null && type.regionMatches(true, 0, "text/event-stream", 0, 17);
  }
}
