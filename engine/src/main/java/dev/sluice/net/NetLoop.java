package dev.sluice.net;

import dev.sluice.time.Loop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One of the process's event loops: a number, its Netty loop, and how many clients it serves. */
public final class NetLoop implements Loop {

  private final int index;
  private final EventLoop netty;
  private final AtomicInteger connections = new AtomicInteger();

  NetLoop(int index, EventLoop netty) {
    this.index = index;
    this.netty = netty;
  }

  /** From 0; the same for the life of the process. */
  public int index() {
    return index;
  }

  /** For packages that make channels. */
  public EventLoop netty() {
    return netty;
  }

  /** Client connections that live here now; any thread may ask. */
  public int connections() {
    return connections.get();
  }

  void opened() {
    connections.incrementAndGet();
  }

  void closed() {
    connections.decrementAndGet();
  }

  @Override
  public boolean isCurrent() {
    return netty.inEventLoop();
  }

  @Override
  public void execute(Runnable task) {
    netty.execute(task);
  }

  @Override
  public Scheduled schedule(Runnable task, long delayNanos) {
    Future<?> future = netty.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }
}
