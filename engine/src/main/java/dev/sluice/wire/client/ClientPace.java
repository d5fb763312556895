package dev.sluice.wire.client;

import dev.sluice.time.Ticker;
import dev.sluice.wire.WireSettings;
import java.util.concurrent.TimeUnit;

/**
 * How fast a client moves the bytes that it owes, in either direction (DEC-32). Confined to its
 * connection's loop.
 */
public final class ClientPace {

  /** How often a client that is waited for is looked at. */
  public static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What a look gave. */
  public enum Verdict {
    FINE,
    /** Not a byte for the whole timeout. */
    STILL,
    /** Below the minimum rate. */
    TOO_SLOW
  }

  private final Ticker ticker;
  private final long readTimeoutNanos;
  private final long writeTimeoutNanos;
  private final RateGuard reading;
  private final RateGuard writing;
  private long readTickNanos;
  private long readMovedNanos;
  private long readBytes;
  private boolean watching;
  private long writeTickNanos;
  private long writeMovedNanos;
  private long written;

  public ClientPace(WireSettings settings, Ticker ticker) {
    this.ticker = ticker;
    this.readTimeoutNanos = settings.clientBody().toNanos();
    this.writeTimeoutNanos = settings.downstreamWrite().toNanos();
    this.reading = new RateGuard(settings.clientBodyMinRate());
    this.writing = new RateGuard(settings.downstreamMinRate());
  }

  /** A new exchange begins. */
  public void begin() {
    reading.reset();
    writing.reset();
    watching = false;
    readBytes = 0;
  }

  /** From now on the client owes bytes of its request. */
  public void startReading() {
    readTickNanos = ticker.nanos();
    readMovedNanos = readTickNanos;
  }

  /** Bytes of the request came. */
  public void moved(int bytes) {
    readBytes += bytes;
    readMovedNanos = ticker.nanos();
  }

  /** A look while the client owes bytes of its request; {@code judged}: its rate, too. */
  public Verdict readTick(boolean judged) {
    long now = ticker.nanos();
    long waited = now - readTickNanos;
    readTickNanos = now;
    if (now - readMovedNanos >= readTimeoutNanos) {
      return Verdict.STILL;
    }
    boolean breached = judged && reading.isBreached(waited, readBytes);
    readBytes = 0;
    return breached ? Verdict.TOO_SLOW : Verdict.FINE;
  }

  /** Unsent bytes wait; {@code sent} of the answer left so far. Whether that is news. */
  public boolean watchWriting(long sent) {
    if (watching) {
      return false;
    }
    watching = true;
    written = sent;
    writeTickNanos = ticker.nanos();
    writeMovedNanos = writeTickNanos;
    return true;
  }

  /** Nothing waits: the client owes nothing. */
  public void stopWriting() {
    watching = false;
  }

  /** A look while bytes wait for the client, {@code sent} of which have left. */
  public Verdict writeTick(long sent, boolean judged) {
    long now = ticker.nanos();
    long waited = now - writeTickNanos;
    long moved = sent - written;
    writeTickNanos = now;
    written = sent;
    if (moved > 0) {
      writeMovedNanos = now;
    } else if (now - writeMovedNanos >= writeTimeoutNanos) {
      return Verdict.STILL;
    }
    return judged && writing.isBreached(waited, moved) ? Verdict.TOO_SLOW : Verdict.FINE;
  }
}
