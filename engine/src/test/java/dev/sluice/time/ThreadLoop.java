package dev.sluice.time;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A loop on a thread of its own, for tests of what threads do to each other. Thread-safe. */
public final class ThreadLoop implements Loop {

  private static final int PATIENCE_SECONDS = 10;

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Thread thread;

  /** The thread runs when this returns. */
  public ThreadLoop() {
    try {
      thread = executor.submit(Thread::currentThread).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns once all it had is done. */
  public void end() throws InterruptedException {
    executor.shutdown();
    awaitEnd();
  }

  /** The same; deadlines that are set are forgotten. */
  public void endNow() throws InterruptedException {
    executor.shutdownNow();
    awaitEnd();
  }

  private void awaitEnd() throws InterruptedException {
    if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the loop did not end");
    }
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  @Override
  public Scheduled schedule(Runnable task, long delayNanos) {
    ScheduledFuture<?> future = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }
}
