package dev.sluice.governor.fetch;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The origin's pool of addresses, shared by all loops: who is next, and how many connections each
 * has. Names are resolved on a thread of their own, again and again, and the last good answer
 * stays. Thread-safe.
 */
public final class Upstreams implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Upstreams.class);
  private static final Duration RESOLVE_EVERY = Duration.ofSeconds(5);

  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger idle = new AtomicInteger();
  private final ScheduledExecutorService resolver =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var thread = new Thread(task, "sluice-resolver");
            thread.setDaemon(true);
            return thread;
          });
  private volatile List<UpstreamState> states = List.of();

  /** Resolves the names once before it returns; one that has no address yet is no error. */
  public Upstreams(FetchSettings settings) {
    reload(settings);
    boolean named = states.stream().anyMatch(state -> !state.isLiteral());
    if (named) {
      long millis = RESOLVE_EVERY.toMillis();
      resolver.scheduleWithFixedDelay(
          () -> states.forEach(Upstreams::resolve), millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  /** A new list; an upstream that stays keeps its counts. */
  public void reload(FetchSettings settings) {
    Map<String, UpstreamState> known = new LinkedHashMap<>();
    states.forEach(state -> known.put(state.label(), state));
    var next = new ArrayList<UpstreamState>();
    for (FetchSettings.Upstream upstream : settings.upstreams()) {
      UpstreamState state =
          known.computeIfAbsent(upstream.label(), label -> new UpstreamState(upstream));
      if (state.address() == null) {
        resolve(state);
      }
      next.add(state);
    }
    states = List.copyOf(next);
  }

  /** The next in turn (ORG-02). */
  UpstreamState next() {
    List<UpstreamState> all = states;
    return all.size() == 1
        ? all.get(0)
        : all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
  }

  /** In the order of the configuration. */
  public List<UpstreamState> all() {
    return states;
  }

  /** Idle connections of the whole process. */
  AtomicInteger idle() {
    return idle;
  }

  @Override
  public void close() {
    resolver.shutdownNow();
  }

  private static void resolve(UpstreamState state) {
    try {
      state.resolved(new InetSocketAddress(InetAddress.getByName(state.host()), state.port()));
    } catch (UnknownHostException e) {
      log.warn("upstream {} has no address: {}", state.label(), e.getMessage());
    }
  }
}
