package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.WireSettings;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
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

  /** Attempts at once, where the upstream allows as many. */
  private static final int MAX_LANES = 100;

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
  private final InetSocketAddress address;
  private final OriginOwner owner;
  private final BooleanSupplier current;
  private final boolean secure;
  private final OriginWatch watch;
  private final IntObjectHashMap<OriginLane> lanes = new IntObjectHashMap<>(8);

  /** Those for which something came since the last flush. */
  private final List<OriginLane> fed = new ArrayList<>(4);

  private @Nullable OriginWriter writer;
  private OriginConnector.@Nullable Connected waiting;
  private State state = State.OPENING;
  private @Nullable OriginLane spare;
  private boolean offering;
  private boolean served;
  private long idleSinceNanos;

  /**
   * Nothing is spoken yet.
   *
   * @param connected hears of the first lane, or that there is none
   * @param current whether attempts may still begin under the policy it was made by
   */
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
    this.watch = new OriginWatch(context.loop(), context.ticker(), this::due);
  }

  InetSocketAddress address() {
    return address;
  }

  WireSettings settings() {
    return context.settings();
  }

  OriginWatch watch() {
    return watch;
  }

  OriginWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("origin session: no channel yet");
    }
    return writer;
  }

  // Its beginning.

  /** The codec stands in the channel's pipeline; SETTINGS are due. */
  void begin(OriginWriter to) {
    writer = to;
    watch.in(settings().originConnect().toNanos());
  }

  /** The upstream's SETTINGS, its first or others. */
  void settingsCame() {
    if (state == State.OPENING) {
      state = State.OPEN;
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
      taker.ready(new OriginLane(this, false));
      offer();
    }
  }

  /** No connection came of it; its maker hears {@code cause}, and nobody else knew of it. */
  private void failOpening(Cause cause) {
    OriginConnector.Connected taker = waiting;
    waiting = null;
    state = State.CLOSED;
    watch.close();
    if (writer != null) {
      writer.close();
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
      // Whoever is told may take it at once, or pass it back.
      for (int i = 0; i <= MAX_LANES && spare == null && waiting == null && hasRoom(); i++) {
        OriginLane next = new OriginLane(this, served);
        spare = next;
        owner.idle(next);
      }
    } finally {
      offering = false;
    }
  }

  private boolean hasRoom() {
    return state == State.OPEN && current.getAsBoolean() && writer().hasRoom(MAX_LANES);
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
      leaveIfIdle();
    }
  }

  boolean isBusy() {
    return !lanes.isEmpty();
  }

  long idleSinceNanos() {
    return lanes.isEmpty() ? idleSinceNanos : watch.now();
  }

  // An attempt.

  /** Begins a stream for {@code lane} with the head of its request. */
  void begin(OriginLane lane, RequestOut out, boolean last) {
    if (lane == spare) {
      spare = null;
    }
    served = true;
    int id = writer().nextStream();
    lane.begun(id);
    lanes.put(id, lane);
    if (lanes.size() == 1) {
      watch.begin();
    }
    writer()
        .headers(id, OriginRequestFields.of(out, secure ? HTTPS : HTTP), last)
        .addListener(
            sent -> {
              if (!sent.isSuccess()) {
                unwritten(lane, sent.cause());
              }
            });
    writer().flush();
  }

  private static void unwritten(OriginLane lane, Throwable why) {
    // A head over what the upstream said that it takes fails its own stream only.
    boolean tooLarge = why instanceof Http2Exception error && Http2Exception.isStreamError(error);
    lane.fail(tooLarge ? Cause.HEADER_TOO_LARGE : Cause.CONNECTION_TERMINATED);
  }

  /** So many bytes of a body have been taken. */
  void consumed(int id, int bytes) {
    if (state == State.CLOSED) {
      return;
    }
    try {
      writer().consumed(id, bytes);
    } catch (Http2Exception e) {
      log.error("origin session: window of stream {}", id, e);
      failAll(Cause.INTERNAL_ERROR);
    }
  }

  void reset(int id, long code) {
    if (state != State.CLOSED) {
      writer().reset(id, code);
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
    }
    if (state == State.LEAVING) {
      leaveIfIdle();
    } else {
      offer();
    }
  }

  private void idle() {
    idleSinceNanos = watch.now();
    watch.in(settings().originIdle().toNanos());
  }

  // What the connection says.

  void headers(int id, Http2Headers fields, boolean last) {
    OriginLane lane = lanes.get(id);
    if (lane != null) {
      feed(lane);
      lane.headers(fields, last);
    }
  }

  int data(int id, ByteBuf payload, int padding, boolean last) {
    int flowBytes = payload.readableBytes() + padding;
    OriginLane lane = lanes.get(id);
    if (lane == null) {
      return flowBytes;
    }
    feed(lane);
    return lane.data(payload, flowBytes, last);
  }

  private void feed(OriginLane lane) {
    if (!fed.contains(lane)) {
      fed.add(lane);
    }
  }

  void readComplete() {
    watch.heard();
    for (int i = 0; i < fed.size(); i++) {
      fed.get(i).readComplete();
    }
    fed.clear();
  }

  void resetByOrigin(int id, long code) {
    OriginLane lane = lanes.get(id);
    if (lane == null) {
      return;
    }
    if (code == Http2Error.REFUSED_STREAM.code() && lane.isSilent()) {
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
    leaveIfIdle();
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
      failAll(cause);
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

  private void due() {
    if (state == State.OPENING) {
      failOpening(Cause.CONNECTION_TIMEOUT);
    } else if (state == State.CLOSED || lanes.isEmpty()) {
      leaveIfIdle();
    } else {
      look();
    }
  }

  private void look() {
    long now = watch.now();
    for (OriginLane lane : underway()) {
      if (lane.dueIn(now) <= 0) {
        lane.due();
      }
    }
    if (state == State.CLOSED || lanes.isEmpty()) {
      return;
    }
    switch (watch.silence()) {
      case NONE -> {}
      case ASK -> writer().ping(now);
      case DEAD -> {
        underway().forEach(OriginLane::timedOut);
        close();
        return;
      }
    }
    long next = Long.MAX_VALUE;
    for (OriginLane lane : underway()) {
      next = Math.min(next, lane.dueIn(now));
    }
    watch.again(next);
  }

  // The end.

  /** Nothing is under way and nothing will be: GOAWAY, and the close behind it. */
  private void leaveIfIdle() {
    if (lanes.isEmpty() && state != State.CLOSED) {
      writer().goAway();
      close();
    }
  }

  private void failAll(Cause cause) {
    underway().forEach(lane -> lane.fail(cause));
    close();
  }

  private void close() {
    if (state == State.CLOSED) {
      return;
    }
    // First: what closes with the channel comes back here.
    state = State.CLOSED;
    watch.close();
    OriginLane offered = spare;
    spare = null;
    writer().close();
    underway().forEach(OriginLane::broken);
    owner.closed(offered == null ? new OriginLane(this, true) : offered);
  }

  private List<OriginLane> underway() {
    return new ArrayList<>(lanes.values());
  }
}
