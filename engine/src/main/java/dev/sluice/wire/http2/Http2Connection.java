package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.Caller;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.LingeringClose;
import dev.sluice.wire.client.ServedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's HTTP/2 connection from its preface to its close: how it begins, rests, drains and
 * ends. What goes over it, {@link Http2Link} reads and writes; its streams, {@link ServedStreams}
 * knows. Confined to its event loop.
 */
final class Http2Connection implements ServedConnection, ChannelEvents {

  private enum State {
    SERVING,
    /** The client was told that we stop; what it sent before it knew is served. */
    WARNED,
    /** No further stream is taken; it closes behind those under way. */
    LEAVING,
    /** GOAWAY is written for an error; what still comes is dropped for a while. */
    LINGERING,
    CLOSED
  }

  private static final Logger log = LoggerFactory.getLogger(Http2Connection.class);

  /** The opaque bytes of the ping that follows a warning: its answer comes behind all requests. */
  private static final long WARNING_PING = 0x736c756963650001L;

  private final ChannelHandlerContext ctx;
  private final Http2Census census;
  private final ClientContext client;
  private final WireSettings settings;
  private final Http2Timeouts timeouts;
  private final ServedStreams streams;
  private final Http2Link<Http2Stream> link;
  private final LingeringClose lingering;
  private State state = State.SERVING;
  private boolean counted;
  private boolean prefaced;
  private boolean takesRequests = true;
  private int toldLast = Integer.MAX_VALUE;
  private boolean clientLeaves;

  Http2Connection(ChannelHandlerContext ctx, Http2Context context, Caller caller) {
    this.ctx = ctx;
    this.census = context.census();
    this.client = context.client();
    this.settings = client.settings();
    this.timeouts = new Http2Timeouts(this, client, settings);
    var served = new ServedClient(client, settings, caller);
    this.streams = new ServedStreams(this, ctx, served, timeouts, census);
    this.link = streams.link();
    this.lingering = new LingeringClose(ctx.channel());
  }

  // What the channel says.

  /** Our side of the preface goes out at once (RFC 9113 3.4). */
  @Override
  public void opened() {
    if (counted) {
      return;
    }
    counted = true;
    client.opened(this);
    census.connectionOpened();
    timeouts.preface();
    link.open(
        PeerSettings.MAX_CONCURRENT_STREAMS, Http2Limits.STREAMS,
        PeerSettings.INITIAL_WINDOW_SIZE, settings.readAhead(),
        PeerSettings.MAX_HEADER_LIST_SIZE, settings.maxHeader());
  }

  @Override
  public void read(ByteBuf bytes) {
    if (state == State.CLOSED) {
      bytes.release();
    } else if (state != State.LINGERING) {
      link.read(bytes);
    } else if (!lingering.drop(bytes)) {
      cut(Cause.CLIENT_LEFT);
    }
  }

  @Override
  public void readComplete() {
    link.readComplete();
    if (isOpen()) {
      timeouts.headers(link.isInHeaders());
    }
    flush();
  }

  @Override
  public void writable() {
    flush();
  }

  /** No stream can go on without what the client would say. */
  @Override
  public void lost() {
    cut(Cause.CLIENT_LEFT);
  }

  @Override
  public void failed(Throwable failure) {
    if (failure instanceof IOException || failure.getCause() instanceof IOException) {
      cut(Cause.CLIENT_LEFT);
    } else {
      log.error("client connection failed", failure);
      cut(Cause.INTERNAL_ERROR);
    }
  }

  // What the operator says.

