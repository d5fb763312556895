package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.fetch.Fetch;
import dev.sluice.governor.fetch.OriginPool;
import dev.sluice.governor.fetch.ServiceTimes;
import dev.sluice.observe.LoopCounters;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/** What the flights of one loop stand on, under one generation. Confined to the loop. */
final class FlightContext {

  private final GovernorContext governor;
  private final Generation generation;
  private final Loop loop;
  private final OriginPool pool;
  private final LoopCounters counters;

  FlightContext(
      GovernorContext governor,
      Generation generation,
      Loop loop,
      OriginPool pool,
      LoopCounters counters) {
    this.governor = governor;
    this.generation = generation;
    this.loop = loop;
    this.pool = pool;
    this.counters = counters;
  }

  Generation generation() {
    return generation;
  }

  Loop loop() {
    return loop;
  }

  long now() {
    return governor.ticker().nanos();
  }

  /** DEC-38: nearly all of the direct memory is in use. */
  boolean isMemoryShort() {
    return governor.isMemoryShort();
  }

  Admission admissionFor(PermitKind kind) {
    return governor.admissionFor(kind);
  }

  ServiceTimes serviceTimes() {
    return governor.serviceTimes();
  }

  Fetch fetch(RequestOut request, @Nullable Body upload, OriginEvents flight) {
    return new Fetch(pool, governor.upstreams(), request, upload, flight);
  }

  long finishTimeoutNanos() {
    return generation.fetch().finishTimeout().toNanos();
  }

  long discardMax() {
    return generation.fetch().discardMax();
  }

  /** How long the permit of an attempt that we left outlives it (DEC-29); 0 = not at all. */
  long holdNanos(String route) {
    java.time.Duration hold = generation.fetch().abandonHold();
    return hold != null
        ? hold.toNanos()
        : serviceTimes().holdNanos(route, generation.wire().originResponse().toNanos());
  }

  void flightBegan() {
    counters.flightBegan();
  }

  void flightEnded() {
    counters.flightEnded();
  }

  void abandoned(String route) {
    counters.abandoned(route);
  }

  void observeOrigin(Fetch fetch, Cause cause, long nanos) {
    counters.originEnded(fetch.upstreamLabel(), cause, nanos);
  }
}
