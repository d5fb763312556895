package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Future;

/** What a toxic at work may do with its connection. Confined to the connection's event loop. */
interface Site extends Outlet {

  /** Lets these bytes go nowhere. */
  void drop(ByteBuf bytes);

  /** Closes both sides with RST, at once. */
  void reset();

  /** Runs the task on the event loop after so many nanoseconds. */
  Future<?> after(long nanos, Runnable task);

  /** The event loop's monotonic clock. */
  long nanos();
}
