package dev.sluice.governor.fetch;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the process knows of one upstream: its address and its counts. Thread-safe. */
public final class UpstreamState {

  private final FetchSettings.Upstream upstream;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile @Nullable InetSocketAddress address;

  UpstreamState(FetchSettings.Upstream upstream) {
    this.upstream = upstream;
  }

  /** As configured: {@code host:port}. */
  public String label() {
    return upstream.label();
  }

  String host() {
    return upstream.host();
  }

  int port() {
    return upstream.port();
  }

  /** Open connections of the whole process, those under way included. */
  public int connections() {
    return connections.get();
  }

  /** Attempts under way. */
  public int inFlight() {
    return inFlight.get();
  }

  boolean isLiteral() {
    char last = upstream.host().charAt(upstream.host().length() - 1);
    return upstream.host().indexOf(':') >= 0 || Character.isDigit(last);
  }

  @Nullable InetSocketAddress address() {
    return address;
  }

  void resolved(InetSocketAddress found) {
    address = found;
  }

  /** Counts a connection to be opened; false: {@code max} are open, 0 is no bound. */
  boolean open(int max) {
    if (connections.incrementAndGet() > max && max > 0) {
      connections.decrementAndGet();
      return false;
    }
    return true;
  }

  void closed() {
    connections.decrementAndGet();
  }

  void began() {
    inFlight.incrementAndGet();
  }

  void ended() {
    inFlight.decrementAndGet();
  }
}
