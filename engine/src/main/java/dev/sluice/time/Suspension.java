package dev.sluice.time;

import java.util.concurrent.TimeUnit;

/**
 * How long the machine has slept, as far as it shows: a monotonic clock may stand still then, the
 * time of day does not. Only growth of more than two seconds between two looks counts, so that the
 * wall clock's small corrections do not; one that goes back changes nothing (DEC-49). {@link #look}
 * belongs to one thread, {@link #millis} to all.
 */
public final class Suspension {

  private static final long NOISE_MILLIS = 2000;

  private final Ticker ticker;
  private final WallClock wall;
  private long lead;
  private volatile long slept;

  public Suspension(Ticker ticker, WallClock wall) {
    this.ticker = ticker;
    this.wall = wall;
    this.lead = leadNow();
  }

  /** Compares the clocks; to be called every second or so. */
  public void look() {
    long now = leadNow();
    long grown = now - lead;
    lead = now;
    if (grown > NOISE_MILLIS) {
      long before = slept;
      slept = before + grown;
    }
  }

  /** Milliseconds slept since this was made. */
  public long millis() {
    return slept;
  }

  private long leadNow() {
    return wall.epochMillis() - TimeUnit.NANOSECONDS.toMillis(ticker.nanos());
  }
}
