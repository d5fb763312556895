package dev.sluice.wire.dial;

import dev.sluice.net.tls.Alpn;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginProtocol;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.http2.OriginSessions;
import dev.sluice.wire.origin.OriginContext;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens connections to upstreams on one loop in the protocol that the settings name: over clear
 * text by prior knowledge, over TLS by ALPN (ORG-25 to ORG-27). Confined to the loop.
 */
public final class Dialer implements OriginConnector, OriginContext.Negotiation {

  private final OriginContext http1;
  private final OriginSessions http2;
  private final OriginContext negotiated;
  private final Supplier<WireSettings> settings;

  /** What ALPN agreed on last, where it may be either: upstreams are alike. */
  private boolean lastWasHttp1;

  /**
   * One loop's.
   *
   * @param http1 speaks nothing else, over TLS or not
   * @param negotiated makes what asks this one about the outcome of ALPN
   */
  public Dialer(
      OriginContext http1,
      OriginSessions http2,
      Function<OriginContext.Negotiation, OriginContext> negotiated,
      Supplier<WireSettings> settings) {
    this.http1 = http1;
    this.http2 = http2;
    this.negotiated = negotiated.apply(this);
    this.settings = settings;
  }

  /** What is offered in a handshake with an upstream, the preferred first. */
  public static List<String> protocols(OriginProtocol version) {
    return switch (version) {
      case HTTP1 -> Alpn.ONLY_HTTP_1;
      case HTTP2 -> List.of(Alpn.HTTP_2);
      case AUTO -> Alpn.BOTH;
    };
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
    return switch (settings.get().originProtocol()) {
      case HTTP1 -> false;
      case HTTP2 -> true;
      case AUTO -> !lastWasHttp1;
    };
  }

  private OriginConnector by() {
    WireSettings now = settings.get();
    if (now.originProtocol() == OriginProtocol.HTTP1) {
      return http1;
    }
    return now.originTls() == null ? http2 : negotiated;
  }

  // What ALPN agreed on.

  @Override
  public boolean takesHttp1() {
    lastWasHttp1 = true;
    return settings.get().originProtocol() == OriginProtocol.AUTO;
  }

  @Override
  public void http2(
      Channel channel,
      InetSocketAddress address,
      OriginOwner owner,
      Connected connected,
      BooleanSupplier current) {
    lastWasHttp1 = false;
    http2.beginSecure(channel, address, owner, connected, current);
  }
}
