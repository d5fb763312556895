package dev.sluice.governor;

import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Standing;
import dev.sluice.outcome.Reuse;
import org.jspecify.annotations.Nullable;

/**
 * The stored answer that a flight holds for where the origin has none, or admission no room (RFC
 * 5861 4, BEY-02). Pinned until it is let go. Confined to the flight's loop.
 */
final class StaleAnswer {

  private final ReuseStep reuse;
  private @Nullable StoredResponse pinned;

  /** Takes over the pin on {@code pinned}, if there is one. */
  StaleAnswer(ReuseStep reuse, @Nullable StoredResponse pinned) {
    this.reuse = reuse;
    this.pinned = pinned;
  }

  /** Whether it may be served now. */
  boolean mayServe() {
    return pinned != null && reuse.standing(pinned) != Standing.EXPIRED;
  }

  /** What one passenger is told in place of a shed or a failure: the answer, where it may serve. */
  Landing insteadOf(Landing landing) {
    StoredResponse stale = pinned;
    if (stale == null || !mayServe() || !stale.body().tryPin()) {
      return landing;
    }
    boolean shed = landing instanceof Landing.Shed;
    return new Landing.Stored(stale, shed ? Reuse.STALE_ON_SHED : Reuse.STALE_IF_ERROR);
  }

  /** Nobody is given it any more. */
  void letGo() {
    StoredResponse last = pinned;
    pinned = null;
    if (last != null) {
      last.body().unpin();
    }
  }
}
