package dev.sluice.net;

import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.NetSettings.Balance;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts client connections and hands each to a loop (DEC-37); those of all its addresses count to
 * one bound. With epoll every loop has a listening socket of its own on each port; elsewhere one
 * socket serves all.
 */
public final class Listener {

  /**
   * What a connection's outbound buffer holds before its writer is told to wait: the relay window.
   */
  private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  private static final int BACKLOG = 4096;
  private static final Logger log = LoggerFactory.getLogger(Listener.class);

  /**
   * Told of each accepted connection, before it is registered with the loop that it is given to; on
   * the loop of the listening socket.
   */
  public interface Setup {
    /** Adds handlers to {@code channel}'s pipeline. */
    void accepted(Channel channel, NetLoop loop);
  }

  private final EventLoops loops;
  private final Balance balance;
  private final int maxConnections;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Channel> servers = new CopyOnWriteArrayList<>();

  /** Nothing is bound yet. */
  public Listener(EventLoops loops, Balance balance, int maxConnections) {
    this.loops = loops;
    this.balance = balance;
    this.maxConnections = maxConnections;
  }

  /**
   * Binds and starts to accept; returns the port, which is the kernel's choice for port 0. Every
   * connection to it is set up by {@code setup}.
   *
   * @throws BindFailure in one line: the address is in use, not ours, or not allowed
   */
  public int bind(Address address, Setup setup) throws BindFailure {
    var socket = new InetSocketAddress(address.host(), address.port());
    if (socket.isUnresolved()) {
      throw new BindFailure("cannot listen on " + address.label() + ": unknown host", null);
    }
    probe(socket, address);
    int count = loops.transport().sharesPorts() ? loops.all().size() : 1;
    for (int i = 0; i < count; i++) {
      Channel server = bindOn(loops.all().get(i), socket, address, setup);
      servers.add(server);
      socket = (InetSocketAddress) server.localAddress();
    }
    return socket.getPort();
  }

  /** Client connections that are open now. */
  public int connections() {
    return connections.get();
  }

  /** Stops accepting; what is in the accept queues is accepted first. Blocks until it is closed. */
  public void close() {
    for (Channel server : servers) {
      server.eventLoop().submit(() -> closeDry(server)).awaitUninterruptibly();
      server.closeFuture().awaitUninterruptibly();
    }
  }

  /**
   * With SO_REUSEPORT a second process binds silently, so each address is bound once without it.
   */
  private static void probe(InetSocketAddress socket, Address address) throws BindFailure {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(socket);
    } catch (IOException e) {
      throw failure(address, e);
    }
  }

  private Channel bindOn(NetLoop loop, InetSocketAddress socket, Address address, Setup setup)
      throws BindFailure {
    Channel server = loops.transport().newServer();
    server.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
    server.config().setOption(ChannelOption.SO_REUSEADDR, true);
    if (loops.transport().sharesPorts()) {
      server.config().setOption(EpollChannelOption.SO_REUSEPORT, true);
    }
    server.pipeline().addLast(new Acceptor(loop, setup));
    loop.netty().register(server).awaitUninterruptibly();
    ChannelFuture bound = server.bind(socket).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      server.close();
      throw failure(address, bound.cause());
    }
    return server;
  }

  static BindFailure failure(Address address, Throwable cause) {
    String why = String.valueOf(cause.getMessage());
    String hint = why.contains("in use") ? "; another process listens there (see: ss -ltnp)" : "";
    return new BindFailure("cannot listen on " + address.label() + ": " + why + hint, cause);
  }

  private static void closeDry(Channel server) {
    // One more read event empties the accept queue before the socket goes.
    server.read();
    server.eventLoop().execute(server::close);
  }

  private NetLoop loopFor(NetLoop acceptedOn) {
    if (balance == Balance.REUSEPORT && loops.transport().sharesPorts()) {
      return acceptedOn;
    }
    NetLoop least = acceptedOn;
    for (NetLoop candidate : loops.all()) {
      if (candidate.connections() < least.connections()) {
        least = candidate;
      }
    }
    return least;
  }

  private void closed(NetLoop loop) {
    loop.closed();
    if (connections.decrementAndGet() == maxConnections - 1) {
      log.info("accepting again: fewer than {} connections", maxConnections);
      judgeRoomSoon();
    }
  }

  private void opened(NetLoop loop) {
    loop.opened();
    if (connections.incrementAndGet() == maxConnections) {
      log.warn("server.max_connections reached ({}): new connections wait", maxConnections);
      judgeRoomSoon();
    }
  }

  /**
   * After each crossing of the bound every listening socket looks at the count on its own loop, so
   * whatever crossings meet, the last look is behind the last crossing. A socket may accept one
   * connection more before it looks.
   */
  private void judgeRoomSoon() {
    for (Channel server : servers) {
      if (server.eventLoop().inEventLoop()) {
        judgeRoom(server);
      } else {
        judgeRoomOnItsLoop(server);
      }
    }
  }

  private void judgeRoomOnItsLoop(Channel server) {
    try {
      server.eventLoop().execute(() -> judgeRoom(server));
    } catch (RejectedExecutionException ended) {
      // Its loop is over, and accepts nobody any more.
      log.debug("no look for room on {}", server.localAddress());
    }
  }

  private void judgeRoom(Channel server) {
    if (server.isOpen()) {
      server.config().setAutoRead(connections.get() < maxConnections);
    }
  }

  /** Confined to the loop of its listening socket. */
  private final class Acceptor extends ChannelInboundHandlerAdapter {

    private final NetLoop home;
    private final Setup setup;

    Acceptor(NetLoop home, Setup setup) {
      this.home = home;
      this.setup = setup;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (!(message instanceof Channel channel)) {
        ReferenceCountUtil.release(message);
        return;
      }
      NetLoop loop = loopFor(home);
      opened(loop);
      channel.closeFuture().addListener(future -> closed(loop));
      channel.config().setOption(ChannelOption.TCP_NODELAY, true);
      channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
      channel.config().setWriteBufferWaterMark(WINDOW);
      loops.transport().boundUnsentBytes(channel);
      setup.accepted(channel, loop);
      loop.netty()
          .register(channel)
          .addListener(
              registered -> {
                if (!registered.isSuccess()) {
                  channel.unsafe().closeForcibly();
                }
              });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // Out of descriptors: pause for a moment rather than spin on the accept queue.
      log.warn("accept failed on {}: {}", ctx.channel().localAddress(), cause.toString());
      ctx.channel().config().setAutoRead(false);
      ctx.executor().schedule(() -> judgeRoom(ctx.channel()), 1, TimeUnit.SECONDS);
    }
  }
}
