package dev.sluice.bench.origin;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several upstreams and a Sluice before them, each in a process of its own. An upstream that is
 * started anew has its port again. Confined to the gate's thread.
 */
final class Fleet implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final List<SlowOriginProcess> upstreams = new ArrayList<>();
  private final String keys;
  private final SluiceProcess sluice;

  private Fleet(int size, String keys) {
    this.keys = keys;
    try {
      for (int i = 0; i < size; i++) {
        upstreams.add(SlowOriginProcess.start("--loops", "1"));
      }
      sluice = SluiceProcess.start(SluiceProcess.jar(), config(all()));
    } catch (RuntimeException | AssertionError e) {
      upstreams.forEach(SlowOriginProcess::close);
      throw e;
    }
  }

  /**
   * Starts so many upstreams and a Sluice.
   *
   * @param keys lines of {@code origin}
   */
  static Fleet of(int size, String... keys) {
    String lines =
        IntStream.range(0, keys.length)
            .mapToObj(i -> "  " + keys[i] + "\n")
            .collect(Collectors.joining());
    return new Fleet(size, lines);
  }

  static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }

  int port() {
    return sluice.port();
  }

  /** What one upstream counted since its start or its reset. */
  OriginStats counted(int upstream) {
    return upstreams.get(upstream).stats();
  }

  /** The status that one answers a probe with. */
  int probed(int upstream) {
    try (var client = RawClient.connect(upstreams.get(upstream).port(), PATIENCE)) {
      return client.get("/healthz").readAll().status();
    }
  }

  void reset(int upstream) {
    upstreams.get(upstream).reset();
  }

  void override(int upstream, String query) {
    upstreams.get(upstream).override(query);
  }

  /** Ends one at once, as a crash does. */
  void kill(int upstream) {
    upstreams.get(upstream).process().kill();
  }

  /** Ends one by TERM and starts it anew on its port; returns once it listens. */
  void restart(int upstream) {
    SlowOriginProcess ending = upstreams.get(upstream);
    ending.close();
    upstreams.set(upstream, SlowOriginProcess.start("--loops", "1", "--port", "" + ending.port()));
  }

  /** A reload after which only these are configured; returns once it is in force. */
  void use(List<Integer> chosen) {
    String before = generation();
    sluice.reload(config(chosen));
    await("the reload", () -> !generation().equals(before));
  }

  /** Waits until Sluice does not name an upstream any more: its last flight has ended. */
  void awaitForgotten(int upstream) {
    await("the end of " + upstream, () -> !sluice.status().contains(address(upstream)));
  }

  List<Integer> all() {
    return IntStream.range(0, upstreams.size()).boxed().toList();
  }

  /** Waits until Sluice says of an upstream what this line of its metrics says. */
  void awaitGauge(int upstream, String gauge, int value) {
    String line =
        "sluice_upstream_" + gauge + "{upstream=\"" + address(upstream) + "\"} " + value + ".0";
    await(line, () -> sluice.metrics().contains(line));
  }

  /** What Sluice's metrics say of an upstream under {@code sluice_upstream_} and this name. */
  long told(int upstream, String series) {
    String start = "sluice_upstream_" + series + "{upstream=\"" + address(upstream) + "\"} ";
    return sluice
        .metrics()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(start.length()))))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + start));
  }

  /** Waits until nothing is in flight at one, by its own count. */
  void awaitIdle(int upstream) {
    await("upstream " + upstream + " idle", () -> counted(upstream).inFlight() == 0);
  }

  static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(what);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private String generation() {
    return sluice
        .metrics()
        .lines()
        .filter(line -> line.startsWith("sluice_generation "))
        .findFirst()
        .orElse("");
  }

  private String address(int upstream) {
    return "127.0.0.1:" + upstreams.get(upstream).port();
  }

  private String config(List<Integer> chosen) {
    String addresses =
        chosen.stream().map(i -> "\"" + address(i) + "\"").collect(Collectors.joining(", "));
    return """
        version: 1
        server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
        origin:
          upstreams: [%s]
        %stelemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(addresses, keys);
  }

  @Override
  public void close() {
    sluice.close();
    upstreams.forEach(SlowOriginProcess::close);
  }
}
