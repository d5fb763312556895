package dev.sluice.chaos;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.Toxic;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A line to a port of 127.0.0.1 on which faults can be had. Confined to the gate's thread. */
final class Line implements AutoCloseable {

  private final Proxy proxy;
  private final int port;

  private Line(Proxy proxy) {
    this.proxy = proxy;
    this.port = ToxiproxyServer.port(proxy.getListen());
  }

  static Line to(int port) {
    return new Line(ToxiproxyServer.shared().proxyTo(port));
  }

  /** Where it begins. */
  int port() {
    return port;
  }

  /** From now on, on open connections too. */
  void strike(Change change) {
    change(change);
  }

  /** Without a fault again. */
  void heal() {
    change(
        line -> {
          for (Toxic toxic : line.toxics().getAll()) {
            toxic.remove();
          }
        });
  }

  /** Every connection ends, and no new one is taken. */
  void cut() {
    change(Proxy::disable);
  }

  void restore() {
    change(Proxy::enable);
  }

  @Override
  public void close() {
    change(Proxy::delete);
  }

  /** Something done to the line. */
  interface Change {
    void to(Proxy proxy) throws IOException;
  }

  private void change(Change change) {
    try {
      change.to(proxy);
    } catch (IOException e) {
      throw new UncheckedIOException("line to " + proxy.getUpstream(), e);
    }
  }
}
