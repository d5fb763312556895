package dev.sluice.wire.origin;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.net.LazyTimer;
import dev.sluice.net.tls.TlsEnd;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 connection to an upstream, from its owner and back or to its close: one attempt at a
 * time, never a pipelined one, so an answer can belong to one request only (RFC 9112 9.2). {@link
 * RequestWriter} writes the request, {@link ResponseReader} reads the answer. Confined to its event
 * loop.
 */
final class OriginConnection implements OriginStream {

  private enum State {
    /** With its owner; any byte that comes is a reason to close. */
    IDLE,
    /** An attempt is under way. */
    ASKED,
    /** It is a tunnel, and its owner's no more. */
    SWITCHED,
    CLOSED
  }

  private static final Logger log = LoggerFactory.getLogger(OriginConnection.class);

  private final ChannelHandlerContext ctx;
  private final OriginContext context;
  private final OriginOwner owner;
  private final int epoch;
  private final LazyTimer timer;
  private final RequestWriter writer;
  private final ResponseReader reader;
  private State state = State.IDLE;
  private boolean reused;
  private long idleSinceNanos;
  private boolean awaitsContinue;
  private boolean outputFailed;
  private boolean inputFailed;
  private @Nullable OriginEvents events;
  private @Nullable OriginTunnel tunnel;

  OriginConnection(ChannelHandlerContext ctx, OriginContext context, OriginOwner owner, int epoch) {
    this.ctx = ctx;
    this.context = context;
    this.owner = owner;
    this.epoch = epoch;
    this.timer = new LazyTimer(context.loop(), context.ticker(), this::due);
    this.writer = new RequestWriter(ctx, this);
    this.reader = new ResponseReader(ctx, this, timer, context);
  }

  // OriginStream.

  @Override
  public boolean isReused() {
    return reused;
  }

  @Override
  public boolean isUntouched() {
    return writer.isUntouched();
  }

