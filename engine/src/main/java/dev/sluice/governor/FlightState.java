package dev.sluice.governor;

import dev.sluice.outcome.Stage;

/** Where a flight is on its way, and where it may go from there. */
enum FlightState {
  /** It asks for, or waits for, the right to use the origin. */
  ADMIT,
  /** The origin is asked; its head has not come. */
  FETCH,
  /** The head, or its absence, is weighed; it may be fetched once more. */
  JUDGE,
  /** The head has landed; the body is under way. */
  STREAM,
  /** It is over with the origin. */
  ENDED;

  /** The same for an exchange that is aboard, as its log and its ending tell it. */
  Stage stage() {
    return switch (this) {
      case ADMIT -> Stage.ADMIT;
      case FETCH -> Stage.FETCH;
      case JUDGE -> Stage.JUDGE;
      case STREAM, ENDED -> Stage.STREAM;
    };
  }

  /** The only way from one state to another. */
  FlightState to(FlightState target) {
    boolean legal =
        switch (this) {
          case ADMIT -> target == FETCH || target == ENDED;
          case FETCH -> target == JUDGE || target == ENDED;
          case JUDGE -> target == STREAM || target == FETCH || target == ENDED;
          case STREAM -> target == ENDED;
          case ENDED -> false;
        };
    if (!legal) {
      throw new IllegalStateException("flight: illegal move from " + this + " to " + target);
    }
    return target;
  }
}
