package dev.sluice.wire.http2;

import java.util.ArrayDeque;

/**
 * Shares a connection among what its streams send: a frame each in turn, as far as the connection's
 * window and the socket go (RFC 9113 5.2). Confined to its connection's loop.
 */
final class Outlets {

  /** The window that both sides begin with (RFC 9113 6.9.2). */
  static final int DEFAULT_WINDOW = 65_535;

  private final ArrayDeque<Outlet> line = new ArrayDeque<>(4);
  private final FrameWriter writer;
  private final FloodGuard guard;
  private long window = DEFAULT_WINDOW;
  private boolean pumping;

  Outlets(FrameWriter writer, FloodGuard guard) {
    this.writer = writer;
    this.guard = guard;
  }

  /** It has bytes and a window. */
  void line(Outlet outlet) {
    line.add(outlet);
  }

  /** The peer credits the connection; false where that makes more than 2^31-1. */
  boolean credit(int bytes) {
    window += bytes;
    return window <= Integer.MAX_VALUE;
  }

  /** Writes what may be written. */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (mayPump()) {
        turn(line.remove());
      }
    } finally {
      pumping = false;
    }
  }

  /** Whether something waits, and nothing else than its turn. */
  boolean mayPump() {
    return window > 0 && writer.isWritable() && !line.isEmpty();
  }

  /** It has nothing to send any more. */
  void unline(Outlet outlet) {
    line.remove(outlet);
  }

  private void turn(Outlet outlet) {
    if (outlet.isSendable()) {
      window -= outlet.writeFrame(Math.min(window, FrameType.MAX_PAYLOAD));
      guard.dataSent();
      outlet.resumeBody();
    }
    if (outlet.isSendable()) {
      line.add(outlet);
    } else {
      outlet.unlined();
    }
  }

  void close() {
    line.clear();
  }
}
