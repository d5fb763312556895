package dev.sluice.governor.admit;

import dev.sluice.bench.journey.BenchmarkLoop;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Two event loops at one admission, on either design (DEC-48). */
@Threads(2)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SharedAdmissionBenchmark {

  /** With permits for all: nobody waits for one. */
  @State(Scope.Benchmark)
  public static class Roomy {
    @Param({"drain", "lock"})
    String design = "";

    AdmissionDesign admission = AdmissionDesign.of("lock", 1, 1);

    @Setup
    public void make() {
      admission = AdmissionDesign.of(design, 64, 256);
    }
  }

  /** With more flights than permits: most wait, and grants go to the other loop too. */
  @State(Scope.Benchmark)
  public static class Crowded {
    @Param({"drain", "lock"})
    String design = "";

    AdmissionDesign admission = AdmissionDesign.of("lock", 1, 1);

    @Setup
    public void make() {
      admission = AdmissionDesign.of(design, 8, 256);
    }
  }

  /** A thread that stands for an event loop. */
  @State(Scope.Thread)
  public static class Turning {
    static final int FLIGHTS = 16;

    final BenchmarkLoop loop = new BenchmarkLoop();
    final BenchmarkFlight[] flights = new BenchmarkFlight[FLIGHTS];
    int turn;

    /** Makes the flights. */
    @Setup
    public void make() {
      for (int i = 0; i < FLIGHTS; i++) {
        flights[i] = new BenchmarkFlight(loop);
      }
    }

    /** The thread of this iteration is the loop's. */
    @Setup(Level.Iteration)
    public void adopt() {
      loop.adopt();
    }

    BenchmarkFlight next() {
      turn = (turn + 1) % FLIGHTS;
      return flights[turn];
    }
  }

  /** A permit, taken and given back. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  public int grantAndReturn(Roomy shared, Turning turning) {
    BenchmarkFlight flight = turning.flights[0];
    flight.enterAnew(shared.admission);
    while (!flight.holding) {
      // The other thread is draining and hands the grant over.
      turning.loop.runTasks();
      Thread.onSpinWait();
    }
    flight.giveBack(shared.admission);
    return flight.grants();
  }

  /**
   * One turn of a loop under mixed load: who holds a permit gives it back, who waits leaves, who is
   * out enters. Its time is what the loop was kept from its connections.
   */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public int mixedTurn(Crowded shared, Turning turning) {
    turning.loop.runTasks();
    BenchmarkFlight flight = turning.next();
    if (flight.holding) {
      flight.giveBack(shared.admission);
    } else if (flight.entered) {
      flight.leave(shared.admission);
    } else {
      flight.enterAnew(shared.admission);
    }
    return flight.grants();
  }
}
