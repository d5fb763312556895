package dev.sluice.wire.http2;

/**
 * A connection's own receive window (RFC 9113 6.9.1): refilled on receipt, by halves, because what
 * must be held back is held back stream by stream. Confined to its connection's loop.
 */
final class ReceiveWindow {

  private int left = Http2Limits.CONNECTION_WINDOW;
  private int owed;

  /** Counts what came; false where it was more than there was. */
  boolean take(int bytes) {
    left -= bytes;
    owed += bytes;
    return left >= 0;
  }

  /** What the peer should be credited now; 0 = nothing yet. */
  int due() {
    return 2 * owed < Http2Limits.CONNECTION_WINDOW ? 0 : owed;
  }

  /** It was. */
  void refill() {
    left += owed;
    owed = 0;
  }
}