  /** Two phases (RFC 9113 6.8): streams that are on their way are served, those behind are not. */
  @Override
  public void drain() {
    if (state == State.SERVING) {
      state = State.WARNED;
      census.goneAway(GoAwayReason.DRAIN);
      link.writer().goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "");
      link.writer().ping(WARNING_PING, false);
      timeouts.soon();
      flush();
    }
  }

  @Override
  public void kill() {
    if (isOpen()) {
      tellLast(ErrorCode.NO_ERROR, "");
      link.writer().flush();
    }
    cut(Cause.SHUTDOWN);
  }

  // What the client says.

  /** The client's preface is whole, with its first SETTINGS. */
  void prefaceCame() {
    if (prefaced) {
      return;
    }
    prefaced = true;
    timeouts.idle();
    if (client.isDraining()) {
      drain();
    }
  }

  void pingAcknowledged(long opaque) {
    if (opaque == WARNING_PING) {
      leave();
    }
  }

  /** The client opens no further streams. */
  void clientLeaves() {
    clientLeaves = true;
  }

  /** Whether frames are read and written. */
  boolean isOpen() {
    return state != State.LINGERING && state != State.CLOSED;
  }

  /** Whether streams are ignored from now on. */
  boolean isTakingNoMore() {
    return state == State.LEAVING;
  }

  List<Http2Stream> streams() {
    return streams.all();
  }

  /** Bytes that the socket has not taken. */
  long unsent() {
    return link.unsent();
  }

  // What goes out.

  /** What was written should be on its way, at the end of this turn at the latest. */
  void flush() {
    if (state != State.CLOSED && link.flush()) {
      settle();
    }
  }

  /** Ends what the socket has all of. */
  private void settle() {
    if (state == State.CLOSED) {
      return;
    }
    if (unsent() > 0) {
      timeouts.unsent(unsent());
    }
    streams.settle(unsent() > 0);
    answersSent();
  }

  /** The socket has taken answers, or not: a client that takes none is not read either. */
  void answersSent() {
    if (isOpen() && streams.isFull() == takesRequests) {
      takesRequests = !takesRequests;
      ctx.channel().config().setAutoRead(takesRequests);
    }
    rest();
  }

  /** Nothing under way: the connection waits, or goes. */
  void rest() {
    boolean begun = prefaced || state == State.LEAVING;
    if (!streams.isIdle() || !isOpen() || !begun) {
      return;
    }
    if (state == State.LEAVING || (clientLeaves && state == State.SERVING)) {
      part(state == State.LEAVING ? Cause.SHUTDOWN : Cause.CLIENT_LEFT);
    } else if (state == State.SERVING && !link.isInHeaders() && unsent() == 0) {
      timeouts.idle();
    }
  }

  // What the clock says.

  /** The second half of going away does not wait for ever. */
  void looked() {
    leave();
    if (isOpen()) {
      link.refill();
      flush();
    }
  }

  void idleExpired() {
    goAway(ErrorCode.NO_ERROR, GoAwayReason.IDLE, "", Cause.CLIENT_LEFT);
  }

  /** What had to come did not. */
  void slow(Cause cause) {
    goAway(ErrorCode.NO_ERROR, GoAwayReason.SLOW, cause.code(), cause);
  }

  // The end.

  /** The client broke a rule: it is told, and no frame is read any more. */
  void fail(ErrorCode code, GoAwayReason reason, String what) {
    goAway(code, reason, what, Cause.CLIENT_PROTOCOL);
  }

  private void goAway(ErrorCode code, GoAwayReason reason, String what, Cause cause) {
    if (!isOpen()) {
      return;
    }
    census.goneAway(reason);
    state = State.LINGERING;
    link.stop();
    tellLast(code, what);
    link.writer().flush();
    streams.endAll(cause);
    if (lingering.begin()) {
      timeouts.linger();
    } else {
      cut(cause);
    }
  }

  /** RFC 9113 6.8: what was told once is never raised again. */
  private void tellLast(ErrorCode code, String what) {
    toldLast = Math.min(toldLast, link.table().last());
    link.writer().goAway(toldLast, code, what);
  }

  /** Behind the last answer: what the client still says of it must not reset it away. */
  private void part(Cause cause) {
    if (unsent() > 0) {
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> parted(sent.isSuccess()));
      return;
    }
    state = State.LINGERING;
    link.stop();
    if (lingering.begin()) {
      timeouts.linger();
    } else {
      cut(cause);
    }
  }

  private void parted(boolean sent) {
    if (sent) {
      rest();
    }
  }

  private void leave() {
    if (state == State.WARNED) {
      state = State.LEAVING;
      tellLast(ErrorCode.NO_ERROR, "");
      flush();
    }
  }

  /** Ends every stream, for {@code cause}, and the connection. */
  void cut(Cause cause) {
    if (state == State.CLOSED) {
      return;
    }
    // First: what cannot be written any more fails while the channel closes, and comes back here.
    state = State.CLOSED;
    ctx.close();
    timeouts.close();
    link.stop();
    streams.endAll(cause);
    link.close();
    if (counted) {
      client.closed(this);
      census.connectionClosed();
    }
  }
}
