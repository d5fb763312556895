package dev.sluice.wire.client;

import dev.sluice.net.tls.TlsEnd;
import dev.sluice.wire.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Hands the events of a client's channel to its {@link ClientConnection}. */
public final class ClientHandler extends ChannelInboundHandlerAdapter {

  private final ClientContext context;
  private final Caller caller;
  private ClientConnection connection;
  private boolean opened;

  // connection is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  public ClientHandler(ClientContext context, Caller caller) {
    this.context = context;
    this.caller = caller;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = new ClientConnection(ctx, context, caller);
    if (ctx.channel().isActive()) {
      // Behind a handshake: the channel has been active for a while.
      open();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    open();
  }

  private void open() {
    if (!opened) {
      opened = true;
      connection.opened();
    }
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
    } else if (event == SslCloseCompletionEvent.SUCCESS) {
      closeNotified(ctx);
    }
  }

  /** RFC 8446 6.1: the client sends nothing more; whether it hears us is the engine's matter. */
  private void closeNotified(ChannelHandlerContext ctx) {
    if (TlsEnd.canAnswerBehindClose(ctx.channel()) || connection.isTunnel()) {
      connection.secureEnd();
    } else {
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
