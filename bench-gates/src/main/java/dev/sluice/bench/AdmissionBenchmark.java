package dev.sluice.bench;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What a permit costs when nobody competes for it: taken and returned through the drain, through
 * the same admission behind a lock, and the lock alone as the yardstick.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdmissionBenchmark {

  private static final Route ROUTE =
      new Route(
          "route",
          "/**",
          RouteClass.PRIVATE_DYNAMIC,
          Priority.NORMAL,
          1,
          OnClientAbort.FINISH,
          RouteLimits.NONE);

  private final ReentrantLock lock = new ReentrantLock();
  private final Admission admission =
      new Admission(
          new AdmitSettings(64, 256, 256, 128, Duration.ofSeconds(2), true, Map.of(), Map.of()),
          List.of(ROUTE),
          Ticker.system());
  private final Granted granted = new Granted();
  private final Waiter waiter = new Waiter(granted, new SameThread());

  /** A permit, taken and given back. */
  @Benchmark
  public int drain() {
    waiter.prepare("route", Priority.NORMAL, 1);
    admission.enter(waiter);
    admission.giveBack(waiter);
    return granted.count;
  }

  /** The same twice behind a lock, as a class without a drain would be called. */
  @Benchmark
  public int locked() {
    lock.lock();
    try {
      waiter.prepare("route", Priority.NORMAL, 1);
      admission.enter(waiter);
    } finally {
      lock.unlock();
    }
    lock.lock();
    try {
      admission.giveBack(waiter);
    } finally {
      lock.unlock();
    }
    return granted.count;
  }

  /** The yardstick. */
  @Benchmark
  public int lockAlone() {
    lock.lock();
    try {
      return granted.count;
    } finally {
      lock.unlock();
    }
  }

  private static final class Granted implements Waiter.Listener {
    private int count;

    @Override
    public void granted() {
      count++;
    }

    @Override
    public void shed(Cause cause, long predictedWaitNanos) {
      throw new IllegalStateException("shed: " + cause + " (expected: a grant)");
    }
  }

  private static final class SameThread implements Loop {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
      throw new IllegalStateException("nobody waits here");
    }

    @Override
    public boolean isCurrent() {
      return true;
    }
  }
}
