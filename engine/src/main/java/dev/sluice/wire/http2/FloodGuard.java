package dev.sluice.wire.http2;

import dev.sluice.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * Counts what a client makes us do for nothing: streams that end by a reset, and frames that move
 * nothing ({@link Http2Limits}). Confined to its connection's loop.
 */
final class FloodGuard {

  private final Ticker ticker;
  private long idleFrames = Http2Limits.IDLE_FRAMES;
  private long refilledNanos;
  private int resets;
  private long resetWindowNanos;

  FloodGuard(Ticker ticker) {
    this.ticker = ticker;
    this.refilledNanos = ticker.nanos();
    this.resetWindowNanos = refilledNanos;
  }

  /** A frame that moved nothing came; true = too many. */
  boolean idleFrame() {
    if (--idleFrames >= 0) {
      return false;
    }
    refill();
    return idleFrames < 0;
  }

  /** A DATA frame was written, which the client may credit. */
  void dataSent() {
    earn(Http2Limits.IDLE_FRAMES_PER_DATA);
  }

  /** A request came. */
  void requested() {
    earn(Http2Limits.IDLE_FRAMES_PER_REQUEST);
  }

  /** A stream ended by a reset of the client's doing; true = too many. */
  boolean reset() {
    long now = ticker.nanos();
    if (now - resetWindowNanos > Http2Limits.RESET_WINDOW_NANOS) {
      resetWindowNanos = now;
      resets = 0;
    }
    return ++resets > Http2Limits.RESETS;
  }

  private void earn(int frames) {
    idleFrames = Math.min(Http2Limits.IDLE_FRAMES_EARNED, idleFrames + frames);
  }

  /** Read only when the budget is spent: no clock on the way of those that keep to it. */
  private void refill() {
    long now = ticker.nanos();
    long due =
        (now - refilledNanos) * Http2Limits.IDLE_FRAMES_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
    refilledNanos = now;
    idleFrames += Math.min(Http2Limits.IDLE_FRAMES, Math.max(0, due));
  }
}
