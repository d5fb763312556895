package dev.sluice.wire.http1;

import dev.sluice.flow.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/** Writes a body to a connection, in the chunked coding or as it is. Confined to one loop. */
public final class BodyEncoder {

  private final ChannelHandlerContext ctx;
  private boolean chunked;
  private boolean discard;
  private long bytes;

  public BodyEncoder(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** A new message; {@code discards}: it has no body whatever comes. */
  public void start(boolean isChunked, boolean discards) {
    chunked = isChunked;
    discard = discards;
    bytes = 0;
  }

  /** So many bytes of body were written with the head. */
  public void wrote(int length) {
    bytes += length;
  }

  /** Takes {@code chunk}. */
  public void write(ByteBuf chunk) {
    int length = chunk.readableBytes();
    if (discard || length == 0) {
      chunk.release();
      return;
    }
    bytes += length;
    if (chunked) {
      ByteBuf size = ctx.alloc().ioBuffer(16);
      io.netty.buffer.ByteBufUtil.writeAscii(size, Integer.toHexString(length));
      size.writeShort(Heads.CRLF);
      put(size);
      put(chunk);
      ByteBuf end = ctx.alloc().ioBuffer(2);
      end.writeShort(Heads.CRLF);
      put(end);
    } else {
      put(chunk);
    }
  }

  /** Bytes that were written elsewhere. */
  public void counted(int length) {
    bytes += length;
  }

  public void finish(Trailers trailers) {
    if (chunked && !discard) {
      ByteBuf end = ctx.alloc().ioBuffer(5 + trailers.lines().length);
      end.writeByte('0').writeShort(Heads.CRLF);
      end.writeBytes(trailers.lines());
      end.writeShort(Heads.CRLF);
      put(end);
    }
  }

  /** Body bytes written since {@link #start}, without framing. */
  public long bytes() {
    return bytes;
  }

  private void put(ByteBuf buffer) {
    ctx.write(buffer, ctx.voidPromise());
  }
}
