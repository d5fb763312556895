package dev.sluice.wire.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/** Hands the events of a client's channel to its {@link ClientConnection}. */
public final class ClientHandler extends ChannelInboundHandlerAdapter {

  private final ClientContext context;
  private ClientConnection connection;

  // connection is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  public ClientHandler(ClientContext context) {
    this.context = context;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = new ClientConnection(ctx, context);
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
    if (event instanceof ChannelInputShutdownEvent) {
      connection.inputEnded();
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
