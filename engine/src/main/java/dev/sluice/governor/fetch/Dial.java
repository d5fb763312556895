package dev.sluice.governor.fetch;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * One new connection to an upstream: to the address whose turn it is, and to the next where nobody
 * listens. Confined to its loop.
 */
final class Dial implements OriginConnector.Connected {

  private final OriginConnector connector;
  private final Endpoints endpoints;
  private final OriginOwner owner;
  private final OriginConnector.Connected taker;
  private final Ticker ticker;
  private final List<InetSocketAddress> addresses;
  private int at;

  private Dial(
      OriginConnector connector,
      Endpoints endpoints,
      OriginOwner owner,
      OriginConnector.Connected taker,
      Ticker ticker) {
    this.connector = connector;
    this.endpoints = endpoints;
    this.owner = owner;
    this.taker = taker;
    this.ticker = ticker;
    this.addresses = endpoints.inTurn(ticker.nanos());
  }

  /**
   * Connects; one of {@code taker}'s callbacks follows. False where the upstream has no address
   * yet, and then none does.
   */
  static boolean to(
      UpstreamState upstream,
      OriginConnector connector,
      OriginOwner owner,
      OriginConnector.Connected taker,
      Ticker ticker) {
    var dial = new Dial(connector, upstream.endpoints(), owner, taker, ticker);
    if (dial.addresses.isEmpty()) {
      return false;
    }
    dial.connect();
    return true;
  }

  private void connect() {
    connector.connect(addresses.get(at), owner, this);
  }

  @Override
  public void ready(OriginStream stream) {
    taker.ready(stream);
  }

  @Override
  public void failed(Cause cause) {
    if (cause == Cause.CONNECTION_REFUSED) {
      endpoints.refused(addresses.get(at), ticker.nanos());
      at++;
      if (at < addresses.size()) {
        connect();
        return;
      }
    }
    taker.failed(cause);
  }
}
