package dev.sluice.flow;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A body that any number of readers follow from its first byte, each at its own pace and on its own
 * loop, while it is still being written (DEC-26).
 *
 * <p>Kept: all bytes stay, no reader paces the writer. Past its bound, or where the process has no
 * room, it slides: nobody new may follow, the window moves behind the slowest reader, the fastest
 * one sets the writer's pace, and who holds up another for too long is cut.
 *
 * <p>It reads the origin's body and is confined to that body's loop, its home, but for what
 * followers call: one writer, and bytes are whole before {@link #published} is stored.
 */
public final class KeptBody implements Body.Reader {

  /** Who keeps it hears what becomes of it. Called at home, behind what brought it on. */
  public interface Owner {
    /** The body slides from now on, for {@code why}. Called once. */
    void slid(BypassReason why);

    /** The body is complete and all of it is kept; its followers hear the end next. */
    void whole();

    /** The body ended short; its followers hear it next. */
    void cutShort();

    /** Nobody follows, and more was dropped than may be (DEC-28). Called once. */
    void discardSpent();
  }

  /** How it ended; stored behind the last byte. */
  record End(@Nullable Cause cause, Trailers trailers) {
    boolean isWhole() {
      return cause == null;
    }

    void tell(Body.Reader reader) {
      if (cause == null) {
        reader.complete(trailers);
      } else {
        reader.aborted(cause);
      }
    }
  }

  private final Body source;
  private final Loop home;
  private final KeptLimits limits;
  private final KeptBlocks blocks;
  private final Owner owner;
  private final Pins pins = new Pins();
  private final Followers followers;
  private final List<ReaderGroup> groups = new ArrayList<>();
  private final AtomicBoolean progressPosted = new AtomicBoolean();
  private long written;
  private long discarded;
  private boolean discardTold;
  private @Nullable BypassReason slidWhy;
  private boolean slidTold;
  private boolean paused;
  private volatile long published;
  private volatile @Nullable End end;
  private volatile boolean sliding;

  /**
   * Takes over {@code source}, which has no reader yet. The maker is the first holder and calls
   * {@link #release()}.
   */
  public KeptBody(Body source, Loop home, KeptLimits limits, ByteBudget budget, Owner owner) {
    this.source = source;
    this.home = home;
    this.limits = limits;
    this.blocks = new KeptBlocks(budget, limits.expected());
    this.owner = owner;
    this.followers = new Followers(home, limits.laggardGraceNanos(), this::cut);
  }

  /** Begins to read the source. */
  public void begin() {
    source.follow(this);
  }

  // The writer: what the origin's body tells.

  @Override
  public boolean chunk(ByteBuf chunk) {
    try {
      take(chunk);
    } finally {
      chunk.release();
    }
    tellOwner();
    // The source may have had more in hand when it was asked to pause: it still waits to hear.
    paused |= mustPause();
    return !paused;
  }

  private void take(ByteBuf chunk) {
    if (written + chunk.readableBytes() > limits.bodyMax()) {
      slide(BypassReason.OVERSIZE);
    }
    while (chunk.isReadable() && isWanted()) {
      if (!blocks.isFull() || blocks.tryGrow()) {
        written += blocks.fill(chunk);
      } else if (sliding) {
        // The bytes are in memory already, and the window bounds them.
        blocks.grow();
      } else {
        slide(BypassReason.MEMORY);
      }
    }
    written += chunk.readableBytes();
    discarded += chunk.readableBytes();
    published = written;
  }

  /** Whether anybody reads, or may come to read, what comes now. */
  private boolean isWanted() {
    return sliding ? !followers.isEmpty() : pins.count() > 0;
  }

  private void slide(BypassReason why) {
    if (!sliding) {
      sliding = true;
      slidWhy = why;
      followers.slideFrom(written);
      trim();
    }
  }

  private void tellOwner() {
    if (slidWhy != null && !slidTold) {
      slidTold = true;
      owner.slid(slidWhy);
    }
    if (discarded > limits.discardMax() && !discardTold) {
      discardTold = true;
      owner.discardSpent();
    }
  }

  /**
   * What is decided by how far readers are is decided with what they have behind them given back.
   */
  private boolean mustPause() {
    if (!sliding || end != null) {
      return false;
    }
    trim();
    return followers.mustWait(written);
  }

  @Override
  public void flush() {
    for (int i = groups.size() - 1; i >= 0; i--) {
      wake(groups.get(i));
    }
    resumeIfRoom();
  }

  @Override
  public void complete(Trailers trailers) {
    try {
      if (!sliding) {
        owner.whole();
      }
    } finally {
      // Whatever becomes of the copy: those who follow have their bytes, and hear the end.
      finish(new End(null, trailers));
    }
  }

  @Override
  public void aborted(Cause cause) {
    owner.cutShort();
    finish(new End(cause, Trailers.NONE));
  }

  private void finish(End how) {
    end = how;
    followers.stop();
    flush();
  }

  private void wake(ReaderGroup group) {
    if (group.places == 0) {
      return;
    }
    if (group.loop() == home) {
      group.serveHere();
    } else {
      group.wake();
    }
  }

  // Readers.

  /** Whether one who comes now gets all of it. */
  public boolean isBoardable() {
    End how = end;
    return !sliding && (how == null || how.isWhole()) && pins.count() > 0;
  }

  /** A place at the first byte for a reader on {@code loop}. Called at home while boardable. */
  public ReadableBody follower(Loop loop) {
    if (sliding || !pins.tryPin()) {
      throw new IllegalStateException("kept body: its first byte is gone");
    }
    ReaderGroup group = groupOf(loop);
    group.places++;
    var follower = new Follower(this, group);
    followers.add(follower);
    return follower;
  }

  private ReaderGroup groupOf(Loop loop) {
    for (ReaderGroup group : groups) {
      if (group.loop() == loop) {
        return group;
      }
    }
    var group = new ReaderGroup(loop);
    groups.add(group);
    return group;
  }

  /** Bytes that are there. Thread-safe. */
  public long published() {
    return published;
  }

  @Nullable End end() {
    return end;
  }

  /** The block of the first byte; for who has not read one yet, while nothing slid past it. */
  @Nullable Block first() {
    return blocks.first();
  }

  /** A follower has read on. On its loop; where others wait for that, home must know. */
  void progressed() {
    if (!sliding) {
      return;
    }
    if (home.isCurrent() && followers.count() == 1) {
      onProgress();
    } else if (progressPosted.compareAndSet(false, true)) {
      // However many read on: home looks at all of them once.
      try {
        home.execute(this::onPostedProgress);
      } catch (RejectedExecutionException ended) {
        // Nothing is written any more, so nobody waits for room.
      }
    }
  }

  private void onPostedProgress() {
    progressPosted.set(false);
    onProgress();
  }

  private void onProgress() {
    if (!sliding) {
      return;
    }
    trim();
    resumeIfRoom();
  }

  private void resumeIfRoom() {
    if (paused && !mustPause()) {
      paused = false;
      source.resume();
    }
  }

  private void trim() {
    blocks.trim(followers.slowest(written));
  }

  /** A follower will read no more. On its loop. */
  void deserted(Follower follower) {
    if (home.isCurrent()) {
      leave(follower);
      return;
    }
    try {
      home.execute(() -> leave(follower));
    } catch (RejectedExecutionException ended) {
      // Home has ended with its connections, so nobody writes any more: only the bytes remain.
      letGo(follower);
    }
  }

  private void leave(Follower follower) {
    if (followers.remove(follower)) {
      follower.group().places--;
      letGo(follower);
      onProgress();
    }
  }

  private void letGo(Follower follower) {
    if (follower.takePin()) {
      release();
    }
  }

  /** It held up others for too long; where it lives it lets go, and then the others go on. */
  private void cut(Follower laggard) {
    try {
      laggard.loop().execute(laggard::cut);
    } catch (RejectedExecutionException ending) {
      // It lets go as its connection is closed; until then its loop may still read for it.
    }
  }

  // The end of the bytes.

  /**
   * A copy of the whole body, which may still be held, charged to {@code account}.
   *
   * @param charged what {@code account} was charged for it before
   */
  public StoredBody store(ByteBudget account, long charged) {
    End how = end;
    if (sliding || (how != null && !how.isWhole())) {
      throw new IllegalStateException("kept body: it is not whole");
    }
    StoredBody stored = StoredBody.allocate((int) written, account, charged);
    blocks.copyTo(stored.room());
    return stored;
  }

  /** One holder less; with the last the bytes go. Thread-safe. */
  public void release() {
    if (pins.unpin()) {
      blocks.free();
    }
  }
}
