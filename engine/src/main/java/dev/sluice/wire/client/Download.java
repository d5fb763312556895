package dev.sluice.wire.client;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;

/** Writes an answer's body to its client as it comes. Confined to the connection's loop. */
final class Download implements Body.Reader {

  private final ChannelHandlerContext ctx;
  private final ClientRequest request;
  private final ClientAnswer answer;
  private final ClientTimeouts timeouts;
  private @Nullable ReadableBody body;

  Download(
      ChannelHandlerContext ctx,
      ClientRequest request,
      ClientAnswer answer,
      ClientTimeouts timeouts) {
    this.ctx = ctx;
    this.request = request;
    this.answer = answer;
    this.timeouts = timeouts;
  }

  void start(ReadableBody from) {
    body = from;
    from.follow(this);
  }

  /** The client gets no more; what still comes of the body is dropped. */
  void stop() {
    body = null;
  }

  void writable() {
    if (body != null) {
      body.resume();
    }
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (body == null) {
      chunk.release();
      return true;
    }
    return answer.chunk(chunk);
  }

  @Override
  public void flush() {
    ctx.flush();
    timeouts.watch();
  }

  @Override
  public void complete(Trailers trailers) {
    if (body == null) {
      return;
    }
    body = null;
    answer.finish(trailers);
    request.flushAnswer();
  }

  @Override
  public void aborted(Cause cause) {
    if (body == null) {
      return;
    }
    body = null;
    ctx.flush();
    if (answer.endsWithConnection()) {
      // Without length or chunks only a reset tells a cut body from a whole one.
      ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
    request.answerCut(cause);
  }
}
