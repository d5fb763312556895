package dev.sluice.wire.origin;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.http1.BodyEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** Writes a request's body to an upstream as it comes. Confined to the connection's loop. */
final class Upload implements Body.Reader {

  private final ChannelHandlerContext ctx;
  private final RequestWriter writer;
  private final BodyEncoder encoder;
  private @Nullable Body body;

  Upload(ChannelHandlerContext ctx, RequestWriter writer) {
    this.ctx = ctx;
    this.writer = writer;
    this.encoder = new BodyEncoder(ctx);
  }

  void start(Body from, boolean chunked) {
    body = from;
    encoder.start(chunked, false);
    from.follow(this);
  }

  boolean isActive() {
    return body != null;
  }

  /** Nobody at the other end reads on: what still comes of the body is dropped. */
  void stop() {
    if (body != null) {
      Body dropped = body;
      body = null;
      dropped.desert();
    }
  }

  void writable() {
    if (body != null) {
      body.resume();
    }
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    writer.uploadMoved();
    encoder.write(chunk);
    return ctx.channel().isWritable();
  }

  @Override
  public void flush() {
    ctx.flush();
  }

  @Override
  public void complete(Trailers trailers) {
    body = null;
    encoder.finish(trailers);
    ctx.flush();
    writer.written();
  }

  @Override
  public void aborted(Cause cause) {
    body = null;
    writer.uploadAborted(cause);
  }
}
