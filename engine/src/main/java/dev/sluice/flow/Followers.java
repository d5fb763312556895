package dev.sluice.flow;

import dev.sluice.time.Loop;
import dev.sluice.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The followers of one body as its writer sees them: who is ahead, who is behind, and who holds up
 * the others of a sliding body for too long (DEC-26). Confined to the body's home loop.
 *
 * <p>A follower is suspected when the fastest has read everything and the writer waits only because
 * the follower is a whole window behind. It is cleared when it has come half the way; reading a
 * byte now and then is not enough. Who is suspected for the whole grace, and holds up another at
 * its end, is cut.
 */
final class Followers {

  /** How far a sliding body runs ahead of its fastest reader. */
  static final int WINDOW = 64 * 1024;

  private final Loop home;
  private final long graceNanos;
  private final Consumer<Follower> onLaggard;
  private final List<Follower> all = new ArrayList<>();
  private long behindMax = Long.MAX_VALUE;
  private long written;
  private Timer.@Nullable Scheduled grace;

  /** Nobody yet; {@code onLaggard} hears at home who is to be cut. */
  Followers(Loop home, long graceNanos, Consumer<Follower> onLaggard) {
    this.home = home;
    this.graceNanos = graceNanos;
    this.onLaggard = onLaggard;
  }

  void add(Follower follower) {
    follower.place = all.size();
    all.add(follower);
  }

  /** False where it had been removed before. */
  boolean remove(Follower follower) {
    int place = follower.place;
    if (place < 0) {
      return false;
    }
    follower.place = Follower.NOWHERE;
    Follower moved = all.remove(all.size() - 1);
    if (moved != follower) {
      all.set(place, moved);
      moved.place = place;
    }
    return true;
  }

  int count() {
    return all.size();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The first byte that somebody has still to read, of {@code total}. */
  long slowest(long total) {
    long least = total;
    for (int i = 0; i < all.size(); i++) {
      least = Math.min(least, all.get(i).seen());
    }
    return least;
  }

  private long fastest() {
    long most = 0;
    for (int i = 0; i < all.size(); i++) {
      most = Math.max(most, all.get(i).seen());
    }
    return most;
  }

  // Sliding.

  /** From byte {@code total} on nobody may be further behind than that and a window. */
  void slideFrom(long total) {
    behindMax = Math.max(total, WINDOW) + WINDOW;
  }

  /** Whether the writer of a sliding body is to wait now that it has written {@code total}. */
  boolean mustWait(long total) {
    written = total;
    if (all.isEmpty()) {
      stop();
      return false;
    }
    long fastest = fastest();
    boolean behind = total - slowest(total) >= behindMax;
    watch(behind && fastest == total);
    return behind || total - fastest >= WINDOW;
  }

  /** Nobody is watched any more: nothing more will be written. */
  void stop() {
    if (grace != null) {
      grace.cancel();
      grace = null;
    }
  }

  private void watch(boolean heldUp) {
    if (grace != null && !isAnySuspected()) {
      stop();
    }
    if (grace == null && heldUp) {
      for (Follower follower : all) {
        follower.suspected = isHoldingUp(follower);
      }
      grace = home.schedule(this::graceOver, graceNanos);
    }
  }

  private boolean isAnySuspected() {
    boolean any = false;
    for (Follower follower : all) {
      if (follower.suspected && written - follower.seen() < behindMax / 2) {
        follower.suspected = false;
      }
      any |= follower.suspected;
    }
    return any;
  }

  private boolean isHoldingUp(Follower follower) {
    return written - follower.seen() >= behindMax;
  }

  private void graceOver() {
    grace = null;
    boolean heldUp = fastest() == written;
    List<Follower> laggards =
        all.stream().filter(each -> heldUp && each.suspected && isHoldingUp(each)).toList();
    // Another may hold them up by now: its grace begins.
    watch(heldUp && written - slowest(written) >= behindMax);
    laggards.forEach(onLaggard);
  }
}
