package dev.sluice.governor;

import dev.sluice.outcome.Cause;

/**
 * A flight that has become a tunnel (DEC-41): it is counted to the close of both ends, and each has
 * its own. Confined to the flight's loop.
 */
final class FlightTunnel {

  /** What is left of it when the client's end is closed. */
  enum Left {
    /** Nothing: the origin had said its last. */
    NOTHING,
    /** All was said, and the client's last words are on their way to the origin. */
    LAST_WORDS,
    /** An origin that nobody listens to any more. */
    ORIGIN
  }

  private boolean originOver;

  /** Whether it goes on behind the origin's end {@code cause}, for the client. */
  boolean outlives(Cause cause, boolean isClientThere) {
    originOver = cause == Cause.COMPLETE && isClientThere;
    return originOver;
  }

  /** The client's end is closed, for {@code why}. */
  Left left(Cause why) {
    if (originOver) {
      return Left.NOTHING;
    }
    return why == Cause.COMPLETE ? Left.LAST_WORDS : Left.ORIGIN;
  }
}
