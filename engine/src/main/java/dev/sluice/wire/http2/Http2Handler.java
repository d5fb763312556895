package dev.sluice.wire.http2;

import dev.sluice.wire.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.function.Function;

/**
 * Hands the events of a channel to the HTTP/2 connection on it. The channel may be active already,
 * and bytes of the preface may have been read.
 */
public final class Http2Handler extends ChannelInboundHandlerAdapter {

  private final Function<ChannelHandlerContext, ChannelEvents> maker;
  private ChannelEvents connection;

  // connection is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  Http2Handler(Function<ChannelHandlerContext, ChannelEvents> maker) {
    this.maker = maker;
  }

  /** Serves the client at the channel's other end. */
  public static Http2Handler serving(Http2Context context, Caller caller) {
    return new Http2Handler(ctx -> new Http2Connection(ctx, context, caller));
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = maker.apply(ctx);
    if (ctx.channel().isActive()) {
      connection.opened();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    connection.opened();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    connection.read((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    connection.readComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      connection.writable();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
      connection.lost();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    connection.lost();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    connection.failed(failure);
  }
}
