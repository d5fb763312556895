package dev.sluice.governor;

import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.RequestHead;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import dev.sluice.wire.Peer;
import org.jspecify.annotations.Nullable;

/**
 * A request for which an answer that exists, or is on its way, is looked for: an exchange. It is
 * told exactly one of four ways to go on.
 */
interface Seeker {

  /** What it asks. */
  RequestHead request();

  /** Who asks. */
  Peer peer();

  /** Its log. */
  Timeline timeline();

  /** Whether it may board once more, or has come back too often. */
  boolean mayBoard();

  /** An answer exists; it is pinned, and the seeker lets it go at its end. */
  void serve(StoredResponse entry, Reuse how);

  /** An answer is on its way with {@code underway}. */
  void follow(Flight underway);

  /** None is: {@code mine} is to fetch it, for whoever boards behind. */
  void lead(Flight mine);

  /**
   * It goes to the origin by itself, for {@code reason}; {@code stale}, pinned for it where there
   * is one, may stand in for the origin.
   */
  void goAlone(BypassReason reason, @Nullable StoredResponse stale);
}
