package dev.sluice.wire.http2;

import dev.sluice.flow.ByteBudget;
import dev.sluice.http.Headers;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.time.Loop;
import dev.sluice.wire.Caller;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientPace;
import dev.sluice.wire.client.LingeringClose;
import dev.sluice.wire.client.ServedConnection;
import dev.sluice.wire.http2.StreamTable.Past;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's HTTP/2 connection from its preface to its close: what its streams share, and how it
 * ends. {@link FrameReader} takes frames out of its bytes, {@link FrameRouter} judges them, {@link
 * Http2Stream} is one request. Confined to its event loop.
 */
final class Http2Connection implements ServedConnection {

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
  private final Http2Context context;
  private final ClientContext client;
  private final WireSettings settings;
  private final Caller caller;
  private final StreamTable table = new StreamTable();
  private final FrameWriter writer;
  private final Outlets outlets;
  private final FrameReader reader;
  private final FrameRouter router;
  private final Http2Timeouts timeouts;
  private final LingeringClose lingering;
  private final SentFields fields = new SentFields();
  private final List<Http2Stream> touched = new ArrayList<>(4);
  private final ReceiveWindow window = new ReceiveWindow();
  private final WrittenAnswers written;
  private State state = State.SERVING;
  private boolean counted;
  private boolean prefaced;
  private boolean reading;
  private boolean flushing;
  private boolean clientLeaves;

  Http2Connection(ChannelHandlerContext ctx, Http2Context context, Caller caller) {
    this.ctx = ctx;
    this.context = context;
    this.client = context.client();
    this.settings = client.settings();
    this.caller = caller;
    this.writer = new FrameWriter(ctx);
    var guard = new FloodGuard(client.ticker());
    this.outlets = new Outlets(writer, guard);
    this.router = new FrameRouter(this, table, guard, context.census(), settings);
    this.reader = new FrameReader(ctx, router, Http2Limits.BLOCK_FACTOR * settings.maxHeader());
    this.timeouts = new Http2Timeouts(this, client, settings);
    this.lingering = new LingeringClose(ctx.channel());
    this.written = new WrittenAnswers(ctx, this::rest);
  }

  // What the channel says.

  /** Our side of the preface goes out at once (RFC 9113 3.4). */
  void opened() {
    if (counted) {
      return;
    }
    counted = true;
    client.opened(this);
    context.census().connectionOpened();
    timeouts.preface();
    writer.settings(
        FrameRouter.MAX_CONCURRENT_STREAMS, Http2Limits.STREAMS,
        FrameRouter.INITIAL_WINDOW_SIZE, settings.readAhead(),
        FrameRouter.MAX_HEADER_LIST_SIZE, settings.maxHeader());
    writer.windowUpdate(0, Http2Limits.CONNECTION_WINDOW - Outlets.DEFAULT_WINDOW);
    writer.flush();
  }

  void read(ByteBuf bytes) {
    if (state == State.CLOSED) {
      bytes.release();
    } else if (state != State.LINGERING) {
      reading = true;
      reader.read(bytes);
    } else if (!lingering.drop(bytes)) {
      cut(Cause.CLIENT_LEFT);
    }
  }

  void readComplete() {
    for (Http2Stream stream : touched) {
      stream.flushUpload();
    }
    touched.clear();
    reading = false;
    if (isOpen()) {
      timeouts.headers(reader.isInHeaders());
    }
    flush();
  }

  void writable() {
    flush();
  }

  /** The client closed, or its side of it: no stream can go on without what it would say. */
  void lost() {
    cut(Cause.CLIENT_LEFT);
  }

