package dev.sluice.flow;

import dev.sluice.time.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The readers of one body on one event loop. However often the writer has news, at most one task
 * waits on the loop; a task serves so many readers and then posts itself again, so that a crowd
 * does not hold up the loop (DEC-47). {@link #wake} is thread-safe, all else is the loop's.
 */
final class ReaderGroup implements Runnable {

  /** Readers served in one go. */
  private static final int AT_ONCE = 64;

  private final Loop loop;
  private final List<Follower> members = new ArrayList<>();
  private final AtomicInteger news = new AtomicInteger();
  private int newsSeen;
  private int next;
  private boolean serving;

  ReaderGroup(Loop loop) {
    this.loop = loop;
  }

  Loop loop() {
    return loop;
  }

  void join(Follower follower) {
    members.add(follower);
  }

  void quit(Follower follower) {
    // In mid-pass a removal would let the pass skip one; it is removed behind the pass.
    if (!serving && next == 0) {
      members.remove(follower);
    }
  }

  /** There is news. False where the loop has ended. */
  boolean wake() {
    if (news.getAndIncrement() > 0) {
      return true;
    }
    try {
      loop.execute(this);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  /** There is news, and this is the group's own loop: the first are served at once. */
  void serveHere() {
    if (news.getAndIncrement() == 0) {
      run();
    }
  }

  @Override
  public void run() {
    if (next == 0) {
      newsSeen = news.get();
    }
    int to = Math.min(next + AT_ONCE, members.size());
    serving = true;
    for (int i = next; i < to; i++) {
      members.get(i).serve();
    }
    serving = false;
    if (to < members.size()) {
      next = to;
      loop.execute(this);
      return;
    }
    next = 0;
    members.removeIf(Follower::isOver);
    if (news.addAndGet(-newsSeen) > 0) {
      loop.execute(this);
    }
  }
}
