package dev.sluice;

import dev.sluice.config.Settings;
import dev.sluice.net.tls.Alpn;
import dev.sluice.net.tls.ClientTls;
import dev.sluice.net.tls.ServerTls;
import dev.sluice.net.tls.ServerTlsSettings;
import dev.sluice.net.tls.TlsProvider;
import dev.sluice.time.Ticker;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.accept.HttpListener;
import dev.sluice.wire.dial.Dialer;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** TLS of both sides, as the settings in force say. Thread-safe. */
final class ProxyTls implements AutoCloseable {

  private final Supplier<TlsProvider> provider;
  private final @Nullable ServerTls clients;
  private final ClientTls origins;

  /** The same for what only HTTP/1.1 carries: no other is offered. */
  private final ClientTls upgrades;

  /**
   * Reads the files that the settings name.
   *
   * @throws IOException in one line, where they do not serve
   */
  ProxyTls(Supplier<TlsProvider> provider, Settings settings, Ticker ticker) throws IOException {
    this.provider = provider;
    ServerTlsSettings tls = settings.tls();
    this.clients =
        tls == null
            ? null
            : new ServerTls(provider.get(), tls, HttpListener.protocols(tls.h2()), ticker);
    this.origins = new ClientTls(provider);
    this.upgrades = new ClientTls(provider);
    reload(settings.wire());
  }

  /**
   * From now on, for connections that begin.
   *
   * @throws IOException in one line, where files do not serve
   */
  void reload(Settings next) throws IOException {
    ServerTlsSettings tls = next.tls();
    if (clients != null && tls != null) {
      clients.reload(tls, HttpListener.protocols(tls.h2()));
    }
    reload(next.wire());
  }

  private void reload(WireSettings wire) throws IOException {
    origins.reload(wire.originTls(), Dialer.protocols(wire.originProtocol()));
    upgrades.reload(wire.originTls(), Alpn.ONLY_HTTP_1);
  }

  /** Connections to origins, busy ones too, carry no further request. */
  void endOriginsEpoch() {
    origins.endEpoch();
    upgrades.endEpoch();
  }

  /** Draws other ticket keys where it is time; to be called now and then. */
  void renewTicketKeys() {
    if (clients != null) {
      clients.renewTicketKeys();
    }
  }

  /** Whose engine it is. */
  TlsProvider provider() {
    return provider.get();
  }

  /** What clients shake hands with; null where there is no TLS listener. */
  @Nullable ServerTls clients() {
    return clients;
  }

  ClientTls origins() {
    return origins;
  }

  ClientTls upgrades() {
    return upgrades;
  }

  @Override
  public void close() {
    origins.close();
    upgrades.close();
    if (clients != null) {
      clients.close();
    }
  }
}
