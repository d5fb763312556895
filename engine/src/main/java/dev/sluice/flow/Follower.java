package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One reader's place in a kept body. It holds a pin on the body from its making until it deserts.
 * Confined to the reader's loop, but for what says otherwise.
 */
final class Follower implements ReadableBody {

  private final KeptBody body;
  private final ReaderGroup group;
  private Body.@Nullable Reader reader;
  private @Nullable Block at;
  private long position;
  private boolean paused;
  private boolean over;
  private boolean deserted;

  /** How far it has read; for the writer. */
  private volatile long seen;

  /** Set by the writer: it held up others for too long. */
  private volatile boolean isCut;

  Follower(KeptBody body, ReaderGroup group) {
    this.body = body;
    this.group = group;
  }

  @Override
  public void follow(Body.Reader follower) {
    reader = follower;
    group.join(this);
    serve();
  }

  @Override
  public void resume() {
    if (paused) {
      paused = false;
      serve();
    }
  }

  @Override
  public void desert() {
    if (deserted) {
      return;
    }
    deserted = true;
    finish();
    group.quit(this);
    body.deserted(this);
  }

  /** Hands on whatever is there and the reader has room for. */
  void serve() {
    Body.Reader to = reader;
    if (to == null || over || paused) {
      return;
    }
    if (isCut) {
      finish();
      to.aborted(Cause.LAGGARD);
      return;
    }
    // The end is read before the bytes: whoever sees it sees all of them.
    KeptBody.End end = body.end();
    long published = body.published();
    boolean moved = position < published;
    while (position < published && !paused) {
      ByteBuf bytes = next(published);
      position += bytes.readableBytes();
      paused = !to.chunk(bytes);
    }
    if (moved) {
      seen = position;
      to.flush();
      body.progressed();
    }
    if (end != null && !over && position == published) {
      finish();
      end.tell(to);
    }
  }

  private ByteBuf next(long published) {
    Block block = at == null ? body.first() : at;
    if (block != null && position == block.end()) {
      block = block.next;
    }
    if (block == null) {
      throw new IllegalStateException("kept body: byte " + position + " was published and is gone");
    }
    at = block;
    return block.slice(position, Math.min(published, block.end()));
  }

  private void finish() {
    over = true;
    reader = null;
    at = null;
  }

  /** Whether it needs no more service. */
  boolean isOver() {
    return over;
  }

  /** Where its reader lives. Thread-safe. */
  Loop loop() {
    return group.loop();
  }

  ReaderGroup group() {
    return group;
  }

  /** How far it has read. Thread-safe. */
  long seen() {
    return seen;
  }

  /** It will be aborted at its next service. Thread-safe. */
  void cut() {
    isCut = true;
  }
}
