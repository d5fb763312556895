package dev.sluice.wire.origin;

import dev.sluice.net.EventLoops;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.WireSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.WriteBufferWaterMark;

/** How a socket to an upstream is set up, whatever is spoken on it. Stateless. */
public final class OriginSocket {

  /** What waits for a slow origin's socket before those who write to it are told to wait. */
  private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  private OriginSocket() {}

  /** One that is neither registered nor connected yet. */
  public static Channel open(EventLoops loops, WireSettings settings) {
    Channel channel = loops.newClient();
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setWriteBufferWaterMark(WINDOW);
    channel.config().setConnectTimeoutMillis((int) settings.originConnect().toMillis());
    return channel;
  }

  /** Why it did not connect. */
  public static Cause causeOf(Throwable failure) {
    return failure instanceof ConnectTimeoutException
        ? Cause.CONNECTION_TIMEOUT
        : Cause.CONNECTION_REFUSED;
  }
}
