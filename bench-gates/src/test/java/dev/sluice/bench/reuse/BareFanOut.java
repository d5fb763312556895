package dev.sluice.bench.reuse;

import dev.sluice.fixture.FixtureLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The yardstick: the first request's bytes go to the origin, and each piece that comes back goes to
 * every socket that asked meanwhile, as it is. It knows no HTTP, bounds nothing and serves one page
 * at a time. Confined to its one event loop.
 */
final class BareFanOut {

  private static final int ACCEPT_QUEUE = 4_096;

  private final EventLoopGroup loop = FixtureLoops.start(1, "bare-fan-out");
  private final int originPort;
  private final List<Channel> waiting = new ArrayList<>();

  private BareFanOut(int originPort) {
    this.originPort = originPort;
  }

  /** Arguments: the port to listen on, the origin's port. Runs until the process is told to end. */
  public static void main(String... arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    var fanOut = new BareFanOut(Integer.parseInt(arguments[1]));
    Channel listener = fanOut.listen(port);
    System.out.println("listening 127.0.0.1:" + port);
    listener.closeFuture().sync();
  }

  private Channel listen(int port) throws InterruptedException {
    return new ServerBootstrap()
        .group(loop)
        .channel(
            Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, ACCEPT_QUEUE)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Client());
              }
            })
        .bind("127.0.0.1", port)
        .sync()
        .channel();
  }

  private void ask(ByteBuf request) {
    new Bootstrap()
        .group(loop)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Origin());
              }
            })
        .connect("127.0.0.1", originPort)
        .addListener(
            (ChannelFutureListener) connected -> connected.channel().writeAndFlush(request));
  }

  /** One socket that asks. */
  private final class Client extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf request = (ByteBuf) message;
      waiting.add(ctx.channel());
      if (waiting.size() == 1) {
        ask(request);
      } else {
        request.release();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // A client that left with a reset.
      ctx.close();
    }
  }

  /** The origin's answer, which ends with its connection. */
  private final class Origin extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf piece = (ByteBuf) message;
      for (Channel client : waiting) {
        client.writeAndFlush(piece.retainedDuplicate(), client.voidPromise());
      }
      piece.release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      waiting.forEach(Channel::close);
      waiting.clear();
    }
  }
}
