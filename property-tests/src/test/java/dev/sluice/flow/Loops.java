package dev.sluice.flow;

import dev.sluice.time.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Several loops on one thread whose tasks run interleaved as a seed says, and a clock by hand. */
final class Loops {

  /** One of them; it ends as a real one does: what it took still runs, more is refused. */
  final class One implements Loop {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean ended;
    private int mostGroupTasks;

    void on(Runnable task) {
      One before = current;
      current = this;
      try {
        task.run();
      } finally {
        current = before;
      }
    }

    void end() {
      ended = true;
    }

    boolean hasEnded() {
      return ended;
    }

    /** How many tasks of one body's readers waited here at once, at most. */
    int mostGroupTasks() {
      return mostGroupTasks;
    }

    @Override
    public void execute(Runnable task) {
      if (ended) {
        throw new RejectedExecutionException("ended");
      }
      tasks.add(task);
      int groups = (int) tasks.stream().filter(ReaderGroup.class::isInstance).count();
      mostGroupTasks = Math.max(mostGroupTasks, groups);
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
      var timer = new Due(now + delayNanos, this, task);
      timers.add(timer);
      return () -> timers.remove(timer);
    }

    @Override
    public boolean isCurrent() {
      return current == this;
    }
  }

  private record Due(long nanos, One loop, Runnable task) {}

  private final List<One> all = new ArrayList<>();
  private final List<Due> timers = new ArrayList<>();
  private final Random random;
  private @Nullable One current;
  private long now;

  Loops(int count, Random random) {
    this.random = random;
    for (int i = 0; i < count; i++) {
      all.add(new One());
    }
  }

  One get(int index) {
    return all.get(index);
  }

  List<One> all() {
    return all;
  }

  One any() {
    return all.get(random.nextInt(all.size()));
  }

  int timers() {
    return timers.size();
  }

  /** Runs one task of one loop; false where none waits anywhere. */
  boolean step() {
    List<One> busy = all.stream().filter(loop -> !loop.tasks.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    One loop = busy.get(random.nextInt(busy.size()));
    loop.on(loop.tasks.remove());
    return true;
  }

  void drain() {
    while (step()) {
      // The next.
    }
  }

  void advance(long nanos) {
    now += nanos;
    for (Due timer : List.copyOf(timers)) {
      if (timer.nanos() <= now && timers.remove(timer)) {
        timer.loop().on(timer.task());
      }
    }
  }
}
