package dev.sluice.wire.http1;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.Framing;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Takes one message's body out of a connection's bytes, by its framing. Confined to one loop. */
public final class BodyDecoder {

  /** What became of the bytes so far. */
  public enum Result {
    MORE,
    DONE,
    MALFORMED
  }

  private final Body body;
  private final @Nullable ChunkedDecoder chunked;
  private final boolean untilClose;
  private long left;
  private boolean paused;

  /** {@code framing} is not {@link Framing.None}. */
  public BodyDecoder(Body body, Framing framing, int maxTrailers) {
    this.body = body;
    this.chunked = framing instanceof Framing.Chunked ? new ChunkedDecoder(maxTrailers) : null;
    this.untilClose = framing instanceof Framing.UntilClose;
    this.left = framing instanceof Framing.Length length ? length.bytes() : 0;
  }

  /** Appends what it can to the body and leaves bytes behind the body's end in {@code in}. */
  public Result decode(ByteBuf in) {
    if (chunked != null) {
      return switch (chunked.decode(in, this::append)) {
        case MORE -> Result.MORE;
        case DONE -> Result.DONE;
        case MALFORMED -> Result.MALFORMED;
      };
    }
    if (untilClose) {
      append(in.readRetainedSlice(in.readableBytes()));
      return Result.MORE;
    }
    if (left > 0 && in.isReadable()) {
      int length = (int) Math.min(left, in.readableBytes());
      left -= length;
      append(in.readRetainedSlice(length));
    }
    return left == 0 ? Result.DONE : Result.MORE;
  }

  /** What stood behind the body. */
  public Trailers trailers() {
    return chunked == null ? Trailers.NONE : chunked.trailers();
  }

  /** Whether the end of the connection is the end of the body. */
  public boolean endsWithConnection() {
    return untilClose;
  }

  /** Whether the body's reader asked to pause since the last look. */
  public boolean isPaused() {
    return paused;
  }

  public void resumed() {
    paused = false;
  }

  private void append(ByteBuf chunk) {
    if (!body.append(chunk)) {
      paused = true;
    }
  }
}
