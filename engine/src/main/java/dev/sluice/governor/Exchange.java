package dev.sluice.governor;

import dev.sluice.governor.classify.Audience;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.deliver.SyntheticReply;
import dev.sluice.http.HopByHop;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.observe.LoopCounters;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Ending;
import dev.sluice.outcome.Stage;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.RequestEvents;
import org.jspecify.annotations.Nullable;

/**
 * One client's request and its one answer: classify, aboard a flight, deliver. Confined to the
 * event loop of its connection.
 */
final class Exchange implements RequestEvents, Passenger, Classification.Cases<ExchangeState> {

  private final FlightContext context;
  private final ClientStream stream;
  private final RequestHead request;
  private final LoopCounters counters;
  private final Timeline timeline;
  private ExchangeState state = ExchangeState.ACCEPT;
  private Audience audience = Audience.PLAIN;
  private @Nullable Flight flight;
  private Cause outcome = Cause.COMPLETE;
  private Stage stage = Stage.ACCEPT;

  private Exchange(
      FlightContext context, ClientStream stream, RequestHead request, LoopCounters counters) {
    this.context = context;
    this.stream = stream;
    this.request = request;
    this.counters = counters;
    this.timeline = new Timeline(context.now(), context.generation().number());
    timeline.asks(request.method(), request.target().path(), request.target().query());
    timeline.askedBy(stream.peer().address(), stream.peer().scheme());
    counters.exchangeBegan();
  }

  static Exchange begin(
      FlightContext context, ClientStream stream, RequestHead request, LoopCounters counters) {
    var exchange = new Exchange(context, stream, request, counters);
    exchange.classify();
    return exchange;
  }

  // Classify.

  private void classify() {
    state = state.to(ExchangeState.CLASSIFY);
    stage = Stage.CLASSIFY;
    Generation generation = context.generation();
    if (generation.originRequest().isLoop(request.headers())) {
      deliverOwn(Cause.LOOP, 0);
      return;
    }
    Classification classification = generation.classifier().classify(request);
    classification.match(this);
  }

  @Override
  public ExchangeState refused(Classification.Refused refused) {
    audience = refused.audience();
    deliverOwn(refused.refusal().cause(), 0);
    return state;
  }

  @Override
  public ExchangeState answeredHere(Classification.AnsweredHere answered) {
    state = state.to(ExchangeState.DELIVER);
    send(context.generation().replies().forOptions());
    return state;
  }

  @Override
  public ExchangeState classified(Classification.Classified known) {
    audience = known.audience();
    timeline.classified(
        known.route().id(),
        known.effectiveClass().code(),
        known.requestClass().code(),
        known.priority().code());
    state = state.to(ExchangeState.ABOARD);
    flight =
        new Flight(
            context,
            known,
            context.generation().originRequest().of(request, known.effectiveClass(), stream.peer()),
            stream.requestBody(),
            timeline,
            this);
    return state;
  }

  // Aboard.

  @Override
  public void ready() {
    if (state == ExchangeState.ABOARD && flight != null) {
      flight.depart();
    }
  }

  @Override
  public void halfClosed() {
    if (state == ExchangeState.ABOARD && flight != null && flight.isWaiting()) {
      stream.abandon(Cause.CLIENT_LEFT);
    }
  }

  @Override
  public boolean holdsCapacity() {
    return flight != null && flight.holdsPermit();
  }

  @Override
  public void interim(ResponseHead head) {
    stream.interim(head);
  }

  @Override
  public void landed(Landing landing) {
    stage = flight == null ? stage : flight.stage();
    if (landing instanceof Landing.Answered answered) {
      deliver(answered);
    } else if (landing instanceof Landing.Shed shed) {
      deliverOwn(shed.cause(), shed.predictedWaitNanos());
    } else if (landing instanceof Landing.Failed failed) {
      deliverOwn(failed.cause(), 0);
    }
  }

  // Deliver.

  private void deliver(Landing.Answered answered) {
    state = state.to(ExchangeState.DELIVER);
    stage = Stage.DELIVER;
    ResponseHead head = answered.head();
    timeline.status(head.status());
    stream.respond(
        head,
        HopByHop.FIELDS,
        HopByHop.connectionNames(head.headers()),
        context.generation().debugLines(),
        answered.body());
  }

  private void deliverOwn(Cause cause, long predictedWaitNanos) {
    state = state.to(ExchangeState.DELIVER);
    outcome = cause;
    send(
        context
            .generation()
            .replies()
            .forCause(cause, audience, request.isHead(), predictedWaitNanos));
  }

  private void send(SyntheticReply reply) {
    timeline.status(reply.status());
    stream.respond(reply.status(), reply.fields(), reply.body());
  }

  // The end.

  @Override
  public void refused(Cause cause, long bodyBytes) {
    timeline.status(cause.status());
    ended(cause, bodyBytes);
  }

  @Override
  public void ended(Cause cause, long bodyBytes) {
    boolean aboard = state == ExchangeState.ABOARD;
    if (aboard && flight != null) {
      stage = flight.stage();
    }
    state = state.to(ExchangeState.ENDED);
    if (cause != Cause.COMPLETE) {
      outcome = cause;
    }
    if (flight != null) {
      if (cause == Cause.COMPLETE) {
        flight.disembark();
      } else {
        flight.leave(cause);
      }
    }
    timeline.ended(context.now(), bodyBytes, new Ending(stage, outcome));
    counters.exchangeEnded(timeline);
  }
}
