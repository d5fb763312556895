package dev.sluice.bench;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A real origin and a real Sluice before it, each in a process of its own. Thread-safe. */
final class Stack implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** One answer and how long it took from connecting to its last byte. */
  record Answer(RawResponse response, long tookMillis) {
    int status() {
      return response.status();
    }
  }

  private final SlowOriginProcess origin = SlowOriginProcess.start("--loops", "1");
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

  /** What the origin itself counted. */
  OriginStats counted() {
    return origin.stats();
  }

  void resetCounts() {
    origin.reset();
  }

  /** Waits until the origin's counts say so, and returns them; fails loudly when they never do. */
  OriginStats awaitOrigin(String what, Predicate<OriginStats> condition) {
    return await(what, this::counted, condition);
  }

  /** Waits until so many requests wait for a render's permit. */
  void awaitWaiting(int count) {
    awaitMetric("sluice_queue_waiting{permit=\"render\"} " + count + ".0");
  }

  /** Waits until so many render permits are held. */
  void awaitHeld(int count) {
    awaitMetric("sluice_origin_in_flight{permit=\"render\"} " + count + ".0");
  }

  /** Waits until so many WebSockets are open. */
  void awaitSockets(int count) {
    awaitMetric("sluice_upgrades_open " + count + ".0");
  }

  /** Writes the file anew, with other ceilings, and sends HUP. */
  void reload(String concurrency) {
    sluice.reload(config("", concurrency, ""));
  }

  /** Waits until {@code /status} says so. */
  void awaitStatus(String words) {
    await(words, sluice::status, status -> status.contains(words));
  }

  private void awaitMetric(String line) {
    await(line, sluice::metrics, metrics -> metrics.contains(line));
  }

  private static <T> T await(String what, Supplier<T> look, Predicate<T> condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    T seen = look.get();
    while (!condition.test(seen)) {
      deadline.check(what);
      LockSupport.parkNanos(LOOK_NANOS);
      seen = look.get();
    }
    return seen;
  }

  /** Sends so many GETs to Sluice at once; {@code %d} in the target is the number of each. */
  CompletableFuture<CrowdResult> crowd(int count, String target) {
    return crowd(port(), count, target);
  }

  static CompletableFuture<CrowdResult> crowd(int port, int count, String target) {
    return CompletableFuture.supplyAsync(
        () -> Crowd.gets(port, count, target::formatted, PATIENCE), task -> start("crowd", task));
  }

  /**
   * A run of its own stack while the caller makes another: for runs whose time is waiting, and
   * whose bounds leave room for each other's work.
   */
  static <T> CompletableFuture<T> beside(Supplier<T> run) {
    return CompletableFuture.supplyAsync(run, task -> start("beside", task));
  }

  /** Runs the task on a thread of its own. */
  static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A connection to Sluice. */
  RawClient connect() {
    return RawClient.connect(port(), PATIENCE);
  }

  /** Asks Sluice on a connection of its own and reads the whole answer. */
  Answer fetch(String target) {
    long began = System.nanoTime();
    try (var client = connect()) {
      RawResponse response = client.get(target).readAll();
      return new Answer(response, millisSince(began));
    }
  }

  static long millisSince(long beganNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }
}
