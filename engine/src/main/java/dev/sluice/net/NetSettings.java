package dev.sluice.net;

/**
 * Listener and event loops. Immutable; a reload may not change it (DEC-19).
 *
 * @param eventLoops at least 1, as resolved from 0 = one per core
 * @param maxConnections client connections, as resolved from {@code auto} (DEC-37)
 */
public record NetSettings(
    Address listen,
    int eventLoops,
    Balance balance,
    TransportChoice transport,
    int maxConnections) {

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
