package dev.sluice.governor.fetch;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes addresses of the upstreams' names, again and again, on a thread of its own: the JDK's
 * resolver blocks. A name that does not resolve keeps the addresses that it had (H12). Thread-safe.
 */
final class Addresses implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Addresses.class);

  /** The JDK tells no name's own time to live, so this is everybody's. */
  private static final long EVERY_MILLIS = TimeUnit.SECONDS.toMillis(5);

  /** A start or a reload waits this long for names that never resolved, all of them together. */
  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(5);

  private final Names names;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var made = new Thread(task, "sluice-resolver");
            made.setDaemon(true);
            return made;
          });
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private volatile List<UpstreamState> followed = List.of();
  private boolean repeating;

  /** Names that do not resolve now. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  Addresses(Names names) {
    this.names = names;
  }

  /** Tells {@code watcher} when addresses or upstreams have come or gone. */
  void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  /** From now on these, looked up at once; waits a while where one has no address yet. */
  synchronized void follow(List<UpstreamState> upstreams) {
    followed = upstreams;
    upstreams.stream().filter(UpstreamState::isLiteral).forEach(this::resolve);
    if (upstreams.stream().allMatch(UpstreamState::isLiteral)) {
      return;
    }
    Future<?> looking = thread.submit(this::look);
    if (upstreams.stream().anyMatch(state -> state.addresses().isEmpty())) {
      await(looking);
    }
    if (!repeating) {
      repeating = true;
      later();
    }
  }

  /** Runs {@code task} behind the look that is under way, if one is. */
  void afterLook(Runnable task) {
    thread.execute(task);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void look() {
    boolean changed = false;
    for (UpstreamState upstream : followed) {
      changed |= !upstream.isLiteral() && resolve(upstream);
    }
    if (changed) {
      changed();
    }
  }

  /** Connections may lead to where no upstream is any more. */
  void changed() {
    watchers.forEach(Runnable::run);
  }

  private void later() {
    long jitter = ThreadLocalRandom.current().nextLong(EVERY_MILLIS / 5) - EVERY_MILLIS / 10;
    var unused =
        thread.schedule(
            () -> {
              look();
              later();
            },
            EVERY_MILLIS + jitter,
            TimeUnit.MILLISECONDS);
  }

  private static void await(Future<?> resolving) {
    try {
      resolving.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.warn("names of upstreams are still being resolved after {} ms", PATIENCE_MILLIS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("resolver: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether its addresses are others than before. */
  private boolean resolve(UpstreamState upstream) {
    try {
      List<InetSocketAddress> found =
          names.resolve(upstream.host()).stream()
              .map(address -> new InetSocketAddress(address, upstream.port()))
              .toList();
      if (failing.remove(upstream.label())) {
        log.info("upstream {} resolves again", upstream.label());
      }
      return upstream.resolved(found);
    } catch (UnknownHostException e) {
      if (failing.add(upstream.label())) {
        log.warn(
            "upstream {} does not resolve ({}); {} addresses of before stay in use",
            upstream.label(),
            e.getMessage(),
            upstream.addresses().size());
      }
      return false;
    }
  }
}
