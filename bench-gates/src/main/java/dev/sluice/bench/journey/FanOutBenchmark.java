package dev.sluice.bench.journey;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a page of four pieces costs that is kept for those who follow it from its first byte. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FanOutBenchmark {

  /** Who follows. */
  public static final int CROWD = 64;

  private final BenchmarkLoop loop = new BenchmarkLoop();
  private final Counting reader = new Counting();

  /** Counts what it is given, and lets it go. */
  private static final class Counting implements Body.Reader {
    private long bytes;
    private long ends;

    @Override
    public boolean chunk(ByteBuf chunk) {
      bytes += chunk.readableBytes();
      chunk.release();
      return true;
    }

    @Override
    public void flush() {
      // There is no socket.
    }

    @Override
    public void complete(Trailers trailers) {
      ends++;
    }

    @Override
    public void aborted(Cause cause) {
      throw new IllegalStateException("aborted: " + cause + " (expected: a whole page)");
    }
  }

  /** The whole of it for one follower: the blocks, the copy and the reading. */
  @Benchmark
  public long alone() {
    return read(1);
  }

  /** For each of a crowd. */
  @Benchmark
  @OperationsPerInvocation(CROWD)
  public long crowd() {
    return read(CROWD);
  }

  private long read(int followers) {
    loop.adopt();
    long bytesDue = reader.bytes + (long) followers * Example.PAGE_BYTES;
    long endsDue = reader.ends + followers;
    var page = new Page(loop);
    for (int i = 0; i < followers; i++) {
      page.followedBy(loop, reader);
    }
    page.come();
    loop.runTasks();
    page.release();
    if (reader.bytes != bytesDue || reader.ends != endsDue) {
      throw new IllegalStateException("bytes: " + reader.bytes + " (expected: " + bytesDue + ")");
    }
    return reader.bytes;
  }
}
