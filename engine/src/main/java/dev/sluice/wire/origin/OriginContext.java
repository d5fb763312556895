package dev.sluice.wire.origin;

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
import java.util.function.Supplier;

/** Opens connections to upstreams on one loop, and what they share. Confined to the loop. */
public final class OriginContext implements OriginConnector {

  /** What waits for a slow origin's socket before its upload is told to wait. */
  private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  private final EventLoops loops;
  private final NetLoop loop;
  private final Ticker ticker;
  private final Supplier<WireSettings> settings;

  public OriginContext(
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
  public void connect(InetSocketAddress address, OriginOwner owner, Connected connected) {
    Channel channel = loops.newClient();
    var handler = new OriginHandler(this, owner);
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
    channel.config().setWriteBufferWaterMark(WINDOW);
    channel.config().setConnectTimeoutMillis((int) settings().originConnect().toMillis());
    channel.pipeline().addLast(handler);
    loop.netty().register(channel);
    channel
        .connect(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                connected.ready(handler.connection());
              } else {
                channel.close();
                connected.failed(causeOf(done.cause()));
              }
            });
  }

  private static Cause causeOf(Throwable failure) {
    return failure instanceof ConnectTimeoutException
        ? Cause.CONNECTION_TIMEOUT
        : Cause.CONNECTION_REFUSED;
  }
}
