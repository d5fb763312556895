package dev.sluice.bench.journey;

import dev.sluice.time.Loop;
import java.util.PriorityQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * An event loop without sockets, turned by a benchmark's thread: tasks of other threads run when it
 * is turned. Deadlines are kept in order, as a real loop keeps them, but none comes due within a
 * benchmark. {@code execute} is thread-safe; the rest is for the thread that adopted it.
 */
public final class BenchmarkLoop implements Loop {

  private final MpscUnboundedArrayQueue<Runnable> tasks = new MpscUnboundedArrayQueue<>(64);
  private final PriorityQueue<Due> deadlines = new PriorityQueue<>();
  private Thread thread = Thread.currentThread();
  private long scheduled;

  /** From now on the calling thread is this loop's. */
  public void adopt() {
    thread = Thread.currentThread();
  }

  /** Runs what other threads asked for. */
  public void runTasks() {
    for (Runnable task = tasks.relaxedPoll(); task != null; task = tasks.relaxedPoll()) {
      task.run();
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.offer(task);
  }

  @Override
  public Scheduled schedule(Runnable task, long delayNanos) {
    Due due = new Due(delayNanos + scheduled++, task);
    deadlines.add(due);
    return () -> deadlines.remove(due);
  }

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  private record Due(long order, Runnable task) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(order, other.order);
    }
  }
}
