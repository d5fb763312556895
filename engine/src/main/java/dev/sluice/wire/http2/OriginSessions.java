package dev.sluice.wire.http2;

import dev.sluice.net.EventLoops;
import dev.sluice.net.NetLoop;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.WireSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Opens HTTP/2 connections to upstreams on one loop, by prior knowledge (RFC 9113 3.3). Confined to
 * the loop.
 */
public final class OriginSessions implements OriginConnector {

  /** What waits for a slow origin's socket before those who write to it are told to wait. */
  private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

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
    Channel channel = loops.newClient();
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setWriteBufferWaterMark(WINDOW);
    channel.config().setConnectTimeoutMillis((int) settings().originConnect().toMillis());
    loop.netty().register(channel);
    channel
        .connect(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                begin(
                    channel, new OriginSession(this, address, owner, connected, () -> true, false));
              } else {
                channel.close();
                connected.failed(causeOf(done.cause()));
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
    begin(channel, new OriginSession(this, address, owner, connected, current, true));
  }

  private void begin(Channel channel, OriginSession session) {
    channel.config().setOption(ChannelOption.AUTO_CLOSE, true);
    channel.pipeline().addLast(OriginSessionHandler.of(session, settings().maxHeader()));
  }

  private static Cause causeOf(Throwable failure) {
    return failure instanceof ConnectTimeoutException
        ? Cause.CONNECTION_TIMEOUT
        : Cause.CONNECTION_REFUSED;
  }
}
