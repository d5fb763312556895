package dev.sluice.time;

import java.util.concurrent.Executor;

/**
 * An event loop as the stages see it: one thread that runs tasks in order and on time. {@code
 * execute} is thread-safe and throws {@link java.util.concurrent.RejectedExecutionException} once
 * the loop ends; {@code schedule} is for the loop's own thread.
 */
public interface Loop extends Executor, Timer {

  /** Whether the calling thread is this loop's. */
  boolean isCurrent();
}
