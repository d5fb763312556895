package dev.sluice.time;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose tasks run when a test says so, on the test's thread, under a fake clock. */
public final class FakeLoop implements Loop {

  private record Task(long dueNanos, long order, Runnable run) {}

  private final FakeTicker ticker;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Task> timers =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparing(Task::order));
  private long order;

  public FakeLoop(FakeTicker ticker) {
    this.ticker = ticker;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public Scheduled schedule(Runnable task, long delayNanos) {
    var timer = new Task(ticker.nanos() + Math.max(0, delayNanos), order++, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  @Override
  public boolean isCurrent() {
    return true;
  }

  /** Runs what waits, in order. */
  public void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Lets time pass step by step, running each timer when it is due. */
  public void advance(long byNanos) {
    long end = ticker.nanos() + byNanos;
    for (Task next = timers.peek(); next != null && next.dueNanos <= end; next = timers.peek()) {
      timers.poll();
      ticker.advance(Math.max(0, next.dueNanos - ticker.nanos()));
      next.run.run();
      runTasks();
    }
    ticker.advance(end - ticker.nanos());
  }

  /** Timers that wait. */
  public int timers() {
    return timers.size();
  }
}
