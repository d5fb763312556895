package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The toxics that change how a connection ends. */
final class Closings {

  private Closings() {}

  /**
   * What an effect does later, unless it is called off. Confined to the connection's event loop.
   */
  private static final class Alarm {
    private final long millis;
    private @Nullable Future<?> timer;

    Alarm(long millis) {
      this.millis = millis;
    }

    boolean isSet() {
      return timer != null;
    }

    void set(Site site, Runnable task) {
      timer = site.after(TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    /** Whether there was something to call off. */
    boolean cancel() {
      return timer != null && timer.cancel(false);
    }
  }

  /** The end comes late. Confined to the connection's event loop. */
  static final class SlowClose implements Effect {
    private final Alarm alarm;

    SlowClose(long delayMillis) {
      alarm = new Alarm(delayMillis);
    }

    @Override
    public void end(Site site) {
      alarm.set(site, site::end);
    }

    @Override
    public void replace(Site site) {
      alarm.cancel();
    }
  }

  /** Nothing gets through, then the connection ends. Confined to the connection's event loop. */
  static final class Timeout implements Effect {
    private final Alarm alarm;

    Timeout(long millis) {
      alarm = new Alarm(millis);
    }

    @Override
    public void begin(Site site) {
      alarm.cancel();
      if (alarm.millis > 0) {
        alarm.set(site, site::end);
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
      alarm.cancel();
      site.end();
    }

    @Override
    public void replace(Site site) {
      alarm.cancel();
    }

    /** What was dropped is missing: the connection is of no use any more. */
    @Override
    public void remove(Site site) {
      end(site);
    }
  }

  /** RST, so long after the first that comes. Confined to the connection's event loop. */
  static final class ResetPeer implements Effect {
    private final Alarm alarm;

    ResetPeer(long millis) {
      alarm = new Alarm(millis);
    }

    @Override
    public void take(ByteBuf bytes, Site site) {
      site.drop(bytes);
      end(site);
    }

    @Override
    public void end(Site site) {
      if (!alarm.isSet()) {
        alarm.set(site, site::reset);
      }
    }

    @Override
    public void replace(Site site) {
      if (alarm.cancel()) {
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
  }
}
