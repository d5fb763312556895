package dev.sluice;

import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The system's ticker, moved on by the test where answers are to be older. Thread-safe. */
final class MovedTicker implements Ticker {

  private final Ticker system = Ticker.system();
  private final AtomicLong ahead = new AtomicLong();

  void advance(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  @Override
  public long nanos() {
    return system.nanos() + ahead.get();
  }
}
