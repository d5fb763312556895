package dev.sluice.wire.http2;

import dev.sluice.net.LazyTimer;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.WireSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection to an upstream (DEC-50). To its owner it is one {@link OriginLane} that
 * waits for an attempt, as long as there is room for one more; each attempt under way has a lane of
 * its own. Confined to its event loop.
 */
final class OriginSession {

  static final long NO_ERROR = Http2Error.NO_ERROR.code();
  static final long PROTOCOL_ERROR = Http2Error.PROTOCOL_ERROR.code();
  static final long CANCEL = Http2Error.CANCEL.code();
  static final long REFUSED_STREAM = Http2Error.REFUSED_STREAM.code();

  /** Attempts at once, where the upstream allows as many. */
  static final int MAX_LANES = 100;

  /** DEC-50: so long a silence, with streams open, is asked about; so long an answer may take. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How often a connection with streams open is looked at. */
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The last stream that is begun on a connection; there are 2^30 (RFC 9113 5.1.1). */
  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

  private static final AsciiString HTTP = AsciiString.cached("http");
  private static final AsciiString HTTPS = AsciiString.cached("https");
  private static final Logger log = LoggerFactory.getLogger(OriginSession.class);

  private enum State {
    /** The upstream's SETTINGS have not come. */
    OPENING,
    OPEN,
    /** No attempt begins any more; those under way go on. */
    LEAVING,
    CLOSED
  }

  private final OriginSessions context;
  private final OriginOwner owner;
  private final InetSocketAddress address;
  private final BooleanSupplier current;
  private final boolean secure;
  private final LazyTimer timer;
  private final IntObjectHashMap<OriginLane> lanes = new IntObjectHashMap<>(8);
  private @Nullable OriginSessionHandler handler;
  private @Nullable ChannelHandlerContext ctx;
  private OriginConnector.@Nullable Connected waiting;
  private State state = State.OPENING;
  private @Nullable OriginLane spare;
  private boolean offering;
  private boolean served;
  private long idleSinceNanos;
  private long heardNanos;
  private boolean pinged;

  OriginSession(
      OriginSessions context,
      InetSocketAddress address,
      OriginOwner owner,
      OriginConnector.Connected connected,
      BooleanSupplier current,
      boolean secure) {
    this.context = context;
    this.address = address;
    this.owner = owner;
    this.waiting = connected;
    this.current = current;
    this.secure = secure;
    this.timer = new LazyTimer(context.loop(), context.ticker(), this::due);
    this.heardNanos = context.ticker().nanos();
  }

  // Its beginning.

  /** The handler stands in its channel's pipeline. */
  void attached(OriginSessionHandler to, ChannelHandlerContext within) {
    handler = to;
    ctx = within;
  }

  /** The socket is connected, and secure where it is to be: SETTINGS are due. */
  void connected() {
    timer.in(settings().originConnect().toNanos());
  }

  /** The upstream's SETTINGS, its first or others. */
  void settingsCame() {
    if (state == State.OPENING) {
      state = State.OPEN;
      timer.off();
      idle();
      hand();
    } else if (spare != null && !hasRoom()) {
      withdraw();
    } else {
      offer();
    }
  }

  /** Gives the first lane to who had the connection made, and another to the owner. */
  private void hand() {
    OriginConnector.Connected taker = waiting;
    if (!hasRoom()) {
      // An upstream that allows no stream at all.
      failOpening(Cause.CONNECTION_LIMIT_REACHED);
    } else if (taker != null) {
      waiting = null;
      taker.ready(newLane());
      offer();
    }
  }

  /** No connection came of it; its maker hears {@code cause}, and nobody else knew of it. */
  private void failOpening(Cause cause) {
    OriginConnector.Connected taker = waiting;
    waiting = null;
    state = State.CLOSED;
    timer.close();
    if (ctx != null) {
      ctx.close();
    }
    if (taker != null) {
      taker.failed(cause);
    }
  }

  // Room for attempts.

  /** Tells the owner of room, if there is some and it does not know yet. */
  void offer() {
    if (offering) {
      return;
    }
    offering = true;
    try {
      for (int i = 0; i <= MAX_LANES && spare == null && waiting == null && hasRoom(); i++) {
        OriginLane next = newLane();
        spare = next;
        owner.idle(next);
      }
    } finally {
      offering = false;
    }
  }

  private OriginLane newLane() {
    return new OriginLane(this, served);
  }

  private boolean hasRoom() {
    return state == State.OPEN
        && current.getAsBoolean()
        && connection().local().numActiveStreams()
            < Math.min(MAX_LANES, connection().local().maxActiveStreams())
        && connection().local().lastStreamCreated() < LAST_STREAM - 2;
  }

