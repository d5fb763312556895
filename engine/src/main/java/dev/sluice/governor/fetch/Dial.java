package dev.sluice.governor.fetch;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One new connection to an upstream: to the address whose turn it is, and to the next where nobody
 * listens, or somebody else does. Confined to its loop.
 */
final class Dial implements OriginConnector.Connected {

  private static final Logger log = LoggerFactory.getLogger(Dial.class);

  private final UpstreamState upstream;
  private final OriginConnector connector;
  private final OriginOwner owner;
  private final OriginConnector.Connected taker;
  private final On on;
  private final List<InetSocketAddress> addresses;
  private @Nullable Introduction introduction;
  private int at;

  /** Where it happens, and by what clock. */
  record On(Loop loop, Ticker ticker) {}

  private Dial(
      UpstreamState upstream,
      OriginConnector connector,
      OriginOwner owner,
      OriginConnector.Connected taker,
      On on) {
    this.upstream = upstream;
    this.connector = connector;
    this.owner = owner;
    this.taker = taker;
    this.on = on;
    this.addresses = upstream.endpoints().inTurn(on.ticker().nanos());
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
      On on) {
    var dial = new Dial(upstream, connector, owner, taker, on);
    if (dial.addresses.isEmpty()) {
      return false;
    }
    dial.connect();
    return true;
  }

  private void connect() {
    Identity identity = upstream.identity();
    introduction = identity == null ? null : new Introduction(identity, upstream, owner, known());
    connector.connect(addresses.get(at), introduction == null ? owner : introduction, this);
  }

  @Override
  public void ready(OriginStream stream) {
    if (introduction == null) {
      taker.ready(stream);
    } else {
      introduction.begin(stream, on.loop());
    }
  }

  private OriginConnector.Connected known() {
    return new OriginConnector.Connected() {
      @Override
      public void ready(OriginStream stream) {
        taker.ready(stream);
      }

      @Override
      public void failed(Cause cause) {
        Dial.this.failed(cause);
      }
    };
  }

  @Override
  public void failed(Cause cause) {
    if (cause == Cause.CONNECTION_REFUSED || cause == Cause.ORIGIN_STRANGER) {
      avoid(addresses.get(at), cause);
      at++;
      if (at < addresses.size()) {
        connect();
        return;
      }
    }
    taker.failed(cause);
  }

  private void avoid(InetSocketAddress address, Cause cause) {
    boolean news = upstream.endpoints().refused(address, on.ticker().nanos());
    if (news && cause == Cause.ORIGIN_STRANGER) {
      log.warn(
          "upstream {}: what answers at {} does not show origin.identity, and gets no request",
          upstream.label(),
          address);
    }
  }
}
