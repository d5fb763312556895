package dev.sluice.bench.journey;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What allocates a number of bytes that is known: shows that the profiler counts them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KnownBenchmark {

  /** Bytes of an array and its head. */
  public static final int BYTES = 256;

  private static final int ARRAY_HEAD = 16;

  @Benchmark
  public byte[] known() {
    return new byte[BYTES - ARRAY_HEAD];
  }
}
