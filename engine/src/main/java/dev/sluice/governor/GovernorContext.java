package dev.sluice.governor;

import dev.sluice.flow.ByteBudget;
import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.fetch.ServiceTimes;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.governor.fetch.attempts.RetryBudget;
import dev.sluice.governor.reuse.VaryMemory;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.governor.reuse.coalesce.FlightTable;
import dev.sluice.governor.reuse.coalesce.UnshareableKeys;
import dev.sluice.time.Suspension;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the governors of all loops share: the generation in force; admission, the store and the
 * flights under way, which outlive generations; and the upstreams. Thread-safe.
 */
public final class GovernorContext {

  private volatile Generation generation;
  private final Ceilings ceilings;
  private final Upstreams upstreams;
  private final ResponseCache cache;
  private final ByteBudget bodyBudget;
  private final FlightTable<CacheKey, Flight> flights = new FlightTable<>();
  private final UnshareableKeys<CacheKey> unshareable;
  private final VaryMemory varied = new VaryMemory();
  private final AtomicInteger refreshes = new AtomicInteger();
  private final ServiceTimes serviceTimes = new ServiceTimes();
  private final RetryBudget retryBudget = new RetryBudget();
  private final Clocks clocks;
  private volatile boolean memoryShort;

  public GovernorContext(
      Generation first, Ceilings ceilings, Upstreams upstreams, Memory memory, Clocks clocks) {
    this.generation = first;
    this.ceilings = ceilings;
    this.upstreams = upstreams;
    this.cache = memory.cache();
    this.bodyBudget = memory.bodies();
    this.unshareable = new UnshareableKeys<>(clocks.ticker());
    this.clocks = clocks;
    retryBudget.enforce(first.fetch().retry(), ticker().nanos());
    upstreams.watch(this::upstreamsChanged);
    upstreamsChanged();
  }

  /** Admission chooses among those in use, or allows in proportion to them (BEY-23). */
  private void upstreamsChanged() {
    ceilings.choose(() -> new UpstreamsInUse(upstreams.rotation()));
  }

  /**
   * Where kept bytes are.
   *
   * @param bodies bounds those of answers under way: shared, spooled, about to be stored
   */
  public record Memory(ResponseCache cache, ByteBudget bodies) {}

  /** What time it is, in three ways. */
  public record Clocks(Ticker ticker, WallClock wall, Suspension suspension) {}

  /** The one in force. */
  public Generation generation() {
    return generation;
  }

  /** From now on, for requests that begin. */
  public void enforce(Generation next) {
    generation = next;
    retryBudget.enforce(next.fetch().retry(), ticker().nanos());
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
      case RENDER -> ceilings.renders();
      case STATIC -> ceilings.statics();
      case STREAMING -> ceilings.streams();
      case UPGRADE -> ceilings.upgrades();
    };
  }

  Upstreams upstreams() {
    return upstreams;
  }

  ResponseCache cache() {
    return cache;
  }

  ByteBudget bodyBudget() {
    return bodyBudget;
  }

  FlightTable<CacheKey, Flight> flights() {
    return flights;
  }

  UnshareableKeys<CacheKey> unshareable() {
    return unshareable;
  }

  VaryMemory varied() {
    return varied;
  }

  /** How many answers under way take further passengers. */
  public int boardableFlights() {
    return flights.size();
  }

  /** How many stored answers are being refreshed in the background. */
  public int openRefreshes() {
    return refreshes.get();
  }

  /** Background refreshes under way. */
  AtomicInteger refreshes() {
    return refreshes;
  }

  ServiceTimes serviceTimes() {
    return serviceTimes;
  }

  /** What all flights' further attempts are paid from. */
  RetryBudget retryBudget() {
    return retryBudget;
  }

  Clocks clocks() {
    return clocks;
  }

  Ticker ticker() {
    return clocks.ticker();
  }
}
