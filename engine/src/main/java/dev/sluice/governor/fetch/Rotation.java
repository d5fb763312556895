package dev.sluice.governor.fetch;

import dev.sluice.time.Ticker;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The upstreams that are in use at one moment, and the choice among them: those that are healthy
 * and not ejected. Where that leaves nobody, or more are ejected than may be, ejection is ignored
 * (ORG-16); where nobody is healthy, health is too, because refusing would make the outage certain
 * (ORG-08). Immutable.
 */
public final class Rotation {

  private final UpstreamState[] inUse;
  private final List<String> labels;
  private final int configured;
  private final Balance balance;
  private final Ticker ticker;
  private final int maxConnections;
  private final Those everybody;

  /** Those that a connection can be had to at once. */
  private final Those connectable;

  private Rotation(
      List<UpstreamState> inUse,
      int configured,
      int maxConnections,
      Balance balance,
      Ticker ticker) {
    this.inUse = inUse.toArray(new UpstreamState[0]);
    this.labels = inUse.stream().map(UpstreamState::label).collect(Collectors.toUnmodifiableList());
    this.configured = configured;
    this.maxConnections = maxConnections;
    this.balance = balance;
    this.ticker = ticker;
    this.everybody = new Those(this.inUse, state -> true);
    this.connectable =
        new Those(this.inUse, state -> state.idle() > 0 || state.connections() < maxConnections);
  }

  static Rotation of(
      List<UpstreamState> configured, FetchSettings settings, Balance balance, Ticker ticker) {
    List<UpstreamState> healthy = configured.stream().filter(UpstreamState::isHealthy).toList();
    List<UpstreamState> able = healthy.isEmpty() ? configured : healthy;
    long ejected = configured.stream().filter(UpstreamState::isEjected).count();
    if (ejected * 100 <= (long) settings.maxEjectedPercent() * configured.size()) {
      List<UpstreamState> working = able.stream().filter(state -> !state.isEjected()).toList();
      able = working.isEmpty() ? able : working;
    }
    return new Rotation(able, configured.size(), settings.maxConnections(), balance, ticker);
  }

  /** The labels of those in use; a place in this list is a place here. */
  public List<String> labels() {
    return labels;
  }

  /** How many are configured, in use or not. */
  public int configured() {
    return configured;
  }

  /** Whether flights go to {@code upstream} now. */
  public boolean uses(UpstreamState upstream) {
    for (UpstreamState state : inUse) {
      if (state == upstream) {
        return true;
      }
    }
    return false;
  }

  /** What is asked for, as a number; 0 where it does not matter. */
  public long affinity(String path) {
    return balance.readsPath() && inUse.length > 1 ? HashByPath.hash(path) : 0;
  }

  /**
   * The next for who asks for {@code affinity}: one with room for a connection, if there is one
   * (DEC-37).
   */
  public UpstreamState choose(long affinity) {
    if (inUse.length == 1) {
      return inUse[0];
    }
    int at = maxConnections == 0 ? Balance.NONE : choose(affinity, connectable);
    if (at == Balance.NONE) {
      at = choose(affinity, everybody);
    }
    return inUse[at];
  }

  /** The same among those not in {@code excluded}; null where they are all. */
  public @Nullable UpstreamState choose(long affinity, List<UpstreamState> excluded) {
    int at = choose(affinity, new Those(inUse, state -> !excluded.contains(state)));
    return at == Balance.NONE ? null : inUse[at];
  }

  /** The choice for somebody who counts himself what is in flight; one for each who does. */
  public ByCharges byCharges() {
    return new ByCharges();
  }

  private int choose(long affinity, Balance.Candidates among) {
    return balance.choose(affinity, balance.readsClock() ? ticker.nanos() : 0, among);
  }

  /** The units in flight at each place, as somebody counts them. */
  public interface Charges {
    int used(int at);

    boolean hasRoom(int at);
  }

  /** A choice by charges. For one thread at a time; it makes no object. */
  public final class ByCharges implements Balance.Candidates {

    private @Nullable Charges charges;

    private ByCharges() {}

    /** The place of one that has room, or -1. */
    public int choose(long affinity, Charges now) {
      charges = now;
      return Rotation.this.choose(affinity, this);
    }

    @Override
    public int size() {
      return inUse.length;
    }

    @Override
    public boolean isEligible(int at) {
      return charges != null && charges.hasRoom(at);
    }

    @Override
    public long seed(int at) {
      return inUse[at].seed();
    }

    @Override
    public int inFlight(int at) {
      return charges == null ? 0 : charges.used(at);
    }

    @Override
    public long latencyNanos(int at, long nowNanos) {
      return inUse[at].latencyNanos(nowNanos);
    }
  }

  /** Those in use as they are, of which {@code eligible} may be chosen. */
  private record Those(UpstreamState[] inUse, Predicate<UpstreamState> eligible)
      implements Balance.Candidates {

    @Override
    public int size() {
      return inUse.length;
    }

    @Override
    public boolean isEligible(int at) {
      return eligible.test(inUse[at]);
    }

    @Override
    public long seed(int at) {
      return inUse[at].seed();
    }

    @Override
    public int inFlight(int at) {
      return inUse[at].inFlight();
    }

    @Override
    public long latencyNanos(int at, long nowNanos) {
      return inUse[at].latencyNanos(nowNanos);
    }
  }
}
