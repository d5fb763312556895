package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;

/**
 * Carries one body's bytes on into another, which holds the first of them until a reader comes; the
 * rest waits where it comes from. Confined to the bodies' event loop.
 */
public final class BodyPipe implements Body.Reader {

  private final Body to;

  private BodyPipe(Body to) {
    this.to = to;
  }

  /** Follows {@code from}; returns the body to read in its place, {@code window} bytes ahead. */
  public static Body of(Body from, int window) {
    Body to = new Body(from::resume, window, null);
    from.follow(new BodyPipe(to));
    return to;
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    return to.append(chunk);
  }

  @Override
  public void flush() {
    to.flush();
  }

  @Override
  public void complete(Trailers trailers) {
    to.complete(trailers);
  }

  @Override
  public void aborted(Cause cause) {
    to.abort(cause);
  }
}
