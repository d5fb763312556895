package dev.sluice.chaos.toxiproxy;

import java.net.InetSocketAddress;

/** An address as the API writes it. Immutable. */
record HostPort(String host, int port) {

  private static final int PORT_MAX = 65_535;

  /**
   * Reads {@code host:port}; an empty text is any free port of every address.
   *
   * @throws ApiFailure if it is no such thing
   */
  static HostPort parse(String text) {
    if (text.isEmpty()) {
      return new HostPort("", 0);
    }
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > PORT_MAX) {
      throw ApiFailure.failed("address " + text + ": expected host:port");
    }
    String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
    return new HostPort(host, Integer.parseInt(port));
  }

  InetSocketAddress resolved() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
