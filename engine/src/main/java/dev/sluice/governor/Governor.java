package dev.sluice.governor;

import dev.sluice.governor.fetch.OriginPool;
import dev.sluice.http.RequestHead;
import dev.sluice.observe.LoopCounters;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Ending;
import dev.sluice.outcome.Protocol;
import dev.sluice.outcome.Stage;
import dev.sluice.time.Loop;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestEvents;
import dev.sluice.wire.RequestSink;

/** Begins an exchange for each request that wire hands it on one loop. Confined to the loop. */
public final class Governor implements RequestSink {

  private final GovernorContext shared;
  private final Loop loop;
  private final OriginPool pool;
  private final LoopCounters counters;
  private FlightContext flights;

  public Governor(GovernorContext shared, Loop loop, OriginPool pool, LoopCounters counters) {
    this.shared = shared;
    this.loop = loop;
    this.pool = pool;
    this.counters = counters;
    this.flights = new FlightContext(shared, shared.generation(), loop, pool, counters);
  }

  @Override
  public RequestEvents begin(ClientStream stream, RequestHead head) {
    Generation current = shared.generation();
    if (flights.generation().number() != current.number()) {
      flights = new FlightContext(shared, current, loop, pool, counters);
    }
    return Exchange.begin(flights, stream, head);
  }

  @Override
  public void refused(Peer peer, Protocol protocol, Cause cause, long bodyBytes) {
    var timeline = new Timeline(shared.ticker().nanos(), shared.generation().number());
    timeline.askedBy(peer.address(), peer.scheme(), protocol);
    timeline.status(cause.status());
    timeline.ended(shared.ticker().nanos(), bodyBytes, Ending.of(Stage.ACCEPT, cause));
    counters.record(timeline);
  }
}
