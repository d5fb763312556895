package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import dev.sluice.wire.http2.StreamTable.Past;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The attempts on a connection to an upstream, a lane for each. To the connection's owner it is one
 * {@link OriginLane} that waits, as long as there is room for one more. Confined to its loop.
 */
final class OriginLanes implements LinkEnd<OriginLane> {

  /** RFC 9113 5.1.1: there are 2^30 streams of ours. */
  private static final int LAST_STREAM = Integer.MAX_VALUE - 4;

  private final OriginSession session;
  private final OriginOwner owner;
  private final Http2Link<OriginLane> link;
  private final StreamTable<OriginLane> table;
  private @Nullable OriginLane spare;
  private boolean offering;
  private boolean served;
  private int next = 1;

  OriginLanes(
      OriginSession session, ChannelHandlerContext ctx, OriginOwner owner, OriginSessions context) {
    this.session = session;
    this.owner = owner;
    int maxFields = Http2Limits.BLOCK_FACTOR * context.settings().maxHeader();
    this.link = new Http2Link<>(ctx, this, Role.CLIENT, context.ticker(), maxFields, 2 * maxFields);
    this.table = link.table();
  }

  Http2Link<OriginLane> link() {
    return link;
  }

  boolean isBusy() {
    return !table.isEmpty();
  }

  // Room for attempts.

  boolean hasRoom() {
    long most = Math.min(Http2Limits.STREAMS, link.peer().maxStreams());
    return session.isOpen() && table.size() < most && next < LAST_STREAM;
  }

  /** For who had the connection made. */
  OriginLane first() {
    return new OriginLane(session, this, false);
  }

  /** Tells the owner of room, if there is some and it does not know yet. */
  void offer() {
    if (offering) {
      return;
    }
    offering = true;
    try {
      // Whoever is told may take it at once, or pass it back.
      for (int i = 0; i <= Http2Limits.STREAMS && spare == null && hasRoom(); i++) {
        var lane = new OriginLane(session, this, served);
        spare = lane;
        owner.idle(lane);
      }
    } finally {
      offering = false;
    }
  }

  /** The upstream said how many it takes. */
  void roomChanged() {
    if (spare != null && !hasRoom()) {
      withdraw();
    } else {
      offer();
    }
  }

  /** The owner knows of room that is not there any more. */
  void withdraw() {
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

  // An attempt.

  /** Begins a stream for {@code lane} with the head of its request. */
  void begin(OriginLane lane, RequestOut out, boolean last) {
    if (lane == spare) {
      spare = null;
    }
    served = true;
    int id = next;
    next += 2;
    lane.begun(id, new Outlet(lane, link.outlets(), link.writer(), link.peer().initialWindow()));
    table.began(id);
    table.add(lane);
    if (table.size() == 1) {
      session.watch().begin();
    }
    SentFields fields = OriginRequestFields.of(link.fields(), out, session.scheme());
    if (fields.listSize() > link.peer().maxHeaderList()) {
      // A head over what the upstream said that it takes fails its own attempt only.
      lane.fail(Cause.HEADER_TOO_LARGE);
      return;
    }
    link.guard().requested();
    link.writer().headers(id, fields, last);
    session.flush();
  }

  /** Ends the stream of a lane that is over. */
  void leave(OriginLane lane, ErrorCode code) {
    if (!session.isClosed()) {
      link.writer().reset(lane.id(), code);
      session.flush();
    }
  }

  /** An attempt is over; {@code tidy}: both sides ended their stream. */
  void freed(OriginLane lane, boolean tidy) {
    table.remove(lane.id(), tidy ? Past.ENDED : Past.OUR_RESET);
    session.freed();
  }

  // What the link says.

  @Override
  public void begun(
      int stream, ReceivedFields fields, Decoded decoded, int dependency, boolean end) {
    fail(ErrorCode.PROTOCOL_ERROR, GoAwayReason.PROTOCOL, "HEADERS on an idle stream");
  }

  @Override
  public void resetByPeer(OriginLane lane, int code) {
    if (code == ErrorCode.REFUSED_STREAM.number() && lane.isSilent()) {
      lane.refused();
    } else {
      lane.resetByOrigin();
    }
  }

  @Override
  public void settingsCame() {
    session.settingsCame();
  }

  @Override
  public void pingAcknowledged(long opaque) {
    // That something came is the answer.
  }

  @Override
  public void goneAway(int last) {
    session.goneAway(last);
  }

  @Override
  public void held(int bytes) {
    // An upstream's bytes are no request's.
  }

  /** DEC-50: at once, so that no reader stalls another. */
  @Override
  public boolean mayRefill() {
    return true;
  }

  @Override
  public void reset(OriginLane lane, ErrorCode code) {
    lane.malformed(code);
  }

  @Override
  public void resetClosed(int stream, ErrorCode code) {
    link.writer().reset(stream, code);
  }

  @Override
  public void fail(ErrorCode code, GoAwayReason reason, String what) {
    session.fail(code, reason, what);
  }

  // What the session says.

  /** Those that the upstream did not look at may be asked again, and not on this connection. */
  void refusedAbove(int last) {
    for (OriginLane lane : table.all()) {
      if (lane.id() > last && lane.isSilent()) {
        lane.refused();
      }
    }
  }

  /** Ends those that are owed something since before {@code now}. */
  void due(long now) {
    for (OriginLane lane : table.all()) {
      lane.oweRequest();
      if (lane.dueIn(now) <= 0) {
        lane.due();
      }
    }
  }

  /** How long from {@code now} until one of them is due. */
  long dueIn(long now) {
    long least = Long.MAX_VALUE;
    for (OriginLane lane : table.all()) {
      least = Math.min(least, lane.dueIn(now));
    }
    return least;
  }

  /** What they are owed will not come any more. */
  void timedOut() {
    table.all().forEach(OriginLane::timedOut);
  }

  void failAll(Cause cause) {
    table.all().forEach(lane -> lane.fail(cause));
  }

  /** The connection is closed, and its owner knows of no room any more. */
  void close() {
    table.all().forEach(OriginLane::broken);
    owner.closed(new OriginLane(session, this, true));
  }
}
