package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.ByteBudget;
import dev.sluice.flow.Trailers;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of one stream: its window, which is credited only as whoever reads the body
 * takes it, and never before there is one (DEC-32), and the length that was announced. Confined to
 * its connection's loop.
 */
final class Intake implements Body.Source {

  private static final long UNANNOUNCED = -1;

  /** The part of a window that nobody waits for. */
  private static final int TOO_LITTLE = 64;

  private final Http2Connection connection;
  private final int stream;
  private final int fullWindow;
  private final long announced;
  private final @Nullable Body body;
  private boolean open;
  private boolean paused;
  private int window;
  private int owed;
  private long received;

  /**
   * A request's.
   *
   * @param ended whether its head was its end
   * @param readAhead bytes that the client may send unasked, and that are held before somebody
   *     reads; charged to {@code memory}
   */
  Intake(
      Http2Connection connection,
      int stream,
      RequestHead head,
      boolean ended,
      int readAhead,
      ByteBudget memory) {
    this.connection = connection;
    this.stream = stream;
    this.fullWindow = readAhead;
    this.window = readAhead;
    this.open = !ended;
    this.announced = head.framing() instanceof Framing.Length length ? length.bytes() : UNANNOUNCED;
    this.body = head.hasBody() ? new Body(this, readAhead, memory) : null;
  }

  @Nullable Body body() {
    return body;
  }

  /** Whether the client has not ended its side. */
  boolean isOpen() {
    return open;
  }

  /**
   * Whether the client can send no more before it is credited, or so little that it may not bother.
   */
  boolean isExhausted() {
    return window <= fullWindow / TOO_LITTLE;
  }

  /** Whether bytes are wanted, and the client may send them. */
  boolean isOwed() {
    return open && body != null && !paused && window > 0;
  }

  /**
   * Takes bytes of the body; what is wrong with them, or null. The payload is the caller's. Before
   * the client knows our window it goes by the protocol's own (RFC 9113 6.9.2).
   */
  @Nullable ErrorCode data(ByteBuf payload, int flowLength) {
    window -= flowLength;
    if (window < Math.min(0, fullWindow - Outlets.DEFAULT_WINDOW)) {
      return ErrorCode.FLOW_CONTROL_ERROR;
    }
    owed += flowLength;
    int length = payload.readableBytes();
    received += length;
    // RFC 9113 8.1.1: more than Content-Length.
    if (announced != UNANNOUNCED && received > announced) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    if (length > 0 && body != null && !body.append(payload.retain())) {
      paused = true;
    }
    credit();
    return null;
  }

  /** The client ended its side; false where the body is short of its length. */
  boolean end(Trailers trailers) {
    open = false;
    if (announced != UNANNOUNCED && received != announced) {
      return false;
    }
    if (body != null) {
      body.complete(trailers);
    }
    return true;
  }

  /** Nothing more is taken. */
  void close() {
    open = false;
  }

  @Override
  public void resume() {
    paused = false;
    credit();
    connection.intakeResumed(stream);
  }

  private void credit() {
    boolean taken = open && !paused && body != null && body.isFollowed();
    // By halves: a client always has the other half to go on with.
    if (taken && 2L * owed >= fullWindow) {
      window += owed;
      connection.credit(stream, owed);
      owed = 0;
    }
  }
}
