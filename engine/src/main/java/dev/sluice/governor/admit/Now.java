package dev.sluice.governor.admit;

import dev.sluice.time.Ticker;

/**
 * The time of one drain, read when something first asks for it: a permit that nobody waits for
 * costs no look at the clock. Confined to the drain.
 */
final class Now {

  private final Ticker ticker;
  private boolean read;
  private long nanos;

  Now(Ticker ticker) {
    this.ticker = ticker;
  }

  /** A new drain begins. */
  void forget() {
    read = false;
  }

  /** The same for every command of the drain. */
  long nanos() {
    if (!read) {
      read = true;
      nanos = ticker.nanos();
    }
    return nanos;
  }
}
