package dev.sluice.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process's event loops, one per core by default. Thread-safe. */
public final class EventLoops implements AutoCloseable {

  private static final int CLOSE_TIMEOUT_SECONDS = 5;

  private static final int QUIET_NANOS = 1;

  private final Transport transport;
  private final MultiThreadIoEventLoopGroup group;
  private final List<NetLoop> loops;

  /** Starts {@code count} loops. */
  public EventLoops(Transport transport, int count, String threadName) {
    this.transport = transport;
    this.group =
        new MultiThreadIoEventLoopGroup(
            count, new DefaultThreadFactory(threadName, true), transport.ioHandler());
    var made = new ArrayList<NetLoop>(count);
    for (var executor : group) {
      made.add(new NetLoop(made.size(), (EventLoop) executor));
    }
    this.loops = List.copyOf(made);
  }

  /** In order of their index. */
  public List<NetLoop> all() {
    return loops;
  }

  /** The kind of sockets that live here. */
  public Transport transport() {
    return transport;
  }

  /** A socket that is not connected yet. */
  public Channel newClient() {
    return transport.newClient();
  }

  /** Ends the loops; their channels are closed first. Blocks a few seconds at most. */
  @Override
  public void close() {
    end(group, CLOSE_TIMEOUT_SECONDS);
  }

  /**
   * Closes what lives on the loops of {@code group}, then ends them; blocks {@code seconds} and one
   * more at most. Netty alone may end a loop that is in the middle of a round without closing its
   * channels, with all their buffers. A shutdown hook and a quiet period of more than nothing make
   * it go one more round, and the round closes them.
   */
  static void end(EventLoopGroup group, int seconds) {
    for (EventExecutor loop : group) {
      if (!loop.isShuttingDown()) {
        ((SingleThreadEventExecutor) loop).addShutdownHook(() -> {});
      }
    }
    group
        .shutdownGracefully(QUIET_NANOS, TimeUnit.SECONDS.toNanos(seconds), TimeUnit.NANOSECONDS)
        .awaitUninterruptibly(seconds + 1L, TimeUnit.SECONDS);
  }
}
