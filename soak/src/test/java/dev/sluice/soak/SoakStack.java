package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A real origin and a real Sluice before it, each in a process of its own, with Netty's leak
 * detection at its strictest, and what can be seen of them from outside. Thread-safe.
 */
final class SoakStack implements AutoCloseable {

  /** The flag that the control gives to a program that leaks. */
  static final String LEAK_DETECTION = "-Dio.netty.leakDetection.level=paranoid";

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration GC_PATIENCE = Duration.ofSeconds(60);
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
              LEAK_DETECTION,
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
    Deadline deadline = Deadline.in(atMost);
    Account now = account();
    while (!wanted.test(now) && !deadline.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
      now = account();
    }
    return now;
  }

  /** Waits until no more descriptors are open than these, and says how many there are. */
  int awaitOpenFiles(int wanted, Duration atMost) {
    Deadline deadline = Deadline.in(atMost);
    int now = openFiles();
    while (now > wanted && !deadline.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
      now = openFiles();
    }
    return now;
  }

  /** Sluice's memory once its garbage is gone. */
  Memory settledMemory() {
    collectGarbage();
    Account now = account();
    return new Memory(now.heapBytes(), now.directBytes(), sluice.process().residentBytes());
  }

  /** Collects twice: what the first run finds unreachable may hold what the second one frees. */
  void collectGarbage() {
    for (int i = 0; i < 2; i++) {
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      String pid = Long.toString(sluice.process().pid());
      try (var command = RealProcess.start("jcmd", List.of(jcmd.toString(), pid, "GC.run"))) {
        int status = command.waitForExit(GC_PATIENCE);
        if (status != 0) {
          throw new AssertionError("jcmd GC.run: exit status " + status + ": " + command.tail());
        }
      }
    }
  }

  List<String> leakLines() {
    return leakLines(sluice.process());
  }

  /** Every line of a process's output in which Netty tells of a leak. */
  static List<String> leakLines(RealProcess process) {
    try (Stream<String> lines = Files.lines(process.logFile())) {
      return lines.filter(line -> line.contains("LEAK:")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("output of " + process.pid(), e);
    }
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }

  /** In bytes. */
  record Memory(long heap, long direct, long resident) {}
}
