package dev.sluice.wire.http2;

import dev.sluice.net.LazyTimer;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The one timer of a connection to an upstream, and how long it has been silent (DEC-50). Confined
 * to the connection's loop.
 */
final class OriginWatch {

  /** What a look at a connection with streams open says of it. */
  enum Silence {
    NONE,
    /** So long that it is to be asked. */
    ASK,
    /** It did not answer: nobody is there any more. */
    DEAD
  }

  /** So long a silence is asked about; so long the answer may take. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How often a connection with streams open is looked at. */
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Ticker ticker;
  private final LazyTimer timer;
  private long heardNanos;
  private boolean asked;

  OriginWatch(Loop loop, Ticker ticker, Runnable onDue) {
    this.ticker = ticker;
    this.timer = new LazyTimer(loop, ticker, onDue);
    this.heardNanos = ticker.nanos();
  }

  long now() {
    return ticker.nanos();
  }

  /** Due so long from now, whatever was set before. */
  void in(long nanos) {
    timer.in(nanos);
  }

  /** Something is owed within {@code nanos}: the next look must not come later. */
  void noLaterThan(long nanos) {
    if (!timer.isArmed() || timer.dueInNanos() > nanos) {
      timer.in(nanos);
    }
  }

  /** The next look, as something is due in {@code nanos} and may come sooner. */
  void again(long nanos) {
    timer.in(Math.max(0, Math.min(TICK_NANOS, nanos)));
  }

  /** The upstream said something, or is to say something from now on. */
  void heard() {
    heardNanos = ticker.nanos();
    asked = false;
  }

  /** The first stream is open. */
  void begin() {
    heard();
    noLaterThan(SILENCE_NANOS);
  }

  Silence silence() {
    long silent = ticker.nanos() - heardNanos;
    if (asked) {
      return silent >= 2 * SILENCE_NANOS ? Silence.DEAD : Silence.NONE;
    }
    asked = silent >= SILENCE_NANOS;
    return asked ? Silence.ASK : Silence.NONE;
  }

  void off() {
    timer.off();
  }

  void close() {
    timer.close();
  }
}
