package dev.sluice.net;

import org.jspecify.annotations.Nullable;

/**
 * Listeners and event loops. Immutable; a reload may not change it (DEC-19).
 *
 * @param tlsListen the TLS listener beside {@code listen}; null = none
 * @param proxyProtocol whether each connection to {@code listen} begins with a PROXY header
 * @param eventLoops at least 1, as resolved from 0 = one per core
 * @param maxConnections client connections, as resolved from {@code auto} (DEC-37)
 */
public record NetSettings(
    Address listen,
    @Nullable Address tlsListen,
    boolean proxyProtocol,
    int eventLoops,
    Balance balance,
    TransportChoice transport,
    int maxConnections) {

  /** The same for connections that begin with their request. */
  public NetSettings withoutProxyProtocol() {
    return new NetSettings(
        listen, tlsListen, false, eventLoops, balance, transport, maxConnections);
  }

  /** An address to bind: an IP literal without brackets (or a name that resolves), and a port. */
  public record Address(String host, int port) {

    /** As written: {@code host:port}, IPv6 in brackets. */
    public String label() {
      return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    @Override
    public String toString() {
      return label();
    }
  }

  /** Which loop an accepted connection goes to (DEC-37). */
  public enum Balance {
    /** The loop with the fewest connections. */
    LEAST,
    /** The loop that the kernel chose. */
    REUSEPORT
  }

  /** Which Netty transport is asked for. */
  public enum TransportChoice {
    /** epoll where it loads, NIO elsewhere. */
    AUTO,
    EPOLL,
    NIO
  }
}
