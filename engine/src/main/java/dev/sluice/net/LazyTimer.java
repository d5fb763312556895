package dev.sluice.net;

import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.time.Timer;
import org.jspecify.annotations.Nullable;

/**
 * One deadline that moves often and is rarely met (DEC-32): moving it later or off costs a field,
 * not a task; the one task that waits looks at the deadline when it runs. Confined to its loop.
 */
public final class LazyTimer {

  private final Loop loop;
  private final Ticker ticker;
  private final Runnable onDue;
  private boolean armed;
  private long deadlineNanos;
  private Timer.@Nullable Scheduled task;
  private long taskNanos;

  public LazyTimer(Loop loop, Ticker ticker, Runnable onDue) {
    this.loop = loop;
    this.ticker = ticker;
    this.onDue = onDue;
  }

  /** Due {@code delayNanos} from now, whatever was set before. */
  public void in(long delayNanos) {
    armed = true;
    deadlineNanos = ticker.nanos() + delayNanos;
    if (task != null && taskNanos - deadlineNanos > 0) {
      task.cancel();
      task = null;
    }
    if (task == null) {
      schedule(delayNanos);
    }
  }

  /** Whether it is due some time. */
  public boolean isArmed() {
    return armed;
  }

  /** How long until it is due; only where it is armed. */
  public long dueInNanos() {
    return deadlineNanos - ticker.nanos();
  }

  /** Not due until set again. */
  public void off() {
    armed = false;
  }

  /** For the end of the connection: not even the task is left. */
  public void close() {
    armed = false;
    if (task != null) {
      task.cancel();
      task = null;
    }
  }

  private void schedule(long delayNanos) {
    taskNanos = deadlineNanos;
    task = loop.schedule(this::run, delayNanos);
  }

  private void run() {
    task = null;
    if (!armed) {
      return;
    }
    long left = deadlineNanos - ticker.nanos();
    if (left > 0) {
      schedule(left);
      return;
    }
    armed = false;
    onDue.run();
  }
}
