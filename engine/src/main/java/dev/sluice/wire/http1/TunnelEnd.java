package dev.sluice.wire.http1;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.Trailers;
import dev.sluice.net.tls.TlsEnd;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection as one end of a tunnel: its bytes are a body for the other end, whose body is
 * written to it. A FIN ends one direction and leaves the other; back-pressure is the bodies'.
 * Confined to the connection's loop.
 */
public final class TunnelEnd implements Body.Source, Body.Reader {

  /** Whose connection it is. */
  public interface Owner {

    /** So many bytes came in. */
    void came(int bytes);

    /** So many bytes were written to the channel. */
    void wrote(int bytes);

    /** What was written is on its way; some of it may wait for the socket. */
    void flushed();

    /** Both directions have ended, and the last byte was sent. */
    void over();

    /** The other end broke off. */
    void cut(Cause cause);
  }

  /** What is held before the other end listens. */
  private static final int WINDOW = 64 * 1024;

  private final ChannelHandlerContext ctx;
  private final Owner owner;
  private final Body input = new Body(this, WINDOW, null);
  private @Nullable ReadableBody output;
  private boolean inputOver;
  private boolean outputOver;
  private boolean closed;

  public TunnelEnd(ChannelHandlerContext ctx, Owner owner) {
    this.ctx = ctx;
    this.owner = owner;
  }

  /** What comes in. */
  public Body input() {
    return input;
  }

  /** What is to go out. Once. */
  public void follow(ReadableBody other) {
    if (closed) {
      other.desert();
      return;
    }
    output = other;
    other.follow(this);
  }

  // What the channel says.

  /** Takes {@code bytes}. */
  public void read(ByteBuf bytes) {
    owner.came(bytes.readableBytes());
    if (!input.append(bytes)) {
      ctx.channel().config().setAutoRead(false);
    }
  }

  public void readComplete() {
    input.flush();
  }

  /**
   * The peer's FIN. False where it is no end: behind TLS that is said by close_notify, and a FIN
   * alone may be anybody's (RFC 8446 6.1).
   */
  public boolean finCame() {
    if (!inputOver && TlsEnd.isSecure(ctx.channel())) {
      return false;
    }
    inputEnded();
    return true;
  }

  /** The peer has said its last. */
  public void inputEnded() {
    if (!inputOver && !closed) {
      inputOver = true;
      input.complete(Trailers.NONE);
      endIfOver();
    }
  }

  public void writable() {
    if (output != null) {
      output.resume();
    }
  }

  /** The connection is gone, for {@code cause}, and with it the tunnel. */
  public void close(Cause cause) {
    ReadableBody unread = output;
    closed = true;
    output = null;
    input.abort(cause);
    if (unread != null) {
      unread.desert();
    }
  }

  // What the other end says.

  @Override
  public void resume() {
    if (!closed && !inputOver) {
      ctx.channel().config().setAutoRead(true);
    }
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (closed) {
      chunk.release();
      return true;
    }
    int bytes = chunk.readableBytes();
    ctx.write(chunk, ctx.voidPromise());
    owner.wrote(bytes);
    return ctx.channel().isWritable();
  }

  @Override
  public void flush() {
    if (!closed) {
      ctx.flush();
      owner.flushed();
    }
  }

  @Override
  public void complete(Trailers trailers) {
    output = null;
    if (closed) {
      return;
    }
    // Shutting the output drops what waits for the socket: the FIN goes behind it.
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            sent -> {
              if (sent.isSuccess()) {
                outputEnded();
              } else {
                outputGone();
              }
            });
    owner.flushed();
  }

  private void outputEnded() {
    if (closed || !(ctx.channel() instanceof DuplexChannel duplex)) {
      return;
    }
    outputOver = true;
    if (!inputOver) {
      TlsEnd.shutdownOutput(duplex);
    }
    endIfOver();
  }

  /** Nothing can be written any more, a close_notify neither: that direction is over as well. */
  private void outputGone() {
    if (!closed) {
      outputOver = true;
      endIfOver();
    }
  }

  @Override
  public void aborted(Cause cause) {
    output = null;
    if (!closed) {
      ctx.flush();
      owner.cut(cause);
    }
  }

  private void endIfOver() {
    if (inputOver && outputOver) {
      owner.over();
    }
  }
}
