package dev.sluice.wire.origin;

import dev.sluice.wire.OriginOwner;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Hands the events of an upstream's channel to its {@link OriginConnection}. */
final class OriginHandler extends ChannelInboundHandlerAdapter {

  private final OriginContext context;
  private final OriginOwner owner;
  private final int epoch;
  private OriginConnection connection;

  // connection is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  OriginHandler(OriginContext context, OriginOwner owner, int epoch) {
    this.context = context;
    this.owner = owner;
    this.epoch = epoch;
  }

  /** What the channel carries; once it is registered. */
  OriginConnection connection() {
    return connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = new OriginConnection(ctx, context, owner, epoch);
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
    connection.writabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      connection.inputEnded();
    } else if (event instanceof SslCloseCompletionEvent close) {
      connection.secureEnd(close.isSuccess());
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
