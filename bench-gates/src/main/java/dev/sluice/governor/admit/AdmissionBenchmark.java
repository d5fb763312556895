package dev.sluice.governor.admit;

import dev.sluice.bench.journey.BenchmarkLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a permit costs, taken and given back, when nobody competes for it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdmissionBenchmark {

  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionDesign drain = AdmissionDesign.of("drain", 64, 256);
  private final AdmissionDesign upstreams = AdmissionDesign.ofUpstreams(64, 256);
  private final AdmissionDesign locked = AdmissionDesign.of("lock", 64, 256);
  private final BenchmarkLoop loop = new BenchmarkLoop();
  private final BenchmarkFlight flight = new BenchmarkFlight(loop);

  /** As it ships. */
  @Benchmark
  public int drain() {
    flight.enter(drain);
    flight.giveBack(drain);
    return flight.grants();
  }

  /** With a ceiling for each of three upstreams, one of which is chosen at the grant. */
  @Benchmark
  public int drainWithUpstreams() {
    flight.enter(upstreams);
    flight.giveBack(upstreams);
    return flight.grants();
  }

  /** The same schedule behind a lock. */
  @Benchmark
  public int locked() {
    flight.enter(locked);
    flight.giveBack(locked);
    return flight.grants();
  }

  /** The yardstick: a lock and its unlock, around next to nothing. */
  @Benchmark
  public int lockAlone() {
    lock.lock();
    try {
      return flight.grants();
    } finally {
      lock.unlock();
    }
  }

  /** With a waiter made for each grant: shows that the profiler would see its bytes. */
  @Benchmark
  public int drainWithNewWaiter() {
    flight.enterAnew(drain);
    flight.giveBack(drain);
    return flight.grants();
  }
}
