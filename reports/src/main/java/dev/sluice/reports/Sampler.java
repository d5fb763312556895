package dev.sluice.reports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at a number again and again, for a chart over time; closing it ends the looking, behind one
 * last look. A look that fails leaves a gap. Thread-safe.
 */
public final class Sampler implements AutoCloseable {
  private static final long END_PATIENCE_SECONDS = 10;

  private final long beganNanos = System.nanoTime();
  private final List<Point> points = new ArrayList<>();
  private final Callable<? extends Number> number;
  private final ScheduledExecutorService thread;

  private Sampler(Callable<? extends Number> number) {
    this.number = number;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var looking = new Thread(task, "sampler");
              looking.setDaemon(true);
              return looking;
            });
  }

  /** Looks now and then once in each pause, on a thread of its own. */
  public static Sampler every(Duration pause, Callable<? extends Number> number) {
    var sampler = new Sampler(number);
    sampler.thread.scheduleWithFixedDelay(sampler::look, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    return sampler;
  }

  private void look() {
    try {
      double y = number.call().doubleValue();
      synchronized (points) {
        points.add(Point.since(beganNanos, y));
      }
    } catch (Exception | AssertionError gap) {
      // Whom it looks at may be on its way up or down: the line has a gap there.
    }
  }

  /** What it has seen so far. */
  public List<Point> points() {
    synchronized (points) {
      return List.copyOf(points);
    }
  }

  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    thread.execute(this::look);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
