package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The toxics that change how a connection ends. */
final class Closings {

  private Closings() {}

  /** The end comes late. Confined to the connection's event loop. */
  static final class SlowClose implements Effect {
    private final long delayMillis;
    private @Nullable Future<?> timer;

    SlowClose(long delayMillis) {
      this.delayMillis = delayMillis;
    }

    @Override
    public void begin(Site site) {}

    @Override
    public void take(ByteBuf bytes, Site site) {
      site.pass(bytes);
    }

    @Override
    public void end(Site site) {
      timer = site.after(TimeUnit.MILLISECONDS.toNanos(delayMillis), site::end);
    }

    @Override
    public void replace(Site site) {
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }

  /** Nothing gets through, then the connection ends. Confined to the connection's event loop. */
  static final class Timeout implements Effect {
    private final long millis;
    private @Nullable Future<?> timer;

    Timeout(long millis) {
      this.millis = millis;
    }

    @Override
    public void begin(Site site) {
      if (timer != null) {
        timer.cancel(false);
      }
      if (millis > 0) {
        timer = site.after(TimeUnit.MILLISECONDS.toNanos(millis), site::end);
      }
    }

    /** Data begins the time anew, as with the original. */
    @Override
    public void take(ByteBuf bytes, Site site) {
      site.drop(bytes);
      begin(site);
    }

    @Override
    public void end(Site site) {
      replace(site);
      site.end();
    }

    @Override
    public void replace(Site site) {
      if (timer != null) {
        timer.cancel(false);
      }
    }

    /** What was dropped is missing: the connection is of no use any more. */
    @Override
    public void remove(Site site) {
      end(site);
    }
  }

  /** RST, so long after the first that comes. Confined to the connection's event loop. */
  static final class ResetPeer implements Effect {
    private final long millis;
    private @Nullable Future<?> timer;

    ResetPeer(long millis) {
      this.millis = millis;
    }

    @Override
    public void begin(Site site) {}

    @Override
    public void take(ByteBuf bytes, Site site) {
      site.drop(bytes);
      end(site);
    }

    @Override
    public void end(Site site) {
      if (timer == null) {
        timer = site.after(TimeUnit.MILLISECONDS.toNanos(millis), site::reset);
      }
    }

    @Override
    public void replace(Site site) {
      if (timer != null && timer.cancel(false)) {
        site.reset();
      }
    }
  }

  /** The end, once so many bytes went through. Confined to the connection's event loop. */
  static final class LimitData implements Effect {
    private final long bytes;
    private long passed;

    /** What went through under the attributes before these counts too. */
    LimitData(long bytes, long passed) {
      this.bytes = bytes;
      this.passed = passed;
    }

    long passed() {
      return passed;
    }

    @Override
    public void begin(Site site) {}

    @Override
    public void take(ByteBuf chunk, Site site) {
      int whole = chunk.readableBytes();
      int through = (int) Math.min(whole, Math.max(0, bytes - passed));
      passed += through;
      if (through > 0) {
        site.pass(chunk.readRetainedSlice(through));
      }
      site.drop(chunk);
      if (passed >= bytes) {
        site.end();
      }
    }

    @Override
    public void end(Site site) {
      site.end();
    }

    @Override
    public void replace(Site site) {}
  }
}
