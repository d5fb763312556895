package dev.sluice.wire.http2;

import dev.sluice.net.EventLoops;
import dev.sluice.net.NetLoop;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.http2.OriginSession.Target;
import dev.sluice.wire.origin.OriginSocket;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Opens HTTP/2 connections to upstreams on one loop, by prior knowledge (RFC 9113 3.3). Confined to
 * the loop.
 */
public final class OriginSessions implements OriginConnector {

  private final EventLoops loops;
  private final NetLoop loop;
  private final Ticker ticker;
  private final Supplier<WireSettings> settings;

  public OriginSessions(
      EventLoops loops, NetLoop loop, Ticker ticker, Supplier<WireSettings> settings) {
    this.loops = loops;
    this.loop = loop;
    this.ticker = ticker;
    this.settings = settings;
  }

  Loop loop() {
    return loop;
  }

  Ticker ticker() {
    return ticker;
  }

  WireSettings settings() {
    return settings.get();
  }

  @Override
  public boolean sharesConnections() {
    return true;
  }

  @Override
  public void connect(InetSocketAddress address, OriginOwner owner, Connected connected) {
    Channel channel = OriginSocket.open(loops, settings());
    loop.netty().register(channel);
    channel
        .connect(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                begin(channel, new Target(address, owner, () -> true, false), connected);
              } else {
                channel.close();
                connected.failed(OriginSocket.causeOf(done.cause()));
              }
            });
  }

  /**
   * Speaks HTTP/2 on a channel that is connected, behind its TLS; as long as {@code current}, for
   * then on new attempts go out under another policy.
   */
  public void beginSecure(
      Channel channel,
      InetSocketAddress address,
      OriginOwner owner,
      Connected connected,
      BooleanSupplier current) {
    begin(channel, new Target(address, owner, current, true), connected);
  }

  private void begin(Channel channel, Target target, Connected connected) {
    channel.config().setOption(ChannelOption.AUTO_CLOSE, true);
    channel
        .pipeline()
        .addLast(new Http2Handler(ctx -> new OriginSession(ctx, this, target, connected)));
  }
}
