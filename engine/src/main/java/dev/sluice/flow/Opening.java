package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The body of another's answer, held back until its first byte or its end is there: who has had
 * nothing of it yet may still get a better one (DEC-35). Confined to the reader's event loop.
 */
public final class Opening implements Body.Reader, ReadableBody {

  /** Who waits for it: hears one of the two, once. */
  public interface Waiting {

    /** It has begun; the body is to be followed, or deserted, before this returns. */
    void opened(ReadableBody body);

    /** It ended short, and nothing of it came. */
    void cutUnopened(Cause cause);
  }

  private final ReadableBody source;
  private final Waiting waiting;
  private Body.@Nullable Reader reader;
  private @Nullable ByteBuf first;
  private @Nullable Trailers last;
  private boolean wantsMore = true;
  private boolean deserted;

  public Opening(ReadableBody source, Waiting waiting) {
    this.source = source;
    this.waiting = waiting;
  }

  /** Begins to wait. */
  public void await() {
    source.follow(this);
  }

  // What the source tells.

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (reader != null) {
      return reader.chunk(chunk);
    }
    first = chunk;
    waiting.opened(this);
    return wantsMore;
  }

  @Override
  public void flush() {
    if (reader != null) {
      reader.flush();
    }
  }

  @Override
  public void complete(Trailers trailers) {
    if (reader != null) {
      reader.complete(trailers);
      return;
    }
    last = trailers;
    waiting.opened(this);
  }

  @Override
  public void aborted(Cause cause) {
    if (reader != null) {
      reader.aborted(cause);
    } else if (!deserted) {
      waiting.cutUnopened(cause);
    }
  }

  // What the reader asks for.

  @Override
  public void follow(Body.Reader follower) {
    reader = follower;
    ByteBuf held = first;
    first = null;
    if (held != null) {
      wantsMore = follower.chunk(held);
    }
    if (last != null) {
      follower.complete(last);
    }
  }

  @Override
  public void resume() {
    source.resume();
  }

  @Override
  public void desert() {
    deserted = true;
    reader = null;
    if (first != null) {
      first.release();
      first = null;
    }
    source.desert();
  }
}
