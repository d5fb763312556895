package dev.sluice.soak;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * A real origin and a real Sluice before it, each in a process of its own, with Netty's leak
 * detection at its strictest, and what can be seen of them from outside. Thread-safe.
 */
final class SoakStack implements AutoCloseable {

  private static final int HEAP_MIB = 256;
  private static final int DIRECT_MIB = 512;

  private final SlowOriginProcess origin;
  private final SluiceProcess sluice;

  /** Starts both; in the configuration {@code {{origin}}} stands for the origin's port. */
  SoakStack(String config) {
    this(config, HEAP_MIB, DIRECT_MIB);
  }

  /** The same; the JVM's heap and direct memory have these bounds. */
  SoakStack(String config, int heapMib, int directMib) {
    this(config, heapMib, directMib, "-XX:+UseSerialGC");
  }

  /** The same with one more flag of the JVM. */
  SoakStack(String config, int heapMib, int directMib, String flag) {
    origin = SlowOriginProcess.start("--loops", "1");
    try {
      sluice =
          SluiceProcess.start(
              SluiceProcess.jar(),
              config.replace("{{origin}}", "" + origin.port()),
              LeakLines.FLAG,
              "-XX:+UseSerialGC",
              "-Xms16m",
              "-Xmx" + heapMib + "m",
              "-XX:MaxDirectMemorySize=" + directMib + "m",
              "-XX:+ExitOnOutOfMemoryError",
              "-Dio.netty.tryReflectionSetAccessible=true",
              flag);
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
  }

  SlowOriginProcess origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  int port() {
    return sluice.port();
  }

  Account account() {
    return Account.parse(sluice.status());
  }

  int openFiles() {
    return sluice.process().openFiles();
  }

  /** The first account that is as wanted, or the last one that was seen in that time. */
  Account await(Predicate<Account> wanted, Duration atMost) {
    return Await.last(this::account, wanted, atMost);
  }

  /** Waits until no more descriptors are open than these, and says how many there are. */
  int awaitOpenFiles(int wanted, Duration atMost) {
    return Await.last(this::openFiles, files -> files <= wanted, atMost);
  }

  /** Sluice's memory once its garbage is gone. */
  Memory settledMemory() {
    collectGarbage();
    Account now = account();
    return new Memory(now.heapBytes(), now.directBytes(), sluice.process().residentBytes());
  }

  void collectGarbage() {
    LeakLines.collectGarbage(sluice.process());
  }

  List<String> leakLines() {
    return LeakLines.of(sluice.process());
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }

  /** In bytes. */
  record Memory(long heap, long direct, long resident) {}
}
