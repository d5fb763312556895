package dev.sluice.wire.http2;

import dev.sluice.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * What an HTTP/2 connection is in either role: frames in, frames out, the two windows of the
 * connection itself, what the peer said of itself, the streams that are open. {@link FrameReader}
 * takes frames out of its bytes, {@link FrameRouter} judges them, {@link Outlets} shares what goes
 * out; who is at the other end, and what becomes of it, a {@link LinkEnd} knows. Confined to its
 * event loop.
 */
final class Http2Link<S extends LinkStream> {

  /** How often one flush writes on at once because the socket took all. */
  private static final int ROUNDS = 16;

  private final ChannelHandlerContext ctx;
  private final LinkEnd<S> end;
  private final StreamTable<S> table = new StreamTable<>();
  private final PeerSettings peer;
  private final FloodGuard guard;
  private final FrameWriter writer;
  private final Outlets outlets;
  private final FrameRouter<S> router;
  private final FrameReader reader;
  private final ReceiveWindow window = new ReceiveWindow();
  private final SentFields fields = new SentFields();
  private final List<S> touched = new ArrayList<>(4);
  private boolean reading;
  private boolean flushing;
  private boolean closed;

  /**
   * Nothing is written yet.
   *
   * @param role ours
   * @param maxFields bytes of the largest field section that is taken (RFC 9113 6.5.2)
   * @param maxBlock bytes of the largest header block that is read to its end
   */
  Http2Link(
      ChannelHandlerContext ctx,
      LinkEnd<S> end,
      Role role,
      Ticker ticker,
      int maxFields,
      int maxBlock) {
    this.ctx = ctx;
    this.end = end;
    this.peer = new PeerSettings(role);
    this.guard = new FloodGuard(role, ticker);
    this.writer = new FrameWriter(ctx);
    this.outlets = new Outlets(writer, guard);
    this.router = new FrameRouter<>(this, end, role, maxFields);
    this.reader = new FrameReader(ctx, new FrameParser(ctx.alloc(), router, maxBlock), role);
  }

  /** Says what we take; parameters as id, value, id, value, … */
  void open(int... parameters) {
    writer.settings(parameters);
    writer.windowUpdate(0, Http2Limits.CONNECTION_WINDOW - Outlets.DEFAULT_WINDOW);
    writer.flush();
  }

  // What comes in.

  /** Takes {@code bytes}; what they cause is flushed by {@link #readComplete}. */
  void read(ByteBuf bytes) {
    reading = true;
    reader.read(bytes);
    end.held(reader.held());
  }

  /** There is no more to read for now. */
  void readComplete() {
    for (int i = 0; i < touched.size(); i++) {
      touched.get(i).flushReceived();
    }
    touched.clear();
    reading = false;
  }

  /** Something came for {@code stream} in this turn. */
  void touched(S stream) {
    if (touched.isEmpty() || touched.get(touched.size() - 1) != stream) {
      touched.add(stream);
    }
  }

  /** Whether a header block began and did not end. */
  boolean isInHeaders() {
    return reader.isInHeaders();
  }

  /** Counts what was received against the connection's window; false where it was too much. */
  boolean received(int bytes) {
    if (!window.take(bytes)) {
      return false;
    }
    refill();
    return true;
  }

  /** The connection's window opens again: what must be held back is held back by streams. */
  void refill() {
    int due = window.due();
    if (due > 0 && end.mayRefill()) {
      window.refill();
      writer.windowUpdate(0, due);
    }
  }

  /** What came is an error of {@code stream}, which is open or just begins. */
  void streamError(int stream, ErrorCode code) {
    router.streamError(stream, code);
  }

  // What goes out.

  /** The peer may send so many more bytes on a stream. */
  void credit(int stream, int bytes) {
    if (!closed) {
      writer.windowUpdate(stream, bytes);
      flush();
    }
  }

  /** What was written should be on its way, at the end of this turn at the latest; true: it is. */
  boolean flush() {
    if (reading || flushing || closed) {
      return false;
    }
    flushing = true;
    try {
      pump();
    } finally {
      flushing = false;
    }
    return true;
  }

  /** The socket that has room again says so while it is written to, and then no more. */
  private void pump() {
    int rounds = 0;
    do {
      outlets.pump();
      writer.flush();
      rounds++;
    } while (!closed && rounds < ROUNDS && outlets.mayPump());
    if (!closed && outlets.mayPump()) {
      ctx.executor().execute(ctx.pipeline()::fireChannelWritabilityChanged);
    }
  }

  /** Bytes that the socket has not taken. */
  long unsent() {
    var buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  // The end.

  /** No frame is read any more, nor any byte of a body written. */
  void stop() {
    reader.stop();
    end.held(reader.held());
    outlets.close();
    touched.clear();
  }

  /** Neither read nor written any more. */
  void close() {
    if (!closed) {
      closed = true;
      stop();
      writer.close();
    }
  }

  // Its parts.

  StreamTable<S> table() {
    return table;
  }

  PeerSettings peer() {
    return peer;
  }

  FloodGuard guard() {
    return guard;
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
