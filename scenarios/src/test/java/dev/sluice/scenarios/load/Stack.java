package dev.sluice.scenarios.load;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A slow origin and a real Sluice before it, each in a process of its own. Thread-safe. */
final class Stack implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final SlowOriginProcess origin;
  private final SluiceProcess sluice;

  private Stack(String config, List<String> originOptions) {
    origin = SlowOriginProcess.start(originOptions.toArray(String[]::new));
    try {
      sluice = SluiceProcess.start(SluiceProcess.jar(), filled(config, origin.port()));
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
  }

  /**
   * Starts both.
   *
   * @param config blocks from {@code origin} on, where {@code {{origin}}} is the origin's port
   */
  static Stack start(String config, List<String> originOptions) {
    return new Stack(config, originOptions);
  }

  private static String filled(String blocks, int originPort) {
    String whole =
        """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          debug_headers: true
          graceful: { drain_period: 0s }
        %s
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """;
    return whole.formatted(blocks.strip()).replace("{{origin}}", "" + originPort);
  }

  /** Gives Sluice another configuration, with another origin if need be. */
  void reload(String config, int originPort) {
    sluice.reload(filled(config, originPort));
  }

  /** Where Sluice listens. */
  String url() {
    return url(sluice.port());
  }

  /** Where the origin listens. */
  String directUrl() {
    return url(origin.port());
  }

  SlowOriginProcess origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  OriginStats stats() {
    return origin.stats();
  }

  /** Waits until it is so; fails loudly when it never is. */
  static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(what);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }
}
