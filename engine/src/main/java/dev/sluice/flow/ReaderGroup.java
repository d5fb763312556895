package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The readers of one body on one event loop. However often the writer has news, at most one task
 * waits on the loop; a task serves so many readers and then posts itself again, so that a crowd
 * does not hold up the loop (DEC-47). {@link #wake} is thread-safe, all else is the loop's.
 */
final class ReaderGroup implements Runnable {

  /** Readers served in one go. */
  static final int AT_ONCE = 64;

  private static final Logger LOG = LoggerFactory.getLogger(ReaderGroup.class);

  /** How many places the body has given to this loop's readers; home's. */
  int places;

  private final Loop loop;
  private final List<Follower> members = new ArrayList<>();
  private final AtomicInteger news = new AtomicInteger();
  private int newsSeen;
  private int next;
  private int over;

  ReaderGroup(Loop loop) {
    this.loop = loop;
  }

  Loop loop() {
    return loop;
  }

  void join(Follower follower) {
    members.add(follower);
  }

  /** One member, or one that would have been, needs no more service: the next pass sorts it out. */
  void quit() {
    over++;
    // Between passes and in bulk, so that a pass skips nobody and a crowd that leaves costs little.
    if (news.get() == 0 && over > members.size() / 2) {
      sortOut();
    }
  }

  private void sortOut() {
    over = 0;
    members.removeIf(Follower::isOver);
  }

  /**
   * There is news. A loop that takes no more tasks hears none: its readers may still read what they
   * have, and let go as their connections are closed, which is the last thing that a loop does.
   */
  void wake() {
    if (news.getAndIncrement() == 0) {
      post();
    }
  }

  /** There is news, and this is the group's own loop: the first are served at once. */
  void serveHere() {
    if (news.getAndIncrement() == 0) {
      run();
    }
  }

  private boolean post() {
    try {
      loop.execute(this);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  @Override
  public void run() {
    boolean more = serveSome();
    while (more && !post()) {
      // The loop is ending and takes no more tasks: whoever is left is served by this one.
      more = serveSome();
    }
  }

  /** Serves the next few; whether there is more to do. */
  private boolean serveSome() {
    if (next == 0) {
      newsSeen = news.get();
    }
    int to = Math.min(next + AT_ONCE, members.size());
    for (int i = next; i < to; i++) {
      serve(members.get(i));
    }
    if (to < members.size()) {
      next = to;
      return true;
    }
    next = 0;
    sortOut();
    return news.addAndGet(-newsSeen) > 0;
  }

  /** One reader's failure is not the others'. */
  private static void serve(Follower member) {
    try {
      member.serve();
    } catch (RuntimeException bug) {
      LOG.error("reader_failed", bug);
      member.fail(Cause.INTERNAL_ERROR);
    }
  }
}
