package dev.sluice.wire.accept;

import dev.sluice.net.LazyTimer;
import dev.sluice.wire.Caller;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientHandler;
import dev.sluice.wire.client.ServedConnection;
import dev.sluice.wire.http2.Http2Context;
import dev.sluice.wire.http2.Http2Handler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a cleartext connection's first bytes: the preface of HTTP/2 (RFC 9113 3.3), a wrong one,
 * or requests of HTTP/1.1, which get theirs as they came. It steps aside with the first byte that
 * tells. Confined to the connection's loop.
 */
final class PrefaceHandler extends ChannelInboundHandlerAdapter implements ServedConnection {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Http2Context context;
  private final Caller caller;
  private final LazyTimer timer;
  private @Nullable ChannelHandlerContext ctx;
  private @Nullable ByteBuf seen;

  PrefaceHandler(Http2Context context, Caller caller) {
    this.context = context;
    this.caller = caller;
    ClientContext client = context.client();
    this.timer = new LazyTimer(client.loop(), client.ticker(), this::kill);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    ctx = added;
    context.client().opened(this);
    timer.in(context.client().settings().clientHeader().toNanos());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    ByteBuf all =
        seen == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), seen, bytes);
    seen = all;
    int length = Math.min(PREFACE.length, all.readableBytes());
    for (int i = 0; i < length; i++) {
      if (all.getByte(all.readerIndex() + i) != PREFACE[i]) {
        stepAside(
            ctx,
            isHttp1(all)
                ? new ClientHandler(context.client(), caller)
                : Http2Handler.serving(context, caller));
        return;
      }
    }
    if (length == PREFACE.length) {
      stepAside(ctx, Http2Handler.serving(context, caller));
    }
  }

  /**
   * Whether a first line that is none of the preface may be a request's. Three words that do not
   * end in a version of HTTP are a wrong preface, and are told so in frames (RFC 9113 3.4).
   */
  private static boolean isHttp1(ByteBuf bytes) {
    int length = Math.max(0, bytes.bytesBefore((byte) '\n'));
    String line = bytes.toString(bytes.readerIndex(), length, StandardCharsets.ISO_8859_1);
    int version = line.lastIndexOf(' ') + 1;
    boolean threeWords = line.indexOf(' ') < version - 1;
    return !threeWords || line.startsWith("HTTP/", version);
  }

  private void stepAside(ChannelHandlerContext ctx, ChannelHandler to) {
    ByteBuf first = seen;
    seen = null;
    leave();
    var pipeline = ctx.pipeline();
    pipeline.addAfter(ctx.name(), null, to);
    if (first != null) {
      ctx.fireChannelRead(first);
    }
    pipeline.remove(this);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      kill();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    kill();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    kill();
  }

  @Override
  public void drain() {
    if (seen == null) {
      kill();
    }
  }

  @Override
  public void kill() {
    if (seen != null) {
      seen.release();
      seen = null;
    }
    leave();
    if (ctx != null) {
      ctx.close();
    }
  }

  private void leave() {
    timer.close();
    context.client().closed(this);
  }
}
