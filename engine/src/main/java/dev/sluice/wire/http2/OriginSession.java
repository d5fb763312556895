package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.WireSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection to an upstream (DEC-50): how it opens, is watched, leaves and ends. What
 * goes over it, {@link Http2Link} reads and writes; the attempts on it, {@link OriginLanes} knows.
 * Confined to its event loop.
 */
final class OriginSession implements ChannelEvents {

  private static final Logger log = LoggerFactory.getLogger(OriginSession.class);

  private static final AsciiString HTTP = AsciiString.cached("http");
  private static final AsciiString HTTPS = AsciiString.cached("https");

  private enum State {
    /** The upstream's SETTINGS have not come. */
    OPENING,
    OPEN,
    /** No attempt begins any more; those under way go on. */
    LEAVING,
    CLOSED
  }

  private final ChannelHandlerContext ctx;
  private final OriginSessions context;
  private final Target target;
  private final OriginWatch watch;
  private final OriginLanes lanes;
  private final Http2Link<OriginLane> link;
  private OriginConnector.@Nullable Connected waiting;
  private State state = State.OPENING;
  private boolean greeted;
  private long idleSinceNanos;

  /**
   * Where a session leads, and for whom.
   *
   * @param current whether attempts may still begin under the policy it was made by
   */
  record Target(
      InetSocketAddress address, OriginOwner owner, BooleanSupplier current, boolean secure) {}

  /**
   * Nothing is spoken yet.
   *
   * @param connected hears of the first lane, or that there is none
   */
  OriginSession(
      ChannelHandlerContext ctx,
      OriginSessions context,
      Target target,
      OriginConnector.Connected connected) {
    this.ctx = ctx;
    this.context = context;
    this.target = target;
    this.waiting = connected;
    this.watch = new OriginWatch(context.loop(), context.ticker(), this::due);
    this.lanes = new OriginLanes(this, ctx, target.owner(), context);
    this.link = lanes.link();
    watch.in(settings().originConnect().toNanos());
  }

  // What the channel says.

  /** Our preface and SETTINGS are due. */
  @Override
  public void opened() {
    if (greeted) {
      return;
    }
    greeted = true;
    link.writer().preface();
    link.open(
        PeerSettings.ENABLE_PUSH,
        0,
        PeerSettings.INITIAL_WINDOW_SIZE,
        Http2Limits.ANSWER_WINDOW,
        PeerSettings.MAX_HEADER_LIST_SIZE,
        Http2Limits.BLOCK_FACTOR * settings().maxHeader());
  }

  @Override
  public void read(ByteBuf bytes) {
    if (state == State.CLOSED) {
      bytes.release();
    } else {
      link.read(bytes);
    }
  }

  @Override
  public void readComplete() {
    watch.heard();
    link.readComplete();
    flush();
  }

  @Override
  public void writable() {
    flush();
  }

