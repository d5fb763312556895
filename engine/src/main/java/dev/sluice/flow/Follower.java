package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One reader's place in a kept body. It holds a pin on the body from its making until it was told
 * the end or deserts. Confined to the reader's loop, but for what says otherwise.
 */
final class Follower implements ReadableBody {

  /** The place of one that has left. */
  static final int NOWHERE = -1;

  /** Its place among the body's followers; home's. */
  int place = NOWHERE;

  /** Whether it seems to hold up others; home's. */
  boolean suspected;

  private final KeptBody body;
  private final ReaderGroup group;
  private final AtomicBoolean pinned = new AtomicBoolean(true);
  private Body.@Nullable Reader reader;
  private @Nullable Block at;
  private long position;
  private boolean followed;
  private boolean serving;
  private boolean paused;
  private boolean over;

  /** Whether the reader was never told to flush, so that what it wrote before may lie there. */
  private boolean unflushed = true;

  /** How far it has read; for the writer. */
  private volatile long seen;

  Follower(KeptBody body, ReaderGroup group) {
    this.body = body;
    this.group = group;
  }

  @Override
  public void follow(Body.Reader follower) {
    if (followed) {
      throw new IllegalStateException("kept body: a second reader in one place");
    }
    followed = true;
    if (over) {
      // It was cut before it came.
      follower.aborted(Cause.LAGGARD);
      return;
    }
    reader = follower;
    group.join(this);
    handOnAll();
  }

  @Override
  public void resume() {
    if (paused) {
      paused = false;
      handOnAll();
    }
  }

  @Override
  public void desert() {
    followed = true;
    if (!over) {
      leave();
    }
  }

  /** Hands on whatever is there and the reader has room for; the writer has no more for now. */
  void serve() {
    handOnAll();
    Body.Reader to = reader;
    if (unflushed && to != null) {
      unflushed = false;
      to.flush();
    }
  }

  private void handOnAll() {
    if (serving) {
      // A reader's call from within: the pass under way looks again.
      return;
    }
    serving = true;
    try {
      while (pass()) {
        // The reader may have made room meanwhile, and more may have come.
      }
    } finally {
      serving = false;
    }
  }

  /** Whether something was handed on. */
  private boolean pass() {
    Body.Reader to = reader;
    if (to == null) {
      return false;
    }
    // The end is read before the bytes: whoever sees it sees all of them.
    KeptBody.End end = body.end();
    long published = body.published();
    boolean moved = handOn(to, published);
    if (end != null && !over && position == published) {
      leave();
      end.tell(to);
    }
    return moved;
  }

  private boolean handOn(Body.Reader to, long published) {
    long before = position;
    while (position < published && !paused && !over) {
      ByteBuf bytes = next(published);
      position += bytes.readableBytes();
      paused = !to.chunk(bytes);
    }
    if (position == before || over) {
      return false;
    }
    seen = position;
    unflushed = false;
    to.flush();
    body.progressed();
    return true;
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

  /** It held up others for too long. */
  void cut() {
    fail(Cause.LAGGARD);
  }

  /** Its reader gets no more, and is told why. */
  void fail(Cause cause) {
    if (over) {
      return;
    }
    Body.Reader to = reader;
    leave();
    if (to != null) {
      to.aborted(cause);
    }
  }

  private void leave() {
    over = true;
    reader = null;
    at = null;
    group.quit();
    body.deserted(this);
  }

  /** Whether it needs no more service. */
  boolean isOver() {
    return over;
  }

  ReaderGroup group() {
    return group;
  }

  /** Where its reader lives. Thread-safe. */
  Loop loop() {
    return group.loop();
  }

  /** How far it has read. Thread-safe. */
  long seen() {
    return seen;
  }

  /** True for the one who is to let go of its pin. Thread-safe. */
  boolean takePin() {
    return pinned.getAndSet(false);
  }
}
