package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of one stream: bytes of an answer, or of an upload, that wait for the peer's
 * windows and the socket. What it holds is bounded by pausing the body; how much goes out, and
 * when, {@link Outlets} decides. Confined to its connection's loop.
 */
final class Outlet implements Body.Reader {

  private final LinkStream stream;
  private final Outlets outlets;
  private final FrameWriter writer;
  private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(4);
  private long heldBytes;
  private long window;
  private long sent;
  private boolean discards;
  private boolean lined;
  private boolean paused;
  private boolean ended;
  private boolean done;
  private Trailers trailers = Trailers.NONE;
  private @Nullable ReadableBody body;

  Outlet(LinkStream stream, Outlets outlets, FrameWriter writer, long window) {
    this.stream = stream;
    this.outlets = outlets;
    this.writer = writer;
    this.window = window;
  }

  /** Follows {@code from}; {@code discard}: it is the body of a message that has none. */
  void follow(ReadableBody from, boolean discard) {
    discards = discard;
    body = from;
    from.follow(this);
  }

  /** All of a body. */
  void whole(ByteBuf bytes) {
    body = ReadableBody.NONE;
    hold(bytes);
    complete(Trailers.NONE);
  }

  /** The message's head was its end. */
  void endedWithHead() {
    done = true;
  }

  /** Nothing more goes out; the body is not touched. */
  void close() {
    done = true;
    body = null;
    for (ByteBuf bytes = held.poll(); bytes != null; bytes = held.poll()) {
      bytes.release();
    }
    heldBytes = 0;
    if (lined) {
      lined = false;
      outlets.unline(this);
    }
  }

  /** Nothing more goes out; what still comes of the body is dropped. */
  void desert() {
    ReadableBody dropped = body;
    close();
    if (dropped != null) {
      dropped.desert();
    }
  }

  /** Whether all of the message was written. */
  boolean isDone() {
    return done;
  }

  /** Body bytes written. */
  long sent() {
    return sent;
  }

  /** Whether bytes of the body came. */
  boolean isBegun() {
    return sent > 0 || heldBytes > 0;
  }

  /** Whether bytes wait for the peer. */
  boolean isWaiting() {
    return heldBytes > 0;
  }

  // What flow control says.

  /** Adds to the window, or takes from it; false where it would be more than 2^31-1. */
  boolean credit(long bytes) {
    window += bytes;
    if (window > Integer.MAX_VALUE) {
      return false;
    }
    line();
    return true;
  }

  /** Whether a frame could go out, as far as this stream's window goes. */
  boolean isSendable() {
    return heldBytes > 0 && window > 0;
  }

  void unlined() {
    lined = false;
  }

  /** Writes one frame of {@code most} bytes at most; returns its length. */
  int writeFrame(long most) {
    int length = (int) Math.min(Math.min(heldBytes, window), most);
    boolean last = ended && length == heldBytes;
    writer.dataHead(stream.id(), length, last && trailers.isEmpty());
    int left = length;
    while (left > 0) {
      ByteBuf first = held.element();
      if (first.readableBytes() <= left) {
        held.remove();
        left -= first.readableBytes();
        writer.payload(first);
      } else {
        writer.payload(first.readRetainedSlice(left));
        left = 0;
      }
    }
    heldBytes -= length;
    window -= length;
    sent += length;
    if (last) {
      finish();
    }
    return length;
  }

  /** What was written made room: the body may go on. */
  void resumeBody() {
    if (paused && heldBytes <= Http2Limits.HELD / 2 && body != null) {
      paused = false;
      body.resume();
    }
  }

  // What the body says.

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (body == null || discards || !chunk.isReadable()) {
      chunk.release();
      return true;
    }
    hold(chunk);
    paused = heldBytes >= Http2Limits.HELD;
    return !paused;
  }

  @Override
  public void flush() {
    stream.flush();
  }

  @Override
  public void complete(Trailers last) {
    if (done) {
      return;
    }
    body = null;
    ended = true;
    trailers = discards ? Trailers.NONE : last;
    if (heldBytes == 0) {
      end();
    }
    stream.flush();
  }

  @Override
  public void aborted(Cause cause) {
    if (body != null) {
      body = null;
      stream.sendingCut(cause);
    }
  }

  private void hold(ByteBuf bytes) {
    held.add(bytes);
    heldBytes += bytes.readableBytes();
    line();
  }

  private void line() {
    if (!lined && isSendable()) {
      lined = true;
      outlets.line(this);
    }
  }

  private void end() {
    if (trailers.isEmpty() && !writer.endWithHeaders(stream.id())) {
      writer.dataHead(stream.id(), 0, true);
    }
    finish();
  }

  private void finish() {
    done = true;
    if (!trailers.isEmpty()) {
      writer.headers(stream.id(), new SentFields().putLines(trailers.lines()), true);
    }
    stream.sent();
  }
}
