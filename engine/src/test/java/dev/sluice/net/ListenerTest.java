package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.NetSettings.Balance;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ListenerTest {

  private static final int CONNECTIONS_MAX = 3;
  private static final int LOOPS = 2;
  private static final int CLIENTS = 6;
  private static final int VISITS = 300;
  private static final int PATIENCE_MILLIS = 10_000;

  private final EventLoops loops =
      new EventLoops(Transport.of(NetSettings.TransportChoice.AUTO), LOOPS, "test-loop");
  private final Listener listener = new Listener(loops, Balance.LEAST, CONNECTIONS_MAX);

  @AfterEach
  void close() {
    listener.close();
    loops.close();
  }

  /** Connections come and go on two loops about the bound, so that its crossings meet. */
  @Test
  void maxConnections_crossedAgainAndAgain_neverStopsAccepting() throws Exception {
    int port =
        listener.bind(
            new Address("127.0.0.1", 0),
            (channel, loop) -> channel.pipeline().addLast(new Greeter()));

    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(CompletableFuture.runAsync(() -> visit(port, VISITS), ListenerTest::startThread));
    }

    assertThat(clients).allSatisfy(client -> assertThat(client.join()).isNull());
    // Each listening socket gets its share of these.
    visit(port, 20);
  }

  private static void startThread(Runnable task) {
    new Thread(task, "client").start();
  }

  /** One connection after the other, each greeted. */
  private static void visit(int port, int times) {
    for (int i = 0; i < times; i++) {
      try (Socket client = new Socket()) {
        client.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        client.setSoTimeout(PATIENCE_MILLIS);
        assertThat(client.getInputStream().read()).isEqualTo('x');
      } catch (IOException e) {
        throw new AssertionError("not accepted: visit " + i, e);
      }
    }
  }

  /** Says a byte; leaves when the client does. */
  private static final class Greeter extends ChannelInboundHandlerAdapter {

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Channel channel = ctx.channel();
      channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {'x'}));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
