package dev.sluice.wire.http2;

import dev.sluice.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * Counts what a peer makes us do for nothing: streams that end by a reset, and frames that move
 * nothing ({@link Http2Limits}). Towards clients, what they make us reset counts as well, and so
 * does what comes for streams that we reset; an origin of our own choice, whose attempts we cancel
 * ourselves, is not held to that. Confined to its connection's loop.
 */
final class FloodGuard {

  private final Ticker ticker;
  private final boolean strict;
  private final int maxResets;
  private long idleFrames = Http2Limits.IDLE_FRAMES;
  private long refilledNanos;
  private int resets;
  private long resetWindowNanos;

  FloodGuard(Role role, Ticker ticker) {
    this.ticker = ticker;
    this.strict = role == Role.SERVER;
    this.maxResets = strict ? Http2Limits.RESETS : Http2Limits.ORIGIN_RESETS;
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

  /** A frame came for a stream that we reset; true = too many. */
  boolean lateFrame() {
    return strict && idleFrame();
  }

  /** A DATA frame was written, which the peer may credit. */
  void dataSent() {
    earn(Http2Limits.IDLE_FRAMES_PER_DATA);
  }

  /** A request came, or went out. */
  void requested() {
    earn(Http2Limits.IDLE_FRAMES_PER_REQUEST);
  }

  /** The peer made us reset a stream, which does what its own reset would (CVE-2025-8671). */
  boolean provoked() {
    return strict && reset();
  }

  /** The peer reset a stream; true = too many. */
  boolean reset() {
    long now = ticker.nanos();
    if (now - resetWindowNanos > Http2Limits.RESET_WINDOW_NANOS) {
      resetWindowNanos = now;
      resets = 0;
    }
    return ++resets > maxResets;
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