  /** The owner knows of room that is not there any more. */
  private void withdraw() {
    OriginLane offered = spare;
    spare = null;
    if (offered != null) {
      owner.withdrawn(offered);
    }
  }

  /** Who got {@code lane} does not want it any more: somebody else may. */
  void declined(OriginLane lane) {
    if (lane == spare) {
      spare = null;
      offer();
    }
  }

  /** The owner wants no further attempt here. */
  void retire() {
    if (state == State.OPEN) {
      state = State.LEAVING;
      withdraw();
      if (lanes.isEmpty()) {
        leave();
      }
    }
  }

  InetSocketAddress address() {
    return address;
  }

  boolean isBusy() {
    return !lanes.isEmpty();
  }

  long idleSinceNanos() {
    return lanes.isEmpty() ? idleSinceNanos : now();
  }

  // An attempt.

  /** Begins a stream for {@code lane} with the head of its request. */
  void begin(OriginLane lane, RequestOut out, boolean last) {
    if (lane == spare) {
      spare = null;
    }
    ChannelHandlerContext to = context();
    int id = connection().local().incrementAndGetNextStreamId();
    served = true;
    lane.begun(id);
    lanes.put(id, lane);
    if (lanes.size() == 1) {
      heardNanos = now();
      pinged = false;
      watch(SILENCE_NANOS);
    }
    Http2Headers fields = OriginRequestFields.of(out, secure ? HTTPS : HTTP);
    handler()
        .encoder()
        .writeHeaders(to, id, fields, 0, last, to.newPromise())
        .addListener(
            sent -> {
              if (!sent.isSuccess()) {
                unwritten(lane, sent.cause());
              }
            });
    flush();
  }

  private static void unwritten(OriginLane lane, Throwable why) {
    boolean tooLarge = Http2Exception.isStreamError(asHttp2(why));
    lane.fail(tooLarge ? Cause.HEADER_TOO_LARGE : Cause.CONNECTION_TERMINATED);
  }

  private static @Nullable Http2Exception asHttp2(Throwable why) {
    return why instanceof Http2Exception known ? known : null;
  }

  void data(int id, ByteBuf bytes, boolean last) {
    ChannelHandlerContext to = context();
    var unused = handler().encoder().writeData(to, id, bytes, 0, last, to.newPromise());
  }

  void trailers(int id, Http2Headers fields) {
    ChannelHandlerContext to = context();
    var unused = handler().encoder().writeHeaders(to, id, fields, 0, true, to.newPromise());
  }

  boolean isWritable(int id) {
    Http2Stream stream = connection().stream(id);
    return stream != null && handler().encoder().flowController().isWritable(stream);
  }

  void flush() {
    handler().flush(context());
  }

  /** So many bytes of a body have been taken: its stream's window opens again. */
  void consumed(int id, int bytes) {
    Http2Stream stream = connection().stream(id);
    if (stream == null || state == State.CLOSED) {
      return;
    }
    try {
      if (handler().decoder().flowController().consumeBytes(stream, bytes)) {
        flush();
      }
    } catch (Http2Exception e) {
      log.error("origin session: window of stream {}", id, e);
      underway().forEach(lane -> lane.fail(Cause.INTERNAL_ERROR));
      close();
    }
  }

  void reset(int id, long code) {
    if (state != State.CLOSED && connection().stream(id) != null) {
      ChannelHandlerContext to = context();
      var unused = handler().resetStream(to, id, code, to.newPromise());
      flush();
    }
  }

  /** The attempt is over. */
  void freed(OriginLane lane) {
    lanes.remove(lane.id());
    if (state == State.CLOSED) {
      return;
    }
    if (lanes.isEmpty()) {
      idle();
      if (state == State.LEAVING) {
        leave();
        return;
      }
    }
    offer();
  }

  private void idle() {
    idleSinceNanos = now();
    timer.in(settings().originIdle().toNanos());
  }

  // What the connection says.

  void headers(int id, Http2Headers fields, boolean last) {
    OriginLane lane = lanes.get(id);
    if (lane != null) {
      lane.headers(fields, last);
    }
  }

  int data(int id, ByteBuf payload, int padding, boolean last) {
    int flowBytes = payload.readableBytes() + padding;
    OriginLane lane = lanes.get(id);
    return lane == null ? flowBytes : lane.data(payload, flowBytes, last);
  }

  void readComplete() {
    heardNanos = now();
    pinged = false;
    for (OriginLane lane : underway()) {
      lane.readComplete();
    }
  }

