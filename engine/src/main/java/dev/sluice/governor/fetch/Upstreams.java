package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.attempts.BreakerSettings;
import dev.sluice.time.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The origin's upstreams, shared by all loops: which are configured, which of them are in use, and
 * who is next. An upstream that a reload keeps keeps its state. Thread-safe.
 */
public final class Upstreams implements AutoCloseable {

  private final Ticker ticker;
  private final Addresses addresses;
  private final AtomicInteger idle = new AtomicInteger();
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private final Object changing = new Object();

  // Guarded by changing; the volatile ones are written under it.
  private FetchSettings settings;
  private Balance balance;
  private volatile List<UpstreamState> configured = List.of();
  private List<UpstreamState> leaving = List.of();
  private volatile Rotation rotation;

  /** Resolves the names once before it returns; one that has no address yet is no error. */
  public Upstreams(FetchSettings settings, Ticker ticker, Names names) {
    this.ticker = ticker;
    this.settings = settings;
    this.balance = balanceOf(settings.loadBalancing());
    this.addresses = new Addresses(names);
    synchronized (changing) {
      configured = statesOf(settings);
      rotation = Rotation.of(configured, settings, balance, ticker);
    }
    followBreakers();
    addresses.follow(configured);
  }

  /** A new list and a new way to choose; what is under way goes on where it is. */
  public void reload(FetchSettings next) {
    synchronized (changing) {
      if (next.loadBalancing() != settings.loadBalancing()) {
        balance = balanceOf(next.loadBalancing());
      }
      settings = next;
      configured = statesOf(next);
    }
    followBreakers();
    addresses.follow(configured);
    changed();
    addresses.changed();
  }

  /** Tells {@code watcher} of each change, behind it, on the thread that made it. */
  public void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  /** Those in use now. */
  public Rotation rotation() {
    return rotation;
  }

  /** Those configured, in the order of the configuration. */
  public List<UpstreamState> all() {
    return configured;
  }

  /** Those configured, and behind them those that a reload took and that have connections yet. */
  public List<UpstreamState> listed() {
    synchronized (changing) {
      List<UpstreamState> listed = new ArrayList<>(configured);
      listed.addAll(stillLeaving());
      return listed;
    }
  }

  private List<UpstreamState> stillLeaving() {
    return leaving.stream().filter(state -> state.connections() > 0).toList();
  }

  /** The configured one of this label; null where there is none. */
  public @Nullable UpstreamState find(String label) {
    for (UpstreamState state : configured) {
      if (state.label().equals(label)) {
        return state;
      }
    }
    return null;
  }

  /** Idle connections of the whole process. */
  AtomicInteger idle() {
    return idle;
  }

  /**
   * Tells {@code watcher} when connections may lead to where no upstream is any more; on any
   * thread.
   */
  public void watchAddresses(Runnable watcher) {
    addresses.watch(watcher);
  }

  /** How names become addresses. */
  Addresses addresses() {
    return addresses;
  }

  @Override
  public void close() {
    addresses.close();
  }

  private void followBreakers() {
    BreakerSettings breakers = settings().breaker();
    for (UpstreamState state : configured) {
      if (state.breaker().enforce(breakers, ticker.nanos())) {
        state.followBreaker();
      }
    }
  }

  private FetchSettings settings() {
    synchronized (changing) {
      return settings;
    }
  }

  private void changed() {
    synchronized (changing) {
      rotation = Rotation.of(configured, settings, balance, ticker);
    }
    watchers.forEach(Runnable::run);
  }

  /** The states of those in {@code next}; one that leaves or is back keeps its own. */
  private List<UpstreamState> statesOf(FetchSettings next) {
    Map<String, UpstreamState> known = new LinkedHashMap<>();
    stillLeaving().forEach(state -> known.put(state.label(), state));
    configured.forEach(state -> known.put(state.label(), state));
    List<UpstreamState> states = new ArrayList<>();
    for (FetchSettings.Upstream upstream : next.upstreams()) {
      UpstreamState kept = known.remove(upstream.label());
      UpstreamState state = kept == null ? new UpstreamState(upstream, this::changed) : kept;
      state.removed(false);
      state.identity(next.identity());
      states.add(state);
    }
    known.values().forEach(state -> state.removed(true));
    leaving = List.copyOf(known.values());
    return List.copyOf(states);
  }

  private static Balance balanceOf(FetchSettings.LoadBalancing choice) {
    return switch (choice) {
      case ROUND_ROBIN -> new RoundRobin();
      case HASH_BY_PATH -> new HashByPath();
      case LEAST_LOADED -> new LeastLoaded();
    };
  }
}
