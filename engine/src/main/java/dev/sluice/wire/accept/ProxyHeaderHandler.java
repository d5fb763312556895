package dev.sluice.wire.accept;

import dev.sluice.net.LazyTimer;
import dev.sluice.net.ProxyHeader;
import dev.sluice.net.ProxyHeader.Broken;
import dev.sluice.net.ProxyHeader.Source;
import dev.sluice.net.ProxyHeader.Whole;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Takes the PROXY header off the front of a connection; without a sound one in time the connection
 * is closed (FIELD_CASES T03). Then it takes itself out of the pipeline. Confined to the channel's
 * loop.
 */
final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter {

  /** What becomes of it: one of the two, once. */
  interface Outcome {
    /** The header came; what is behind it goes to the handlers that are added now. */
    void told(ChannelHandlerContext ctx, Source source);

    /** None came, and the connection is closed. */
    void refused(String why);
  }

  private final LazyTimer timer;
  private final long timeoutNanos;
  private final Outcome outcome;
  private @Nullable ByteBuf in;
  private boolean over;
  private ChannelHandlerContext context;

  // context is set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  ProxyHeaderHandler(Loop loop, Ticker ticker, long timeoutNanos, Outcome outcome) {
    this.timer = new LazyTimer(loop, ticker, () -> refuse("no PROXY header in time"));
    this.timeoutNanos = timeoutNanos;
    this.outcome = outcome;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    timer.in(timeoutNanos);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    var bytes = (ByteBuf) message;
    if (over) {
      bytes.release();
      return;
    }
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    ProxyHeader.Reading reading = ProxyHeader.read(in);
    if (reading instanceof Whole whole) {
      begin(ctx, whole.source());
    } else if (reading instanceof Broken broken) {
      refuse(broken.why());
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      refuse("closed in the PROXY header");
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    refuse("closed in the PROXY header");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    refuse(failure.toString());
  }

  private void begin(ChannelHandlerContext ctx, Source source) {
    ByteBuf rest = in;
    in = null;
    over = true;
    timer.close();
    outcome.told(ctx, source);
    if (rest != null && rest.isReadable()) {
      ctx.fireChannelRead(rest);
    } else if (rest != null) {
      rest.release();
    }
    ctx.pipeline().remove(this);
  }

  private void refuse(String why) {
    if (over) {
      return;
    }
    over = true;
    timer.close();
    if (in != null) {
      in.release();
      in = null;
    }
    outcome.refused(why);
    context.close();
  }
}
