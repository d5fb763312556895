package dev.sluice.time;

/** Runs a task later on the executor that the timer belongs to (an event loop; in tests a fake). */
public interface Timer {

  /**
   * Schedules {@code task} in {@code delayNanos}; a delay of zero or less means as soon as
   * possible.
   */
  Scheduled schedule(Runnable task, long delayNanos);

  /** A task that waits for its time. */
  interface Scheduled {
    /** Forgets the task; no effect once it ran or was cancelled. Called on the timer's executor. */
    void cancel();
  }
}
