package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request's body to its stream as it comes, as far as the origin's windows and the socket
 * go. Confined to the connection's loop.
 */
final class OriginUpload implements Body.Reader {

  private final OriginSession session;
  private final OriginLane lane;
  private @Nullable Body body;

  OriginUpload(OriginSession session, OriginLane lane) {
    this.session = session;
    this.lane = lane;
  }

  void start(Body from) {
    body = from;
    from.follow(this);
  }

  boolean isActive() {
    return body != null;
  }

  /** Nobody at the other end reads on: what still comes of the body is dropped. */
  void stop() {
    if (body != null) {
      Body dropped = body;
      body = null;
      dropped.desert();
    }
  }

  void writable() {
    if (body != null) {
      body.resume();
    }
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (body == null) {
      chunk.release();
      return true;
    }
    session.writer().data(lane.id(), chunk, false);
    boolean more = session.writer().isWritable(lane.id());
    if (!more) {
      lane.uploadBlocked();
    }
    return more;
  }

  @Override
  public void flush() {
    session.writer().flush();
  }

  @Override
  public void complete(Trailers trailers) {
    if (body == null) {
      return;
    }
    body = null;
    if (trailers.isEmpty()) {
      session.writer().data(lane.id(), Unpooled.EMPTY_BUFFER, true);
    } else {
      var unused =
          session
              .writer()
              .headers(lane.id(), new SentFields().putLines(trailers.lines()), true);
    }
    session.writer().flush();
    lane.requestWritten();
  }

  @Override
  public void aborted(Cause cause) {
    if (body != null) {
      body = null;
      lane.uploadAborted(cause);
    }
  }
}
