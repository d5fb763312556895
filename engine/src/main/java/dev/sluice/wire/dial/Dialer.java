package dev.sluice.wire.dial;

import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginProtocol;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.http2.OriginSessions;
import dev.sluice.wire.origin.OriginContext;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Opens connections to upstreams on one loop in the protocol that the settings name. Confined to
 * the loop.
 */
public final class Dialer implements OriginConnector {

  private final OriginContext http1;
  private final OriginSessions http2;
  private final Supplier<WireSettings> settings;

  public Dialer(OriginContext http1, OriginSessions http2, Supplier<WireSettings> settings) {
    this.http1 = http1;
    this.http2 = http2;
    this.settings = settings;
  }

  @Override
  public void connect(InetSocketAddress address, OriginOwner owner, Connected connected) {
    by().connect(address, owner, connected);
  }

  @Override
  public OriginConnector forUpgrades() {
    return http1;
  }

  @Override
  public boolean sharesConnections() {
    return by().sharesConnections();
  }

  private OriginConnector by() {
    return settings.get().originProtocol() == OriginProtocol.HTTP2 ? http2 : http1;
  }
}