  @Override
  public void lost() {
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TERMINATED);
    } else {
      close();
    }
  }

  @Override
  public void failed(Throwable failure) {
    if (failure instanceof IOException || failure.getCause() instanceof IOException) {
      lost();
    } else {
      log.error("origin connection failed", failure);
      failAll(Cause.INTERNAL_ERROR);
    }
  }

  // Its beginning.

  /** The upstream's SETTINGS, its first or others. */
  void settingsCame() {
    if (state == State.OPENING) {
      state = State.OPEN;
      idle();
      hand();
    } else {
      lanes.roomChanged();
    }
  }

  /** Gives the first lane to who had the connection made, and another to the owner. */
  private void hand() {
    OriginConnector.Connected taker = waiting;
    if (!lanes.hasRoom()) {
      // An upstream that allows no stream at all.
      failOpening(Cause.CONNECTION_LIMIT_REACHED);
    } else if (taker != null) {
      waiting = null;
      taker.ready(lanes.first());
      lanes.offer();
    }
  }

  /** No connection came of it; its maker hears {@code cause}, and nobody else knew of it. */
  private void failOpening(Cause cause) {
    OriginConnector.Connected taker = waiting;
    waiting = null;
    shut();
    if (taker != null) {
      taker.failed(cause);
    }
  }

  // What lanes ask.

  InetSocketAddress address() {
    return target.address();
  }

  /** Of the requests that go out on it. */
  AsciiString scheme() {
    return target.secure() ? HTTPS : HTTP;
  }

  WireSettings settings() {
    return context.settings();
  }

  OriginWatch watch() {
    return watch;
  }

  long idleSinceNanos() {
    return lanes.isBusy() ? watch.now() : idleSinceNanos;
  }

  /** Whether attempts may begin. */
  boolean isOpen() {
    return state == State.OPEN && target.current().getAsBoolean();
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** What was written should be on its way, at the end of this turn at the latest. */
  void flush() {
    if (state != State.CLOSED) {
      link.flush();
    }
  }

  /** An attempt is over, and its place free. */
  void freed() {
    if (state == State.CLOSED) {
      return;
    }
    if (!lanes.isBusy()) {
      idle();
    }
    if (state == State.LEAVING) {
      leaveIfIdle();
    } else {
      lanes.offer();
    }
  }

  private void idle() {
    idleSinceNanos = watch.now();
    watch.in(settings().originIdle().toNanos());
  }

  // What the clock says.

  private void due() {
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TIMEOUT);
    } else if (state == State.CLOSED || !lanes.isBusy()) {
      leaveIfIdle();
    } else {
      look();
    }
  }

  private void look() {
    long now = watch.now();
    lanes.due(now);
    if (state == State.CLOSED || !lanes.isBusy()) {
      return;
    }
    switch (watch.silence()) {
      case NONE -> {}
      case ASK -> {
        link.writer().ping(now, false);
        flush();
      }
      case DEAD -> {
        lanes.timedOut();
        close();
        return;
      }
    }
    watch.again(lanes.dueIn(now));
  }

  // The end.

  /** The owner wants no further attempt here. */
  void retire() {
    if (state == State.OPEN) {
      state = State.LEAVING;
      lanes.withdraw();
      leaveIfIdle();
    }
  }

  /** RFC 9113 6.8: streams above {@code last} were not looked at, and none is begun any more. */
  void goneAway(int last) {
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TERMINATED);
      return;
    }
    if (state == State.OPEN) {
      state = State.LEAVING;
      lanes.withdraw();
    }
    lanes.refusedAbove(last);
    leaveIfIdle();
  }

  /** Nothing is under way and nothing will be: GOAWAY, and the close behind it. */
  private void leaveIfIdle() {
    if (!lanes.isBusy() && state != State.CLOSED) {
      link.writer().goAway(0, ErrorCode.NO_ERROR, "");
      link.writer().flush();
      close();
    }
  }

  /** What came is no HTTP/2, or more of it than can be meant: the upstream is told. */
  void fail(ErrorCode code, GoAwayReason reason, String what) {
    if (state == State.CLOSED) {
      return;
    }
    link.stop();
    link.writer().goAway(0, code, what);
    link.writer().flush();
    failAll(
        reason == GoAwayReason.HEADER_BLOCK
            ? Cause.ORIGIN_HEADER_TOO_LARGE
            : Cause.ORIGIN_MALFORMED);
  }

  private void failAll(Cause cause) {
    if (state == State.OPENING) {
      failOpening(cause);
    } else if (state != State.CLOSED) {
      shut();
      lanes.failAll(cause);
      lanes.close();
    }
  }

  private void close() {
    if (state != State.CLOSED) {
      shut();
      lanes.close();
    }
  }

  /** First of all: those that fail with it may be asked again at once, and not here. */
  private void shut() {
    state = State.CLOSED;
    lanes.withdraw();
    watch.close();
    ctx.close();
    link.close();
  }
}