  void failed(Throwable failure) {
    if (failure instanceof IOException) {
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
      context.census().goneAway(GoAwayReason.DRAIN);
      writer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "");
      writer.ping(WARNING_PING, false);
      timeouts.soon();
      flush();
    }
  }

  @Override
  public void kill() {
    if (isOpen()) {
      writer.goAway(table.last(), ErrorCode.NO_ERROR, "");
      writer.flush();
    }
    cut(Cause.SHUTDOWN);
  }

  // What the router says.

  /** The client's preface is whole. */
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

  /** Counts what was received against the connection's window; false where it was too much. */
  boolean received(int bytes) {
    if (!window.take(bytes)) {
      return false;
    }
    credit();
    return true;
  }

  private void credit() {
    int due = window.due();
    if (due == 0) {
      return;
    }
    if (client.requestMemory().isSpent()) {
      // Nothing more comes: whoever waits for the rest of a body goes on with what there is.
      table.all().forEach(Http2Stream::uploadMoved);
    } else {
      window.refill();
      writer.windowUpdate(0, due);
    }
  }

  void touched(Http2Stream stream) {
    touched.add(stream);
  }

  /** So many more flights, or fewer, go on without their client (DEC-28). */
  void left(int more) {
    router.left(more);
  }

  /** Whether streams are ignored from now on. */
  boolean isTakingNoMore() {
    return state == State.LEAVING;
  }

  // What streams say.

  /** The client may send so many more bytes on a stream. */
  void credit(int stream, int bytes) {
    writer.windowUpdate(stream, bytes);
    flush();
  }

  /** A stream's body is read on. */
  void intakeResumed(int stream) {
    if (!isOpen()) {
      return;
    }
    Http2Stream resumed = table.get(stream);
    if (resumed != null && resumed.intake().isOwed()) {
      resumed.pace().startReading();
      timeouts.watch(resumed);
    }
    credit();
    flush();
  }

  /** All of its answer is written; its end, for the exchange, is when the socket has it. */
  void answered(Http2Stream stream) {
    if (stream.intake().isOpen()) {
      // RFC 9113 8.1: an early answer; the rest of the request is not wanted.
      writer.reset(stream.id(), ErrorCode.NO_ERROR);
      removed(stream, Past.OUR_RESET);
    } else {
      removed(stream, Past.ENDED);
    }
    stream.intake().close();
    written.add(stream);
  }

  /** Ends a stream that is open, or was. */
  void reset(Http2Stream stream, ErrorCode code, Cause cause) {
    if (!stream.isOver()) {
      if (isOpen() && removed(stream, Past.OUR_RESET)) {
        context.census().ourReset();
        writer.reset(stream.id(), code);
      }
      stream.end(cause);
      flush();
    }
  }

  /** Ends a stream that no exchange came of. */
  void resetClosed(int stream, ErrorCode code) {
    context.census().ourReset();
    writer.reset(stream, code);
    if (stream <= table.last()) {
      table.remove(stream, Past.OUR_RESET);
    }
  }

  /** The stream is open no more; false where it was not. */
  boolean removed(Http2Stream stream, Past past) {
    boolean was = table.get(stream.id()) == stream;
    if (was) {
      table.remove(stream.id(), past);
      context.census().streamClosed();
    }
    return was;
  }

  void watch(Http2Stream stream) {
    if (table.get(stream.id()) == stream) {
      timeouts.busy();
      timeouts.watch(stream);
    }
  }

  // What goes out.

  /** What was written should be on its way, at the end of this turn at the latest. */
  void flush() {
    if (reading || flushing || state == State.CLOSED) {
      return;
    }
    flushing = true;
    try {
      outlets.pump();
      writer.flush();
    } finally {
      flushing = false;
    }
    settle();
  }

  /** Ends what the socket has all of. */
  private void settle() {
    if (state == State.CLOSED) {
      return;
    }
    if (unsent() > 0) {
      timeouts.unsent(unsent());
    }
    written.settle(unsent() > 0);
    rest();
  }

  /** Nothing under way: the connection waits, or goes. */
  void rest() {
    boolean begun = prefaced || state == State.LEAVING;
    if (!table.isEmpty() || !written.isEmpty() || !isOpen() || !begun) {
      return;
    }
    if (state == State.LEAVING || (clientLeaves && state == State.SERVING)) {
      cut(state == State.LEAVING ? Cause.SHUTDOWN : Cause.CLIENT_LEFT);
    } else if (state == State.SERVING && !reader.isInHeaders() && unsent() == 0) {
      timeouts.idle();
    }
  }

  long unsent() {
    var buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  // What the clock says.

  /** The second half of going away does not wait for ever. */
  void looked() {
    leave();
    if (isOpen()) {
      credit();
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
    context.census().goneAway(reason);
    state = State.LINGERING;
    reader.stop();
    writer.goAway(table.last(), code, what);
    writer.flush();
    endAll(cause);
    if (lingering.begin()) {
      timeouts.linger();
    } else {
      cut(cause);
    }
  }

  private void leave() {
    if (state == State.WARNED) {
      state = State.LEAVING;
      writer.goAway(table.last(), ErrorCode.NO_ERROR, "");
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
    reader.stop();
    endAll(cause);
    writer.close();
    if (counted) {
      client.closed(this);
      context.census().connectionClosed();
    }
  }

  private void endAll(Cause cause) {
    outlets.close();
    touched.clear();
    for (Http2Stream stream : table.all()) {
      removed(stream, Past.OUR_RESET);
      stream.end(cause);
    }
    written.endAll(cause);
  }

  private boolean isOpen() {
    return state != State.LINGERING && state != State.CLOSED;
  }

  // What streams share.

  List<Http2Stream> streams() {
    return table.all();
  }

  Loop loop() {
    return client.loop();
  }

  /** Who is at the connection's other end, whatever requests say. */
  Peer peer() {
    return caller.direct();
  }

  /** For whom a request with these fields is. */
  Peer peerOf(Headers headers) {
    return caller.peer(client.settings().trust(), headers);
  }

  RequestSink sink() {
    return client.sink();
  }

  ByteBudget requestMemory() {
    return client.requestMemory();
  }

  byte[] date() {
    return client.date().now();
  }

  ClientPace newPace() {
    var pace = new ClientPace(settings, client.ticker());
    pace.begin();
    return pace;
  }

  FrameWriter writer() {
    return writer;
  }

  Outlets outlets() {
    return outlets;
  }

  /** For one message at a time. */
  SentFields fields() {
    return fields;
  }
}
