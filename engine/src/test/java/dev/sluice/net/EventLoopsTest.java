package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EventLoopsTest {

  private static final int ROUNDS = 20;

  /** A loop that never rests is told to end in the middle of a round nearly every time. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void close_busyLoop_closesItsChannelsFirst(Transport transport) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var loops = new EventLoops(transport, 1, "test-loop");
      EventLoop loop = loops.all().get(0).netty();
      var watch = new Watch();
      int port = listen(transport, loop, watch);
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(watch.opened.await(10, TimeUnit.SECONDS)).isTrue();
        loop.execute(() -> stayBusy(loop));

        loops.close();

        assertThat(watch.closed).hasValue(1);
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  private static void stayBusy(EventLoop loop) {
    if (!loop.isShuttingDown()) {
      loop.execute(() -> stayBusy(loop));
    }
  }

  private static int listen(Transport transport, EventLoop loop, Watch watch) throws IOException {
    Channel listener =
        new ServerBootstrap()
            .group(loop)
            .channelFactory(transport::newServer)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(watch);
                  }
                })
            .bind("127.0.0.1", 0)
            .syncUninterruptibly()
            .channel();
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  private static final class Watch extends ChannelInboundHandlerAdapter {
    final CountDownLatch opened = new CountDownLatch(1);
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      opened.countDown();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      closed.incrementAndGet();
    }
  }
}
