package dev.sluice.time;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An event loop as the stages see it: one thread that runs tasks in order and on time. {@code
 * execute} is thread-safe and throws {@link RejectedExecutionException} once the loop ends; {@code
 * schedule} is for the loop's own thread.
 */
public interface Loop extends Executor, Timer {

  /** Whether the calling thread is this loop's. */
  boolean isCurrent();

  /**
   * Does {@code task} at once where the calling thread is this loop's, else posts it. Thread-safe;
   * false where the loop has ended and the task will never be done.
   */
  default boolean run(Runnable task) {
    if (isCurrent()) {
      task.run();
      return true;
    }
    try {
      execute(task);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }
}
