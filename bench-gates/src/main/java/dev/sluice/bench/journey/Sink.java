package dev.sluice.bench.journey;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** The head of a pipeline without a socket: counts what is written, and lets it go. */
public final class Sink extends ChannelOutboundHandlerAdapter {

  private long bytes;

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf written = (ByteBuf) message;
    bytes += written.readableBytes();
    written.release();
    promise.trySuccess();
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    // There is no socket.
  }

  /** What was written so far. */
  public long bytes() {
    return bytes;
  }
}
