package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Lets everything through, in order, each piece in its time. Confined to the connection's event
 * loop.
 */
final class Paced implements Effect {

  private final Pace pace;
  private final int holdMax;
  private final Deque<Piece> waiting = new ArrayDeque<>();
  private @Nullable Future<?> timer;
  private long lastDueNanos;
  private boolean ended;

  private record Piece(ByteBuf bytes, long dueNanos) {}

  /**
   * A pace of its own for this connection.
   *
   * @param holdMax bytes that may wait before the source is to wait
   */
  Paced(Pace pace, int holdMax) {
    this.pace = pace;
    this.holdMax = holdMax;
  }

  @Override
  public void begin(Site site) {
    lastDueNanos = site.nanos();
  }

  @Override
  public void take(ByteBuf bytes, Site site) {
    long now = site.nanos();
    while (bytes.isReadable()) {
      int size = pace.piece(bytes.readableBytes());
      lastDueNanos = pace.dueNanos(now, lastDueNanos, size);
      waiting.add(new Piece(bytes.readRetainedSlice(size), lastDueNanos));
    }
    bytes.release();
    run(site);
  }

  @Override
  public void end(Site site) {
    ended = true;
    run(site);
  }

  @Override
  public void replace(Site site) {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
    while (!waiting.isEmpty()) {
      site.pass(waiting.remove().bytes());
    }
  }

  @Override
  public int holdMax() {
    return holdMax;
  }

  private void run(Site site) {
    if (timer != null) {
      return;
    }
    while (!waiting.isEmpty()) {
      long wait = waiting.element().dueNanos() - site.nanos();
      if (wait > 0) {
        timer = site.after(wait, () -> runAgain(site));
        return;
      }
      site.pass(waiting.remove().bytes());
    }
    if (ended) {
      site.end();
    }
  }

  private void runAgain(Site site) {
    timer = null;
    run(site);
  }
}
