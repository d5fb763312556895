package dev.sluice.governor.fetch;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one upstream's name. New connections go to them in turn; one that refused of
 * late comes behind the others, so that a dead address, or {@code ::1} of an application that
 * listens on {@code 127.0.0.1} alone, does not cost every other connection a detour. Thread-safe.
 */
final class Endpoints {

  /** How long one that refused is asked last. */
  private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A name with more is no pool any more. */
  private static final int MOST = 64;

  private final AtomicInteger turn = new AtomicInteger();
  private volatile List<Endpoint> all = List.of();

  /** One address, and when it last refused. */
  private static final class Endpoint {
    private final InetSocketAddress address;
    private volatile @Nullable Long refusedNanos;

    Endpoint(InetSocketAddress address) {
      this.address = address;
    }

    boolean isAvoided(long now) {
      Long refused = refusedNanos;
      return refused != null && now - refused < AVOID_NANOS;
    }
  }

  /** All of them, in the order in which they became known. */
  List<InetSocketAddress> all() {
    return all.stream().map(endpoint -> endpoint.address).toList();
  }

  boolean has(InetSocketAddress address) {
    return find(address) != null;
  }

  /** The order in which a new connection is to try them; empty where there is none. */
  List<InetSocketAddress> inTurn(long now) {
    List<Endpoint> current = all;
    if (current.size() == 1) {
      return List.of(current.get(0).address);
    }
    List<InetSocketAddress> first = new ArrayList<>(current.size());
    List<InetSocketAddress> last = new ArrayList<>();
    int start = turn.getAndIncrement();
    for (int i = 0; i < current.size(); i++) {
      Endpoint endpoint = current.get(Math.floorMod(start + i, current.size()));
      (endpoint.isAvoided(now) ? last : first).add(endpoint.address);
    }
    first.addAll(last);
    return first;
  }

  /** Nobody listens there now, or somebody else; whether that is news. */
  boolean refused(InetSocketAddress address, long now) {
    Endpoint endpoint = find(address);
    if (endpoint == null) {
      return false;
    }
    boolean news = !endpoint.isAvoided(now);
    endpoint.refusedNanos = now;
    return news;
  }

  /** The name means these now; whether that is another set than before. The resolver's thread. */
  boolean replace(List<InetSocketAddress> found) {
    List<Endpoint> next = new ArrayList<>();
    for (Endpoint endpoint : all) {
      if (found.contains(endpoint.address)) {
        next.add(endpoint);
      }
    }
    boolean same = next.size() == all.size();
    for (InetSocketAddress address : found) {
      if (find(address) == null && next.size() < MOST) {
        next.add(new Endpoint(address));
        same = false;
      }
    }
    all = List.copyOf(next);
    return !same;
  }

  private @Nullable Endpoint find(InetSocketAddress address) {
    for (Endpoint endpoint : all) {
      if (endpoint.address.equals(address)) {
        return endpoint;
      }
    }
    return null;
  }
}
