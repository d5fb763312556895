package dev.sluice.flow;

import dev.sluice.time.FakeTicker;
import dev.sluice.time.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One of several loops that a test steps through on its own thread: the loop whose task runs is the
 * current one, and a loop may end, as a real one does, once its tasks have run.
 */
final class SteppedLoop implements Loop {

  private record Due(long nanos, Runnable task) {}

  private static @Nullable SteppedLoop current;

  final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final FakeTicker ticker;
  private final List<Due> timers = new ArrayList<>();
  private boolean ended;

  SteppedLoop(FakeTicker ticker) {
    this.ticker = ticker;
  }

  /** Runs {@code task} as if this loop did. */
  void on(Runnable task) {
    SteppedLoop before = current;
    current = this;
    try {
      task.run();
    } finally {
      current = before;
    }
  }

  /** Runs the task that has waited longest; false where none waits. */
  boolean step() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    on(task);
    return true;
  }

  void drain() {
    while (step()) {
      // The next.
    }
  }

  void end() {
    ended = true;
  }

  /** Lets time pass and runs what has become due, in order. */
  void advance(long nanos) {
    ticker.advance(nanos);
    List<Due> due =
        timers.stream()
            .filter(timer -> timer.nanos() - ticker.nanos() <= 0)
            .sorted(Comparator.comparingLong(Due::nanos))
            .toList();
    timers.removeAll(due);
    due.forEach(timer -> on(timer.task()));
  }

  int timers() {
    return timers.size();
  }

  @Override
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException("ended");
    }
    tasks.add(task);
  }

  @Override
  public Scheduled schedule(Runnable task, long delayNanos) {
    var timer = new Due(ticker.nanos() + delayNanos, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  @Override
  public boolean isCurrent() {
    return current == this;
  }
}
