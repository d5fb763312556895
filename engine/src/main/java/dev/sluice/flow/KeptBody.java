package dev.sluice.flow;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Timer;
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

  /** Who keeps it hears when it no longer does. */
  public interface Owner {
    /** The body slides from now on, for {@code why}. Called once, at home. */
    void slid(BypassReason why);

    /** Nobody reads it, nothing is kept of it, and enough of it was dropped. Once, at home. */
    void discardSpent();
  }

  /** How it ended; stored behind the last byte. */
  record End(@Nullable Cause cause, Trailers trailers) {
    void tell(Body.Reader reader) {
      if (cause == null) {
        reader.complete(trailers);
      } else {
        reader.aborted(cause);
      }
    }
  }

  private static final int BLOCK = 16 * 1024;

  /** How far a sliding body runs ahead of its fastest reader. */
  private static final int WINDOW = 64 * 1024;

  private final Body source;
  private final Loop home;
  private final KeptLimits limits;
  private final ByteBudget budget;
  private final Owner owner;
  private final Pins pins = new Pins();
  private final List<Follower> followers = new ArrayList<>();
  private final List<ReaderGroup> groups = new ArrayList<>();
  private final AtomicBoolean progressPosted = new AtomicBoolean();
  private volatile @Nullable Block first;
  private @Nullable Block last;
  private long written;
  private long discarded;
  private volatile long published;
  private volatile @Nullable End end;
  private volatile boolean sliding;
  private long slideMax;
  private boolean paused;
  private Timer.@Nullable Scheduled laggardTimer;

  /**
   * Takes over {@code source}, which has no reader yet. The maker is the first holder and calls
   * {@link #release()}.
   */
  public KeptBody(Body source, Loop home, KeptLimits limits, ByteBudget budget, Owner owner) {
    this.source = source;
    this.home = home;
    this.limits = limits;
    this.budget = budget;
    this.owner = owner;
  }

  /** Begins to read the source. */
  public void begin() {
    source.follow(this);
  }

  // The writer: what the origin's body tells.

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (sliding && followers.isEmpty()) {
      discard(chunk);
      return true;
    }
    if (!sliding && written + chunk.readableBytes() > limits.bodyMax()) {
      slide(BypassReason.OVERSIZE);
    }
    long length = chunk.readableBytes();
    try {
      while (chunk.isReadable()) {
        Block into = room();
        into.bytes.writeBytes(chunk, Math.min(chunk.readableBytes(), into.bytes.writableBytes()));
      }
    } finally {
      chunk.release();
    }
    publish(length);
    paused = mustPause();
    return !paused;
  }

  @Override
  public void flush() {
    for (int i = 0; i < groups.size(); i++) {
      wake(groups.get(i));
    }
  }

  @Override
  public void complete(Trailers trailers) {
    finish(new End(null, trailers));
  }

  @Override
  public void aborted(Cause cause) {
    finish(new End(cause, Trailers.NONE));
  }

  private void finish(End how) {
    end = how;
    if (laggardTimer != null) {
      laggardTimer.cancel();
      laggardTimer = null;
    }
    flush();
  }

  private void discard(ByteBuf chunk) {
    int bytes = chunk.readableBytes();
    chunk.release();
    publish(bytes);
    boolean within = discarded <= limits.discardMax();
    discarded += bytes;
    if (within && discarded > limits.discardMax()) {
      owner.discardSpent();
    }
  }

  private void publish(long bytes) {
    written += bytes;
    published = written;
  }

  private Block room() {
    Block current = last;
    if (current != null && !current.isFull()) {
      return current;
    }
    long start = current == null ? written : current.end();
    int capacity = BLOCK;
    if (limits.expected() > start) {
      capacity = (int) Math.min(BLOCK, limits.expected() - start);
    }
    if (!budget.tryTake(capacity)) {
      slide(BypassReason.MEMORY);
      budget.take(capacity);
    }
    var block = new Block(capacity, start);
    if (current == null) {
      first = block;
    } else {
      current.next = block;
    }
    last = block;
    return block;
  }

  private void wake(ReaderGroup group) {
    if (group.loop() == home) {
      group.serveHere();
    } else if (!group.wake()) {
      forget(group);
    }
  }

  /** A loop that ended has no readers left to ask. */
  private void forget(ReaderGroup group) {
    groups.remove(group);
    for (Follower follower : List.copyOf(followers)) {
      if (follower.group() == group) {
        leave(follower);
      }
    }
  }

  // Readers.

  /** Whether one who comes now gets all of it. */
  public boolean isBoardable() {
    return !sliding;
  }

  /** A place at the first byte for a reader on {@code loop}. Called at home while boardable. */
  public ReadableBody follower(Loop loop) {
    if (sliding || !pins.tryPin()) {
      throw new IllegalStateException("kept body: its first byte is gone");
    }
    var follower = new Follower(this, groupOf(loop));
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
    return first;
  }

  /** A follower reads on, on its loop: where others wait for that, home must know. */
  void progressed() {
    if (sliding) {
      tellHome();
    }
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
      release();
    }
  }

  private void leave(Follower follower) {
    if (followers.remove(follower)) {
      release();
      onProgress();
    }
  }

  private void tellHome() {
    if (home.isCurrent()) {
      onProgress();
    } else if (progressPosted.compareAndSet(false, true)) {
      try {
        home.execute(
            () -> {
              progressPosted.set(false);
              onProgress();
            });
      } catch (RejectedExecutionException ended) {
        // Nothing is written any more, so nobody waits for room.
      }
    }
  }

  // Sliding.

  private void slide(BypassReason why) {
    if (!sliding) {
      sliding = true;
      slideMax = Math.max(written, WINDOW) + WINDOW;
      owner.slid(why);
      trim();
    }
  }

  private void onProgress() {
    if (!sliding || end != null) {
      return;
    }
    trim();
    if (paused && !mustPause()) {
      paused = false;
      source.resume();
    }
  }

  private boolean mustPause() {
    if (!sliding || followers.isEmpty()) {
      return false;
    }
    if (written - fastest() >= WINDOW) {
      return true;
    }
    boolean heldUp = written - slowest() >= slideMax;
    watchLaggards(heldUp);
    return heldUp;
  }

  private void watchLaggards(boolean heldUp) {
    if (heldUp && laggardTimer == null) {
      laggardTimer = home.schedule(this::cutLaggards, limits.laggardGraceNanos());
    } else if (laggardTimer != null && written - slowest() < slideMax / 2) {
      // One that reads a byte now and then goes on holding up the others, so a little is not
      // enough.
      laggardTimer.cancel();
      laggardTimer = null;
    }
  }

  private void cutLaggards() {
    laggardTimer = null;
    long tail = slowest();
    if (end != null || fastest() == tail) {
      return;
    }
    for (Follower follower : List.copyOf(followers)) {
      if (follower.seen() == tail) {
        follower.cut();
        wake(follower.group());
      }
    }
  }

  private long fastest() {
    long most = 0;
    for (int i = 0; i < followers.size(); i++) {
      most = Math.max(most, followers.get(i).seen());
    }
    return most;
  }

  private long slowest() {
    long least = written;
    for (int i = 0; i < followers.size(); i++) {
      least = Math.min(least, followers.get(i).seen());
    }
    return least;
  }

  /** Gives back the blocks that every reader has behind it. */
  private void trim() {
    long tail = slowest();
    Block block = first;
    while (block != null && block != last && block.end() <= tail) {
      Block following = block.next;
      free(block);
      first = following;
      block = following;
    }
  }

  // The end of the bytes.

  /** A complete copy charged to {@code account}, which took {@code charged} bytes for it. */
  public StoredBody store(ByteBudget account, long charged) {
    StoredBody stored = StoredBody.allocate((int) written, account, charged);
    for (Block block = first; block != null; block = block.next) {
      stored.room().writeBytes(block.bytes, 0, block.bytes.writerIndex());
    }
    return stored;
  }

  /** One holder less; with the last the bytes go. Thread-safe. */
  public void release() {
    if (pins.unpin()) {
      for (Block block = first; block != null; block = block.next) {
        free(block);
      }
      first = null;
    }
  }

  private void free(Block block) {
    budget.giveBack(block.capacity());
    block.bytes.release();
  }
}
