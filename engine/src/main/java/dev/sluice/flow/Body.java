package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one message's body on their way from the side that reads them off a socket, the
 * source, to the side that writes them on, the reader. In relay mode (DEC-26): one reader, nothing
 * kept but what came before the reader did; the reader paces the source.
 *
 * <p>Confined to the event loop of its flight. A chunk has one owner at a time: {@link #append}
 * takes it, and the reader takes it from here.
 */
public final class Body implements ReadableBody {

  /** Who reads the bytes off a socket. */
  public interface Source {
    /** More bytes are wanted. May be called when none were refused. */
    void resume();
  }

  /** Who writes the bytes on. */
  public interface Reader {
    /** Takes the next bytes; false asks the source to pause until {@link Body#resume()}. */
    boolean chunk(ByteBuf chunk);

    /** The source has no more for now: what was taken should be on its way. */
    void flush();

    /** The body ended as it should. */
    void complete(Trailers trailers);

    /** The body ended short; whoever gets it must be able to tell. */
    void aborted(Cause cause);
  }

  private enum State {
    OPEN,
    COMPLETE,
    ABORTED
  }

  /**
   * Behind so many pieces, chunks below so many bytes are held together, in buffers of this size.
   */
  private static final int PIECES = 16;

  private static final int SMALL = 512;
  private static final int GATHERED = 8 * SMALL;

  private final Source source;
  private final int window;
  private final @Nullable ByteBudget budget;
  private State state = State.OPEN;
  private @Nullable Reader reader;
  private boolean deserted;
  private @Nullable ArrayDeque<ByteBuf> held;
  private @Nullable ByteBuf gathering;
  private int heldBytes;
  private long total;
  private long discarded;
  private long discardMax = Long.MAX_VALUE;
  private @Nullable Runnable onDiscardSpent;
  private Trailers trailers = Trailers.NONE;
  private Cause cause = Cause.COMPLETE;

  /**
   * An empty body.
   *
   * @param window bytes held at most before a reader comes
   * @param budget what those bytes are charged to, or null
   */
  public Body(Source source, int window, @Nullable ByteBudget budget) {
    this.source = source;
    this.window = window;
    this.budget = budget;
  }

  // The source's side.

  /** Takes {@code chunk}; false means: pause until {@link Source#resume()}. */
  public boolean append(ByteBuf chunk) {
    if (state != State.OPEN) {
      chunk.release();
      return true;
    }
    total += chunk.readableBytes();
    if (reader != null) {
      return reader.chunk(chunk);
    }
    if (deserted) {
      discard(chunk);
      return true;
    }
    return hold(chunk);
  }

  /** What was appended should be on its way. */
  public void flush() {
    if (reader != null) {
      reader.flush();
    }
  }

  /** The body ended as it should; nothing may be appended after. */
  public void complete(Trailers last) {
    state = State.COMPLETE;
    trailers = last;
    if (reader != null) {
      reader.complete(last);
    }
  }

  /** The body ended short; no effect on a body that has ended. */
  public void abort(Cause why) {
    if (state != State.OPEN) {
      return;
    }
    state = State.ABORTED;
    cause = why;
    if (reader != null) {
      reader.aborted(why);
    } else {
      releaseHeld();
    }
  }

  // The reader's side.

  /** Attaches the one reader; it gets what is held at once. */
  @Override
  public void follow(Reader follower) {
    if (reader != null || deserted) {
      throw new IllegalStateException("body: a second reader in relay mode");
    }
    reader = follower;
    boolean waited = held != null;
    boolean more = handOver(follower);
    if (deserted) {
      return;
    }
    switch (state) {
      case COMPLETE -> follower.complete(trailers);
      case ABORTED -> follower.aborted(cause);
      case OPEN -> {
        if (waited) {
          follower.flush();
        }
        if (more) {
          source.resume();
        }
      }
    }
  }

  @Override
  public void resume() {
    if (state == State.OPEN) {
      source.resume();
    }
  }

  /** The reader is gone, or none will come: bytes are dropped from now on, at full speed. */
  @Override
  public void desert() {
    reader = null;
    deserted = true;
    releaseHeld();
    resume();
  }

  /** Deserts, and runs {@code onSpent} once more than {@code bytes} bytes were dropped. */
  public void desert(long bytes, Runnable onSpent) {
    discardMax = bytes;
    onDiscardSpent = onSpent;
    desert();
  }

  // Questions.

  /** Whether a reader came, or never will. */
  public boolean isFollowed() {
    return reader != null || deserted;
  }

  /** Whether all of it arrived. */
  public boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Whether it may still grow. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether what is held before a reader came fills the window, or the process has no room. */
  public boolean isFull() {
    return heldBytes >= window || (budget != null && budget.isSpent());
  }

  /** Bytes appended so far. */
  public long total() {
    return total;
  }

  private void discard(ByteBuf chunk) {
    discarded += chunk.readableBytes();
    chunk.release();
    if (discarded > discardMax && onDiscardSpent != null) {
      Runnable spent = onDiscardSpent;
      onDiscardSpent = null;
      spent.run();
    }
  }

  private boolean hold(ByteBuf chunk) {
    if (held == null) {
      held = new ArrayDeque<>();
    }
    int length = chunk.readableBytes();
    keep(held, chunk, length);
    heldBytes += length;
    if (budget != null) {
      budget.take(length);
    }
    return !isFull();
  }

  /** Small chunks share a buffer: what is held costs memory by its bytes, not by its pieces. */
  private void keep(ArrayDeque<ByteBuf> to, ByteBuf chunk, int length) {
    if (length >= SMALL || to.size() < PIECES) {
      gathering = null;
      to.add(chunk);
      return;
    }
    ByteBuf last = gathering;
    if (last == null || last.maxWritableBytes() < length) {
      last = chunk.alloc().buffer(SMALL, GATHERED);
      gathering = last;
      to.add(last);
    }
    last.writeBytes(chunk);
    chunk.release();
  }

  private boolean handOver(Reader follower) {
    boolean more = true;
    // A reader that fails on a chunk deserts, and what is left is released under our hands.
    ArrayDeque<ByteBuf> waiting = held;
    gathering = null;
    if (waiting != null) {
      for (ByteBuf chunk = waiting.poll(); chunk != null; chunk = waiting.poll()) {
        unhold(chunk.readableBytes());
        more = follower.chunk(chunk);
      }
      held = null;
    }
    return more;
  }

  private void releaseHeld() {
    gathering = null;
    if (held != null) {
      for (ByteBuf chunk = held.poll(); chunk != null; chunk = held.poll()) {
        unhold(chunk.readableBytes());
        chunk.release();
      }
      held = null;
    }
  }

  private void unhold(int bytes) {
    heldBytes -= bytes;
    if (budget != null) {
      budget.giveBack(bytes);
    }
  }
}
