package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;

/** Where the bytes of one direction go next. Confined to the connection's event loop. */
interface Outlet {

  /** Takes these bytes over; after the end they are dropped. */
  void pass(ByteBuf bytes);

  /** No more bytes come. */
  void end();
}
