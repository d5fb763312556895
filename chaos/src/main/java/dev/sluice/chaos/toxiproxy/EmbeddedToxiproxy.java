package dev.sluice.chaos.toxiproxy;

import dev.sluice.fixture.FixtureLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;

/**
 * A server that speaks Toxiproxy's HTTP API: proxies with the toxics latency, bandwidth,
 * slow_close, timeout, reset_peer, slicer and limit_data. One thread serves the API, one the
 * connections. Thread-safe.
 */
public final class EmbeddedToxiproxy implements AutoCloseable {

  private static final int BODY_MAX = 1 << 20;

  private final EventLoopGroup apiLoop;
  private final EventLoopGroup loops;
  private final Channel listener;

  private EmbeddedToxiproxy(EventLoopGroup apiLoop, EventLoopGroup loops, Channel listener) {
    this.apiLoop = apiLoop;
    this.loops = loops;
    this.listener = listener;
  }

  /** Listens for the API on any free port of 127.0.0.1 before it returns. */
  public static EmbeddedToxiproxy start() {
    EventLoopGroup apiLoop = FixtureLoops.start(1, "toxiproxy-api");
    EventLoopGroup loops = FixtureLoops.start(1, "toxiproxy");
    ApiHandler handler = new ApiHandler(new Api(new Proxies(loops)));
    Channel listener =
        new ServerBootstrap()
            .group(apiLoop)
            .channel(
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(), new HttpObjectAggregator(BODY_MAX), handler);
                  }
                })
            .bind("127.0.0.1", 0)
            .syncUninterruptibly()
            .channel();
    return new EmbeddedToxiproxy(apiLoop, loops, listener);
  }

  /** Where its API listens, such as {@code http://127.0.0.1:8474}. */
  public String url() {
    return "http://" + HostPort.text((InetSocketAddress) listener.localAddress());
  }

  /** Closes every listener and connection. */
  @Override
  public void close() {
    FixtureLoops.end(apiLoop);
    FixtureLoops.end(loops);
  }
}
