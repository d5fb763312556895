package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;

/** What a channel says to the connection that it carries. Called on its loop. */
interface ChannelEvents {

  /** It is connected; may be said more than once. */
  void opened();

  /** Takes {@code bytes}. */
  void read(ByteBuf bytes);

  /** There is no more to read for now. */
  void readComplete();

  /** The socket takes more. */
  void writable();

  /** The peer closed, or its side of it. */
  void lost();

  void failed(Throwable failure);
}