  void resetByOrigin(int id, long code) {
    OriginLane lane = lanes.get(id);
    if (lane == null) {
      return;
    }
    if (code == REFUSED_STREAM && lane.isSilent()) {
      lane.refused();
    } else {
      lane.resetByOrigin();
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
      withdraw();
    }
    // Those that fail here may be asked again at once, and not on this connection.
    for (OriginLane lane : underway()) {
      if (lane.id() > last && lane.isSilent()) {
        lane.refused();
      }
    }
    if (lanes.isEmpty()) {
      leave();
    }
  }

  /** The stream is closed, whoever did it. */
  void streamClosed(int id) {
    OriginLane lane = lanes.get(id);
    if (lane != null) {
      lane.broken();
    }
    offer();
  }

  /** What came on a stream was refused by the codec. */
  void streamError(int id, boolean headerTooLarge) {
    OriginLane lane = lanes.get(id);
    if (lane != null) {
      lane.fail(headerTooLarge ? Cause.ORIGIN_HEADER_TOO_LARGE : Cause.ORIGIN_MALFORMED);
    }
  }

  /** What came is no HTTP/2. */
  void connectionError(boolean headerTooLarge) {
    Cause cause = headerTooLarge ? Cause.ORIGIN_HEADER_TOO_LARGE : Cause.ORIGIN_MALFORMED;
    if (state == State.OPENING) {
      failOpening(cause);
    } else {
      for (OriginLane lane : underway()) {
        lane.fail(cause);
      }
      close();
    }
  }

  void writable(int id) {
    OriginLane lane = lanes.get(id);
    if (lane != null) {
      lane.writable();
    }
  }

  /** The connection is gone. */
  void lost() {
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TERMINATED);
    } else {
      close();
    }
  }

  /** Something here failed. */
  void failed(@Nullable Throwable failure) {
    log.error("origin session failed", failure);
  }

  // What the clock says.

  long now() {
    return context.ticker().nanos();
  }

  WireSettings settings() {
    return context.settings();
  }

  /** Something is owed within {@code nanos}: the one timer must not look later. */
  void watch(long nanos) {
    if (!timer.isArmed() || timer.dueInNanos() > nanos) {
      timer.in(nanos);
    }
  }

  private void due() {
    if (state == State.CLOSED) {
      return;
    }
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TIMEOUT);
    } else if (lanes.isEmpty()) {
      leave();
    } else {
      look();
    }
  }

  private void look() {
    long now = now();
    for (OriginLane lane : underway()) {
      if (lane.dueIn(now) <= 0) {
        lane.due();
      }
    }
    if (state == State.CLOSED || lanes.isEmpty()) {
      return;
    }
    long silenceLeft = heardNanos + (pinged ? 2 : 1) * SILENCE_NANOS - now;
    if (silenceLeft <= 0 && pinged) {
      // Nobody is there any more.
      underway().forEach(OriginLane::timedOut);
      close();
      return;
    }
    if (silenceLeft <= 0) {
      ping();
    }
    long next = TICK_NANOS;
    for (OriginLane lane : underway()) {
      next = Math.min(next, Math.max(0, lane.dueIn(now)));
    }
    timer.in(next);
  }

  private void ping() {
    pinged = true;
    ChannelHandlerContext to = context();
    var unused = handler().encoder().writePing(to, false, heardNanos, to.newPromise());
    flush();
  }

  // The end.

  /** Nothing is under way and nothing will be: GOAWAY, and the close behind it. */
  private void leave() {
    if (state == State.CLOSED) {
      return;
    }
    ChannelHandlerContext to = context();
    var unused = handler().goAway(to, 0, NO_ERROR, Unpooled.EMPTY_BUFFER, to.newPromise());
    flush();
    close();
  }

  private void close() {
    if (state == State.CLOSED) {
      return;
    }
    // First: what closes with the channel comes back here.
    state = State.CLOSED;
    timer.close();
    OriginLane offered = spare;
    spare = null;
    context().close();
    for (OriginLane lane : underway()) {
      lane.broken();
    }
    owner.closed(offered == null ? new OriginLane(this, true) : offered);
  }

  private List<OriginLane> underway() {
    return new ArrayList<>(lanes.values());
  }

  private OriginSessionHandler handler() {
    if (handler == null) {
      throw new IllegalStateException("origin session: no handler yet");
    }
    return handler;
  }

  private ChannelHandlerContext context() {
    if (ctx == null) {
      throw new IllegalStateException("origin session: no channel yet");
    }
    return ctx;
  }

  private Http2Connection connection() {
    return handler().connection();
  }
}
