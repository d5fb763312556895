package dev.sluice.net.tls;

import dev.sluice.net.LazyTimer;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.concurrent.TimeUnit;

/**
 * Waits, behind the TLS handler of a channel, for the handshake's end, then takes itself out of the
 * pipeline; no other handler sees the channel before. Confined to the channel's loop.
 */
public final class HandshakeGate extends ChannelInboundHandlerAdapter {

  /** What becomes of the handshake: one of the two, once. */
  public interface Outcome {
    /**
     * It is done; what the peer sends next is clear text for the handlers that are added now.
     *
     * @param protocol as agreed on by ALPN; HTTP/1.1 where nothing was
     */
    void shaken(ChannelHandlerContext ctx, String protocol);

    /** It failed; the channel is closed, or about to be. */
    void failed(TlsFault fault);
  }

  private final LazyTimer timer;
  private final long timeoutNanos;
  private final Outcome outcome;
  private ChannelHandlerContext context;
  private boolean over;

  // context is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  public HandshakeGate(Loop loop, Ticker ticker, long timeoutNanos, Outcome outcome) {
    this.timer = new LazyTimer(loop, ticker, this::due);
    this.timeoutNanos = timeoutNanos;
    this.outcome = outcome;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    timer.in(timeoutNanos);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent done) {
      if (done.isSuccess()) {
        shaken(ctx);
      } else {
        fail(TlsFault.of(done.cause()));
      }
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail(new TlsFault(TlsFault.Kind.CLOSED, "closed in the handshake"));
    ctx.fireChannelInactive();
  }

  /** What failed is told by the handshake's end, which comes first. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    fail(TlsFault.of(failure));
    ctx.close();
  }

  private void shaken(ChannelHandlerContext ctx) {
    if (over) {
      return;
    }
    over = true;
    timer.close();
    String agreed = ctx.pipeline().get(SslHandler.class).applicationProtocol();
    outcome.shaken(ctx, agreed == null ? Alpn.HTTP_1 : agreed);
    ctx.pipeline().remove(this);
  }

  private void fail(TlsFault fault) {
    if (!over) {
      over = true;
      timer.close();
      outcome.failed(fault);
    }
  }

  private void due() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(timeoutNanos);
    fail(new TlsFault(TlsFault.Kind.TIMEOUT, "no end of the handshake in " + seconds + " s"));
    TlsEnd.cut(context.channel());
  }
}
