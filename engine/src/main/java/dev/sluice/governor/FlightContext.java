package dev.sluice.governor;

import dev.sluice.flow.ByteBudget;
import dev.sluice.flow.KeptLimits;
import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.fetch.Asking;
import dev.sluice.governor.fetch.Destination;
import dev.sluice.governor.fetch.Fetch;
import dev.sluice.governor.fetch.OriginPool;
import dev.sluice.governor.fetch.ServiceTimes;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.http.Framing;
import dev.sluice.observe.LoopCounters;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.RetryOutcome;
import dev.sluice.time.Loop;
import dev.sluice.wire.OriginEvents;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** What the flights of one loop stand on, under one generation. Confined to the loop. */
final class FlightContext {

  private final GovernorContext governor;
  private final Generation generation;
  private final Loop loop;
  private final Fetch.Means means;
  private final LoopCounters counters;
  private final ReuseStep reuse;

  FlightContext(
      GovernorContext governor,
      Generation generation,
      Loop loop,
      OriginPool pool,
      LoopCounters counters) {
    this.governor = governor;
    this.generation = generation;
    this.loop = loop;
    this.means =
        new Fetch.Means(
            pool,
            governor.retryBudget(),
            generation.fetch().retry(),
            () -> ThreadLocalRandom.current().nextLong());
    this.counters = counters;
    this.reuse = new ReuseStep(this, governor);
  }

  Generation generation() {
    return generation;
  }

  Loop loop() {
    return loop;
  }

  /** Whether the deployment has changed since, so that nothing is kept under its keys (CCH-29). */
  boolean isOfAnotherDeployment() {
    String inForce = governor.generation().reuse().deploymentId();
    return !generation.reuse().deploymentId().equals(inForce);
  }

  /** Answers that exist or are on their way. */
  ReuseStep reuse() {
    return reuse;
  }

  long now() {
    return governor.ticker().nanos();
  }

  long epochMillis() {
    return governor.clocks().wall().epochMillis();
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

  Upstreams upstreams() {
    return governor.upstreams();
  }

  Fetch fetch(Destination where, Asking asking, OriginEvents flight) {
    return new Fetch(means, where, asking, flight);
  }

  long finishTimeoutNanos() {
    return generation.fetch().finishTimeout().toNanos();
  }

  long discardMax() {
    return generation.fetch().discardMax();
  }

  /** How long the permit of an attempt that we left outlives it (DEC-29); 0 = not at all. */
  long holdNanos(String route) {
    Duration hold = generation.fetch().abandonHold();
    return hold != null
        ? hold.toNanos()
        : serviceTimes().holdNanos(route, generation.wire().originResponse().toNanos());
  }

  // Bodies that are kept.

  ByteBudget bodyBudget() {
    return governor.bodyBudget();
  }

  KeptLimits keptLimits(long bodyMax, Framing framing) {
    long expected = framing instanceof Framing.Length length ? length.bytes() : -1;
    return new KeptLimits(
        bodyMax, generation.reuse().coalesce().laggardGrace().toNanos(), expected, discardMax());
  }

  int maxPassengers() {
    return generation.reuse().coalesce().maxWaiters();
  }

  /** DEC-35: from boarding to the head, at most. */
  long boardingMaxNanos(long queueTimeoutNanos) {
    Duration set = generation.reuse().coalesce().boardingMax();
    if (set != null) {
      return set.toNanos();
    }
    Duration attempt =
        generation
            .wire()
            .originConnect()
            .multipliedBy(generation.fetch().identity() == null ? 2 : 3)
            .plus(generation.wire().originResponse());
    int attempts = generation.fetch().retry().mostAttempts();
    return queueTimeoutNanos + attempt.multipliedBy(attempts).plusSeconds(1).toNanos();
  }

  // Counters.

  void flightBegan() {
    counters.flightBegan();
  }

  void exchangeBegan() {
    counters.exchangeBegan();
  }

  void exchangeEnded(Timeline timeline) {
    counters.exchangeEnded(timeline);
  }

  void flightEnded() {
    counters.flightEnded();
  }

  void abandoned(String route) {
    counters.abandoned(route);
  }

  void notKept(String route, BypassReason reason) {
    counters.notKept(route, reason);
  }

  void observeOrigin(String upstream, Cause cause, long nanos) {
    counters.originEnded(upstream, cause, nanos);
  }

  void retried(RetryOutcome outcome) {
    counters.retried(outcome);
  }
}