  @Override
  public boolean isSilent() {
    return reader.isSilent();
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) ctx.channel().remoteAddress();
  }

  @Override
  public long idleSinceNanos() {
    return idleSinceNanos;
  }

  @Override
  public void send(RequestOut out, @Nullable Body body, OriginEvents listener) {
    if (state != State.IDLE) {
      throw new IllegalStateException("origin connection: send in " + state);
    }
    state = State.ASKED;
    events = listener;
    reader.expect(out);
    writer.head(out, reused);
    if (state != State.ASKED) {
      return;
    }
    awaitsContinue = out.awaitsContinue(body);
    if (awaitsContinue) {
      awaitHead();
    }
    writer.body(out.head().framing(), body);
  }

  @Override
  public void cancel() {
    events = null;
    close(Cause.ORIGIN_CUT_SHORT);
  }

  // What the channel says.

  void read(ByteBuf bytes) {
    if (state == State.ASKED) {
      reader.read(bytes);
      return;
    }
    if (tunnel != null && state == State.SWITCHED) {
      tunnel.end().read(bytes);
      return;
    }
    bytes.release();
    // RFC 9112 9.2: bytes that nobody asked for belong to nobody.
    close(Cause.ORIGIN_CUT_SHORT);
  }

  void readComplete() {
    reader.flush();
    if (tunnel != null) {
      tunnel.end().readComplete();
    }
  }

  /** The upstream's FIN, where the connection may outlive it. */
  void inputEnded() {
    if (tunnel == null || !tunnel.end().finCame()) {
      lost();
    }
  }

  void writabilityChanged() {
    boolean writable = ctx.channel().isWritable();
    if (reader.isAwaiting() && writer.isUploading()) {
      // An origin that takes no more of its request owes, and one that does may take its time.
      if (!writable) {
        awaitHead();
      } else if (!awaitsContinue) {
        timer.off();
      }
    }
    if (writable) {
      writer.writable();
      if (tunnel != null) {
        tunnel.end().writable();
      }
    }
  }

  void lost() {
    // A reset is no end, also where the connection's is the body's (RFC 9112 8).
    if (inputFailed || !reader.endsHere()) {
      fail(causeOfLoss());
    }
    close(Cause.ORIGIN_CUT_SHORT);
  }

  /** TLS ended: {@code tidy} where the upstream said so, else it may have been anybody. */
  void secureEnd(boolean tidy) {
    // RFC 8446 6.1: without close_notify a close-delimited body is cut, whatever the socket says.
    inputFailed |= !tidy;
    if (tidy && tunnel != null) {
      tunnel.end().inputEnded();
    } else if (tidy) {
      lost();
    }
  }

  void failed(Throwable failure) {
    if (!(failure instanceof IOException) && !(failure.getCause() instanceof IOException)) {
      log.error("origin connection failed", failure);
      fail(Cause.INTERNAL_ERROR);
    } else if (state == State.SWITCHED) {
      // Else what lets a FIN through for one direction would make one of a reset.
      fail(Cause.ORIGIN_CUT_SHORT);
    } else if (writer.isWritten()) {
      inputFailed = true;
    } else {
      outputFailed();
    }
  }

  /**
   * A write error does not cancel reading an answer that is on its way (RFC 9112 9.5). A read error
   * closes the channel, and the attempt ends there.
   */
  private void outputFailed() {
    outputFailed = true;
    writer.stop();
    if (reader.isAwaiting()) {
      awaitHead();
    }
  }

  private Cause causeOfLoss() {
    return reader.isStreaming() || tunnel != null
        ? Cause.ORIGIN_CUT_SHORT
        : Cause.CONNECTION_TERMINATED;
  }

  // What the clock says.

  private void due() {
    if (state == State.IDLE) {
      close(Cause.ORIGIN_CUT_SHORT);
    } else {
      fail(reader.isStreaming() ? Cause.ORIGIN_READ_TIMEOUT : Cause.ORIGIN_RESPONSE_TIMEOUT);
    }
  }

  // What the writer says.

  /** The body goes on, by whoever's word: the client owes the rest of it. */
  void continued() {
    if (awaitsContinue) {
      awaitsContinue = false;
      timer.off();
    }
  }

  /** The whole request was handed to the socket: from now on the origin owes its head. */
  void requestWritten() {
    if (reader.isAwaiting()) {
      awaitHead();
    }
  }

  private void awaitHead() {
    timer.in(context.settings().originResponse().toNanos());
  }

  /** The request's head could not be written. */
  void headUnwritten() {
    if (reader.isAwaiting()) {
      fail(Cause.CONNECTION_TERMINATED);
    }
  }

  /** The client broke its upload off: the origin must not see a complete request (DEC-28). */
  void uploadAborted(Cause cause) {
    fail(cause);
  }

  // What the reader says.

  void interim(ResponseHead head) {
    if (head.isContinue()) {
      continued();
    }
    if (events != null) {
      events.interim(head);
    }
  }

  void head(ResponseHead head, Body body) {
    awaitsContinue = false;
    if (events != null) {
      events.head(head, body);
    }
  }

  /** The upstream agreed to the handshake; {@code behind} is what it said since. */
  void switched(ResponseHead head, ByteBuf behind) {
    var made = new OriginTunnel(ctx, this);
    state = State.SWITCHED;
    tunnel = made;
    // A tunnel counts to upgrade.max_concurrent, so it must not keep a place of the pool's.
    owner.closed(this);
    ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    made.end().read(behind);
    if (events != null) {
      events.switched(head, made);
    }
  }

  /** Both sides of the tunnel have said their last. */
  void tunnelOver() {
    fail(Cause.COMPLETE);
  }

  /** The answer is whole, and told; {@code persists}: as far as it goes, there may be another. */
  void answered(boolean persists) {
    OriginEvents listener = events;
    events = null;
    if (state == State.CLOSED) {
      return;
    }
    boolean written = writer.isWritten();
    // Where the answer came before the request's end, what is left of the upload goes nowhere.
    writer.stop();
    if (persists && written && !outputFailed && mayServeAgain()) {
      handBack();
    } else {
      close(Cause.ORIGIN_CUT_SHORT);
    }
    if (listener != null) {
      listener.ended(Cause.COMPLETE);
    }
  }

  /** A reload may have said otherwise how the origin is spoken to. */
  private boolean mayServeAgain() {
    return ctx.channel().isActive() && context.isCurrent(epoch);
  }

  private void handBack() {
    state = State.IDLE;
    reused = true;
    idleSinceNanos = context.ticker().nanos();
    timer.in(context.settings().originIdle().toNanos());
    ctx.channel().config().setAutoRead(true);
    owner.idle(this);
  }

  // The end.

  /** The attempt failed, for {@code cause}, and the connection with it. */
  void fail(Cause cause) {
    OriginEvents listener = events;
    events = null;
    close(cause);
    if (listener != null) {
      listener.ended(cause);
    }
  }

  /** {@code cause}: of a body that is cut by it. */
  private void close(Cause cause) {
    if (state == State.CLOSED) {
      return;
    }
    boolean pooled = state != State.SWITCHED;
    // First: what cannot be written any more fails while the channel closes, and comes back here.
    state = State.CLOSED;
    if (tunnel != null && cause != Cause.COMPLETE) {
      TlsEnd.cut(ctx.channel());
    } else {
      ctx.close();
    }
    timer.close();
    writer.stop();
    if (pooled) {
      owner.closed(this);
    }
    reader.stop(cause);
    if (tunnel != null) {
      tunnel.end().close(cause);
    }
  }
}
