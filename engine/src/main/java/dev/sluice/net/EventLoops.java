package dev.sluice.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process's event loops, one per core by default. Thread-safe. */
public final class EventLoops implements AutoCloseable {

  private static final int QUIET_MILLIS = 0;
  private static final int CLOSE_TIMEOUT_SECONDS = 5;

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
    group
        .shutdownGracefully(QUIET_MILLIS, CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
  }
}
