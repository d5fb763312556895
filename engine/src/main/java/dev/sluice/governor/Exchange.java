package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.flow.Opening;
import dev.sluice.flow.ReadableBody;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.Audience;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.fetch.OriginRequest;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Ending;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Stage;
import dev.sluice.time.Loop;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestEvents;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/**
 * One client's request and its one answer: classify, reuse, aboard a flight, deliver. Confined to
 * the event loop of its connection.
 */
final class Exchange
    implements RequestEvents,
        Seeker,
        Passenger,
        Classification.Cases<ExchangeState>,
        Landing.Cases {

  /** How often it may board, or come too late to, before it goes alone. */
  private static final int MOST_BOARDINGS = 8;

  private final FlightContext context;
  private final ClientStream stream;
  private final RequestHead request;
  private final Timeline timeline;
  private ExchangeState state = ExchangeState.ACCEPT;
  private Audience audience = Audience.PLAIN;
  private @Nullable Classified classified;

  // Aboard.
  private @Nullable Flight flight;
  private boolean leads;
  private boolean isReady;
  private boolean own;
  private @Nullable BypassReason ownWhy;
  private int boardings;
  private boolean returned;
  private long boardedNanos;
  private long arrival = Waiter.NO_ARRIVAL;

  // Delivered.
  private final ClientReply reply;
  private @Nullable Body received;
  private Cause outcome = Cause.COMPLETE;
  private Stage stage = Stage.ACCEPT;

  private Exchange(FlightContext context, ClientStream stream, RequestHead request) {
    this.context = context;
    this.stream = stream;
    this.request = request;
    this.timeline = new Timeline(context.now(), context.generation().number());
    timeline.asks(request.method(), request.target().path(), request.target().query());
    timeline.askedBy(stream.peer().address(), stream.peer().scheme(), stream.protocol());
    this.reply = new ClientReply(context, stream, timeline);
    context.exchangeBegan();
  }

  static Exchange begin(FlightContext context, ClientStream stream, RequestHead request) {
    var exchange = new Exchange(context, stream, request);
    exchange.classify();
    return exchange;
  }

  // Classify.

  private void classify() {
    move(ExchangeState.CLASSIFY, Stage.CLASSIFY);
    Generation generation = context.generation();
    if (generation.originRequest().isLoop(request.headers())) {
      deliverOwn(Cause.LOOP, 0);
      return;
    }
    generation.classifier().classify(request).match(this);
  }

  @Override
  public ExchangeState refused(Classification.Refused refused) {
    audience = refused.audience();
    deliverOwn(refused.refusal().cause(), 0);
    return state;
  }

  @Override
  public ExchangeState answeredHere(Classification.AnsweredHere answered) {
    move(ExchangeState.DELIVER, Stage.DELIVER);
    reply.options();
    return state;
  }

  @Override
  public ExchangeState classified(Classified known) {
    classified = known;
    audience = known.audience();
    timeline.classified(
        known.route().id(),
        known.effectiveClass().code(),
        known.requestClass().code(),
        known.priority().code());
    reuse(known);
    return state;
  }

  // Reuse.

  private void reuse(Classified known) {
    move(ExchangeState.REUSE, Stage.REUSE);
    context.reuse().seek(known, this);
  }

  @Override
  public boolean mayBoard() {
    return boardings < MOST_BOARDINGS;
  }

  @Override
  public void serve(StoredResponse entry, Reuse how) {
    move(ExchangeState.DELIVER, Stage.DELIVER);
    reply.stored(request, entry, how);
  }

  @Override
  public void follow(Flight underway) {
    board(underway);
  }

  @Override
  public void lead(Flight mine) {
    leads = true;
    board(mine);
    departIfReady();
  }

  @Override
  public void goAlone(BypassReason reason, @Nullable StoredResponse stale) {
    goAlone(Reuse.BYPASS, reason, stale);
  }

  private void goAlone(Reuse how, BypassReason reason, @Nullable StoredResponse stale) {
    Classified known = known();
    timeline.reuse(how, reason);
    ownWhy = reason;
    own = true;
    received = stream.requestBody();
    var errand = new Errand.Own(known, asked(known), received, how, stale);
    lead(new Flight(context, errand, timeline));
  }

  private RequestOut asked(Classified known) {
    OriginRequest maker = context.generation().originRequest();
    return known.permitKind() == PermitKind.UPGRADE
        ? maker.ofHandshake(request, stream.peer())
        : maker.of(request, known.effectiveClass(), stream.peer());
  }

  private Classified known() {
    if (classified == null) {
      throw new IllegalStateException("exchange: " + state + " before it was classified");
    }
    return classified;
  }

  // Aboard.

  private void board(Flight boarded) {
    move(ExchangeState.ABOARD, Stage.ADMIT);
    flight = boarded;
    boardings++;
    boardedNanos = context.now();
    if (!own && arrival == Waiter.NO_ARRIVAL) {
      arrival = context.admissionFor(known().permitKind()).arrival();
    }
    boarded.board(this);
  }

  @Override
  public void ready() {
    isReady = true;
    departIfReady();
  }

  private void departIfReady() {
    if (isReady && leads && state == ExchangeState.ABOARD && flight != null) {
      leads = false;
      flight.depart();
    }
  }

  @Override
  public void halfClosed() {
    if (state == ExchangeState.ABOARD && flight != null) {
      flight.halfClosed(this);
    }
  }

  @Override
  public void cut(Cause cause) {
    stream.abandon(cause);
  }

  @Override
  public void letGo() {
    if (state == ExchangeState.ABOARD) {
      stream.abandon(Cause.CLIENT_LEFT);
    }
  }

  /** Whoever follows a kept body holds up nobody, or is dealt with as a laggard. */
  @Override
  public boolean holdsCapacity() {
    return flight != null && flight.loop() == loop() && flight.isPacedBy(this);
  }

  @Override
  public void leftUnderWay() {
    stream.leftUnderWay();
  }

  @Override
  public void leftEnded() {
    stream.leftEnded();
  }

  @Override
  public Peer peer() {
    return stream.peer();
  }

  @Override
  public Timeline timeline() {
    return timeline;
  }

  @Override
  public Loop loop() {
    return stream.loop();
  }

  @Override
  public RequestHead request() {
    return request;
  }

  @Override
  public Priority priority() {
    return known().priority();
  }

  @Override
  public long boardedNanos() {
    return boardedNanos;
  }

  @Override
  public long arrival() {
    return arrival;
  }

  @Override
  public void interim(ResponseHead head) {
    if (state == ExchangeState.ABOARD) {
      stream.interim(head);
    }
  }

  @Override
  public void landed(Landing landing) {
    if (state != ExchangeState.ABOARD) {
      landing.discard();
      return;
    }
    if (flight != null && flight.loop() == loop()) {
      stage = flight.stage();
    }
    landing.match(this);
  }

  @Override
  public void answered(Landing.Answered answered) {
    if (!own) {
      timeline.reuse(answered.how(), answered.told());
    }
    ResponseHead head = own ? answered.head() : reply.asAsked(request, answered);
    reply.follow(answered.body());
    if (!head.equals(answered.head())) {
      reply.unfollow(true);
      deliver(answered, head, ReadableBody.NONE);
    } else if (answered.how() == Reuse.COLLAPSED) {
      awaitOpening(answered);
    } else {
      deliver(answered, head, answered.body());
    }
  }

  /** Until the first byte is there this client has had nothing, and may board once more. */
  private void awaitOpening(Landing.Answered answered) {
    reply.awaitOpening(
        answered.body(),
        new Opening.Waiting() {
          @Override
          public void opened(ReadableBody body) {
            deliver(answered, answered.head(), body);
          }

          @Override
          public void cutUnopened(Cause cause) {
            cutBeforeFirstByte(cause);
          }
        });
  }

  private void cutBeforeFirstByte(Cause cause) {
    reply.unfollow(false);
    if (flight != null) {
      flight.leave(this, cause);
    }
    if (returned) {
      deliverOwn(cause, 0);
    } else {
      again(Landing.Again.INSTANCE);
    }
  }

  /** PRX-15: from here on nobody looks at the bytes; what is left is to wait for both ends. */
  @Override
  public void switched(Landing.Switched switched) {
    move(ExchangeState.DELIVER, Stage.STREAM);
    received = reply.tunnel(switched, ownWhy);
  }

  @Override
  public void stored(Landing.Stored stored) {
    serve(stored.entry(), stored.how());
  }

  @Override
  public void serverError(Landing.ServerError error) {
    timeline.reuse(Reuse.COLLAPSED, BypassReason.STATUS);
    move(ExchangeState.DELIVER, Stage.DELIVER);
    outcome = Cause.ORIGIN_ERROR;
    reply.originStatus(request, error.status(), audience);
  }

  @Override
  public void shed(Landing.Shed shed) {
    timeline.shed(context.now());
    deliverOwn(shed.cause(), shed.predictedWaitNanos());
  }

  @Override
  public void failed(Landing.Failed failed) {
    deliverOwn(failed.cause(), 0);
  }

  @Override
  public void released(Landing.Released released) {
    leave();
    // It looked and there was nothing to share: a miss, as its lead's is (CCH-35, GTE-19).
    goAlone(Reuse.MISS, released.reason(), null);
  }

  @Override
  public void again(Landing.Again again) {
    leave();
    if (returned) {
      goAlone(BypassReason.BOARDED_BEFORE, null);
    } else {
      returned = true;
      reuse(known());
    }
  }

  @Override
  public void tooLate(Landing.TooLate tooLate) {
    leave();
    reuse(known());
  }

  private void leave() {
    flight = null;
    leads = false;
  }

  // Deliver.

  private void deliver(Landing.Answered answered, ResponseHead head, ReadableBody body) {
    move(ExchangeState.DELIVER, Stage.DELIVER);
    reply.underway(answered, head, body, own ? ownWhy : answered.told(), known().requestClass());
  }

  private void deliverOwn(Cause cause, long predictedWaitNanos) {
    move(ExchangeState.DELIVER, stage);
    outcome = cause;
    reply.own(request, cause, audience, predictedWaitNanos);
  }

  // The end.

  @Override
  public void refused(Cause cause, long bodyBytes) {
    timeline.status(cause.status());
    ended(cause, bodyBytes);
  }

  @Override
  public void ended(Cause cause, long bodyBytes) {
    Flight with = flight;
    if (state == ExchangeState.ABOARD && with != null && with.loop() == loop()) {
      stage = with.stage();
    }
    state = state.to(ExchangeState.ENDED);
    if (cause != Cause.COMPLETE) {
      outcome = cause;
    }
    reply.letGo();
    if (with != null) {
      with.leave(this, cause);
    }
    if (received != null) {
      timeline.received(received.total());
    }
    timeline.ended(context.now(), bodyBytes, Ending.of(stage, outcome));
    context.exchangeEnded(timeline);
  }

  private void move(ExchangeState to, Stage at) {
    state = state.to(to);
    stage = at;
  }
}
