package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import dev.sluice.wire.http2.StreamTable.Past;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;

/**
 * The streams of a client's connection: how each begins, and every way in which it ends. What
 * concerns the connection as a whole goes on to {@link Http2Connection}. Confined to its loop.
 */
final class ServedStreams implements LinkEnd<Http2Stream> {

  private final Http2Connection connection;
  private final Http2Link<Http2Stream> link;
  private final StreamTable<Http2Stream> table;
  private final Http2Census census;
  private final ServedClient client;
  private final Http2Timeouts timeouts;
  private final WrittenAnswers written;
  private final RequestStart requests;
  private int held;

  ServedStreams(
      Http2Connection connection,
      ChannelHandlerContext ctx,
      ServedClient client,
      Http2Timeouts timeouts,
      Http2Census census) {
    this.connection = connection;
    this.census = census;
    this.client = client;
    this.timeouts = timeouts;
    int maxHeader = client.settings().maxHeader();
    int maxBlock = Http2Limits.BLOCK_FACTOR * maxHeader;
    this.link =
        new Http2Link<>(ctx, this, Role.SERVER, client.context().ticker(), maxHeader, maxBlock);
    this.table = link.table();
    this.written = new WrittenAnswers(ctx, connection::answersSent);
    this.requests = new RequestStart(this, link, census, client);
  }

  Http2Link<Http2Stream> link() {
    return link;
  }

  /** Those that are open, as they are now. */
  List<Http2Stream> all() {
    return table.all();
  }

  /** Whether no stream is open, and the socket has every answer. */
  boolean isIdle() {
    return table.isEmpty() && written.isEmpty();
  }

  /** Whether the client asks on without taking what it was answered. */
  boolean isFull() {
    return written.isFull();
  }

  // What the link says.

  @Override
  public void begun(
      int stream, ReceivedFields fields, Decoded decoded, int dependency, boolean end) {
    table.began(stream);
    link.guard().requested();
    if (connection.isTakingNoMore()) {
      // RFC 9113 6.8: it was told, and asks again elsewhere.
      table.remove(stream, Past.OUR_RESET);
    } else {
      requests.begun(stream, fields, decoded, dependency, end);
    }
  }

  @Override
  public void resetByPeer(Http2Stream stream, int code) {
    boolean oneTooMany = requests.isSpent();
    census.clientReset();
    removed(stream, Past.PEER_RESET);
    stream.end(Cause.CLIENT_LEFT);
    if (oneTooMany) {
      GoAwayReason reason = GoAwayReason.LEFT_FLIGHTS;
      fail(ErrorCode.ENHANCE_YOUR_CALM, reason, reason.code());
    }
  }

  @Override
  public void settingsCame() {
    connection.prefaceCame();
  }

  @Override
  public void pingAcknowledged(long opaque) {
    connection.pingAcknowledged(opaque);
  }

  @Override
  public void goneAway(int last) {
    connection.clientLeaves();
  }

  /** DEC-32: what is not whole is held, too. */
  @Override
  public void held(int bytes) {
    held = client.requestMemory().charge(held, bytes);
  }

  /**
   * Past the account only for who is being read: its bytes need the connection's window, whatever
   * its siblings hold, and it has what they wait for (F02). What they may add is bounded by their
   * own windows.
   */
  @Override
  public boolean mayRefill() {
    if (!client.requestMemory().isSpent() || all().stream().anyMatch(Http2Stream::isRead)) {
      return true;
    }
    // Nothing more comes: whoever waits for the rest of a body goes on with what there is.
    all().forEach(Http2Stream::uploadMoved);
    return false;
  }

  @Override
  public void reset(Http2Stream stream, ErrorCode code) {
    reset(stream, code, Cause.CLIENT_PROTOCOL);
  }

  @Override
  public void resetClosed(int stream, ErrorCode code) {
    census.ourReset();
    link.writer().reset(stream, code);
    if (stream <= table.last()) {
      table.remove(stream, Past.OUR_RESET);
    }
  }

  @Override
  public void fail(ErrorCode code, GoAwayReason reason, String what) {
    connection.fail(code, reason, what);
  }

  // What streams say.

  /** So many more flights, or fewer, go on without their client (DEC-28). */
  void left(int more) {
    requests.left(more);
  }

  /** A stream's body is read on. */
  void intakeResumed(Http2Stream stream) {
    if (!connection.isOpen()) {
      return;
    }
    if (table.get(stream.id()) == stream && stream.intake().isOwed()) {
      stream.pace().startReading();
      timeouts.watch(stream);
    }
    link.refill();
    flush();
  }

  /** What a stream's client owes may have changed. */
  void watch(Http2Stream stream) {
    if (table.get(stream.id()) == stream) {
      timeouts.busy();
      timeouts.watch(stream);
    }
  }

  /** What was written should be on its way, at the end of this turn at the latest. */
  void flush() {
    connection.flush();
  }

  /** All of its answer is written; its end, for the exchange, is when the socket has it. */
  void answered(Http2Stream stream) {
    if (stream.intake().isOpen()) {
      // RFC 9113 8.1: an early answer; the rest of the request is not wanted.
      link.writer().reset(stream.id(), ErrorCode.NO_ERROR);
      removed(stream, Past.OUR_RESET);
    } else {
      removed(stream, Past.ENDED);
    }
    stream.intake().close();
    written.add(stream);
  }

  /** Ends a stream that is open, or was, for {@code cause}. */
  void reset(Http2Stream stream, ErrorCode code, Cause cause) {
    if (!stream.isOver()) {
      if (connection.isOpen() && removed(stream, Past.OUR_RESET)) {
        census.ourReset();
        link.writer().reset(stream.id(), code);
      }
      stream.end(cause);
      flush();
    }
  }

  /** The stream is open no more; false where it was not. */
  private boolean removed(Http2Stream stream, Past past) {
    boolean was = table.get(stream.id()) == stream;
    if (was) {
      table.remove(stream.id(), past);
      census.streamClosed();
    }
    return was;
  }

  // What the connection says.

  /** Everything was flushed; {@code unsent}: the socket did not take all of it. */
  void settle(boolean unsent) {
    written.settle(unsent);
  }

  /** All of them end, for {@code cause}. */
  void endAll(Cause cause) {
    for (Http2Stream stream : all()) {
      removed(stream, Past.OUR_RESET);
      stream.end(cause);
    }
    written.endAll(cause);
  }
}
