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
 * takes it, and never before there is one (DEC-32, DEC-50), and the length that was announced.
 * Confined to its connection's loop.
 */
final class Intake implements Body.Source {

  private static final long UNANNOUNCED = -1;
  private static final int NO_BODY = -1;

  /** The part of a window that nobody waits for. */
  private static final int TOO_LITTLE = 64;

  private final LinkStream stream;
  private final Http2Link<?> link;
  private final int fullWindow;
  private final long announced;
  private final @Nullable Body body;
  private boolean open;
  private boolean paused;
  private int window;
  private int owed;
  private long received;

  /**
   * A request's body. Its window is what the client may send unasked, and what is held before
   * somebody reads.
   *
   * @param ended whether its head was its end
   * @param window bytes
   * @param memory what is held is charged to
   */
  static Intake ofRequest(
      LinkStream stream,
      Http2Link<?> link,
      RequestHead head,
      boolean ended,
      int window,
      ByteBudget memory) {
    return new Intake(
        stream, link, head.framing(), ended, window, head.hasBody() ? window : NO_BODY, memory);
  }

  /**
   * An answer's body.
   *
   * @param ended whether its head was its end
   * @param window bytes
   */
  static Intake ofAnswer(
      LinkStream stream, Http2Link<?> link, Framing framing, boolean ended, int window) {
    return new Intake(stream, link, framing, ended, window, Integer.MAX_VALUE, null);
  }

  private Intake(
      LinkStream stream,
      Http2Link<?> link,
      Framing framing,
      boolean ended,
      int window,
      int held,
      @Nullable ByteBudget memory) {
    this.stream = stream;
    this.link = link;
    this.fullWindow = window;
    this.window = window;
    this.open = !ended;
    this.announced = lengthOf(framing);
    this.body = held == NO_BODY ? null : new Body(this, held, memory);
  }

  private static long lengthOf(Framing framing) {
    if (framing instanceof Framing.Length length) {
      return length.bytes();
    }
    return framing instanceof Framing.None ? 0 : UNANNOUNCED;
  }

  @Nullable Body body() {
    return body;
  }

  /** Whether the peer has not ended its side. */
  boolean isOpen() {
    return open;
  }

  /**
   * Whether the peer can send no more before it is credited, or so little that it may not bother.
   */
  boolean isExhausted() {
    return window <= fullWindow / TOO_LITTLE;
  }

  /** Whether what came is as long as was announced. */
  boolean isWhole() {
    return announced == UNANNOUNCED || received == announced;
  }

  /** Whether bytes are wanted, and the peer may send them. */
  boolean isOwed() {
    return open && body != null && !paused && window > 0;
  }

  /** Whether whoever reads it came, or never will. */
  boolean isFollowed() {
    return body != null && body.isFollowed();
  }

  /**
   * Takes bytes of the body; what is wrong with them, or null. The payload is the caller's. Before
   * the peer knows our window it goes by the protocol's own (RFC 9113 6.9.2).
   */
  @Nullable ErrorCode data(ByteBuf payload, int flowLength, boolean end) {
    window -= flowLength;
    if (window < Math.min(0, fullWindow - Outlets.DEFAULT_WINDOW)) {
      return ErrorCode.FLOW_CONTROL_ERROR;
    }
    owed += flowLength;
    int length = payload.readableBytes();
    received += length;
    // RFC 9113 8.1.1: more than Content-Length, or less; seen before the bytes are anybody's.
    if (announced != UNANNOUNCED && (end ? received != announced : received > announced)) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    if (length > 0 && body != null && !body.append(payload.retain())) {
      paused = true;
    }
    credit();
    return null;
  }

  /** The peer ended its side; false where the body is short of its length. */
  boolean end(Trailers trailers) {
    open = false;
    if (isWhole() && body != null) {
      body.complete(trailers);
    }
    return isWhole();
  }

  /** Nothing more is taken. */
  void close() {
    open = false;
  }

  @Override
  public void resume() {
    paused = false;
    credit();
    stream.receivingResumed();
  }

  private void credit() {
    boolean taken = open && !paused && isFollowed();
    // By halves: the peer always has the other half to go on with.
    if (taken && 2L * owed >= fullWindow) {
      window += owed;
      link.credit(stream.id(), owed);
      owed = 0;
    }
  }
}
