package dev.sluice.bench;

import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** A real origin and a real Sluice before it, each in a process of its own. Thread-safe. */
final class Stack implements AutoCloseable {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final SlowOriginProcess origin = SlowOriginProcess.start("--loops", "1");
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SluiceProcess sluice;

  /**
   * Starts both.
   *
   * @param server more keys of {@code server} and top level, or empty
   * @param concurrency what stands in {@code origin}'s braces behind {@code upstreams}
   * @param routes lines of {@code routes}, or empty
   */
  Stack(String server, String concurrency, String routes) {
    try {
      sluice = SluiceProcess.start(SluiceProcess.jar(), config(server, concurrency, routes));
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
  }

  private String config(String server, String concurrency, String routes) {
    return """
        version: 1
        server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s }%s }
        origin: { upstreams: ["127.0.0.1:%d"], %s }
        %stelemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(server, origin.port(), concurrency, routes);
  }

  int port() {
    return sluice.port();
  }

  int originPort() {
    return origin.port();
  }

  SluiceProcess sluice() {
    return sluice;
  }

  /** What the origin itself counted. */
  OriginStats counted() {
    return origin.stats();
  }

  void resetCounts() {
    origin.reset();
  }

  /** Waits until the origin's counts say so; fails loudly when they never do. */
  void awaitOrigin(String what, java.util.function.Predicate<OriginStats> condition) {
    await(what, () -> condition.test(counted()));
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("never seen: " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Runs {@code count} tasks at once. */
  <T> List<Future<T>> crowd(int count, IntFunction<T> task) {
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      running.add(threads.submit(() -> task.apply(number)));
    }
    return running;
  }

  /** What all of them came to. */
  static <T> List<T> results(List<Future<T>> running) {
    List<T> results = new ArrayList<>();
    for (Future<T> future : running) {
      try {
        results.add(future.get(120, TimeUnit.SECONDS));
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("a client failed", e);
      }
    }
    return results;
  }

  /** Asks for {@code target} on a connection of its own and reads the whole answer. */
  static int fetch(int port, String target, String... fields) {
    try (var client = new RawHttp(port)) {
      String[] all = java.util.Arrays.copyOf(fields, fields.length + 1);
      all[fields.length] = "Connection: close";
      int status = client.get(target, all).status();
      client.rest();
      return status;
    }
  }

  /** Prints a gate's figures with its parameters. */
  static void report(String claim, String format, Object... figures) {
    System.out.printf("gate: %s: " + format + "%n", prepend(claim, figures));
  }

  private static Object[] prepend(String claim, Object... figures) {
    Object[] all = new Object[figures.length + 1];
    all[0] = claim;
    System.arraycopy(figures, 0, all, 1, figures.length);
    return all;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    sluice.close();
    origin.close();
  }
}
