package dev.sluice.governor;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.fetch.ServiceTimes;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.time.Ticker;

/**
 * What the governors of all loops share: the generation in force, admission, which outlives
 * generations, and the upstreams. Thread-safe.
 */
public final class GovernorContext {

  private volatile Generation generation;
  private final Admission renders;
  private final Admission statics;
  private final Admission streams;
  private final Upstreams upstreams;
  private final ServiceTimes serviceTimes = new ServiceTimes();
  private final Ticker ticker;
  private volatile boolean memoryShort;

  public GovernorContext(Generation first, Ceilings ceilings, Upstreams upstreams, Ticker ticker) {
    this.generation = first;
    this.renders = ceilings.renders();
    this.statics = ceilings.statics();
    this.streams = ceilings.streams();
    this.upstreams = upstreams;
    this.ticker = ticker;
  }

  /**
   * The ceilings of the three kinds of permits.
   *
   * @param renders the origin's work, the one with tiers, routes and a queue
   * @param statics class static's (DEC-33)
   * @param streams class streaming's
   */
  public record Ceilings(Admission renders, Admission statics, Admission streams) {}

  /** The one in force. */
  public Generation generation() {
    return generation;
  }

  /** From now on, for requests that begin. */
  public void enforce(Generation next) {
    generation = next;
  }

  /** Whether new flights are shed for want of memory, from now on. */
  public void memoryShort(boolean isShort) {
    memoryShort = isShort;
  }

  boolean isMemoryShort() {
    return memoryShort;
  }

  Admission admissionFor(PermitKind kind) {
    return switch (kind) {
      case RENDER -> renders;
      case STATIC -> statics;
      case STREAMING -> streams;
    };
  }

  Upstreams upstreams() {
    return upstreams;
  }

  ServiceTimes serviceTimes() {
    return serviceTimes;
  }

  Ticker ticker() {
    return ticker;
  }
}
