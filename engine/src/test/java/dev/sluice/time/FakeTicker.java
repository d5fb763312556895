package dev.sluice.time;

/** A clock that tests move by hand. */
public final class FakeTicker implements Ticker {

  private long nanos = 1_000_000_000L;

  @Override
  public long nanos() {
    return nanos;
  }

  /** Time passes. */
  public void advance(long byNanos) {
    nanos += byNanos;
  }
}
