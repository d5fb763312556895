package dev.sluice.governor;

/** Where an exchange is on its way, and where it may go from there. */
enum ExchangeState {
  /** Its head has arrived. */
  ACCEPT,
  /** It is told what it is and what may be done with it. */
  CLASSIFY,
  /** An answer that exists, or is on its way, is looked for. */
  REUSE,
  /** It is aboard a flight and waits for the landing. */
  ABOARD,
  /** Its one answer is on its way to the client. */
  DELIVER,
  /** It is over. */
  ENDED;

  /** The only way from one state to another. */
  ExchangeState to(ExchangeState target) {
    boolean legal =
        switch (this) {
          case ACCEPT -> target == CLASSIFY || target == ENDED;
          case CLASSIFY -> target == REUSE || target == DELIVER || target == ENDED;
          case REUSE -> target == ABOARD || target == DELIVER || target == ENDED;
          case ABOARD ->
              target == REUSE || target == ABOARD || target == DELIVER || target == ENDED;
          case DELIVER -> target == ENDED;
          case ENDED -> false;
        };
    if (!legal) {
      throw new IllegalStateException("exchange: illegal move from " + this + " to " + target);
    }
    return target;
  }
}
