package dev.sluice.chaos;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A Sluice before an origin that comes and goes on one port, with no line between them. Confined to
 * the gate's thread.
 */
final class OriginAlone implements AutoCloseable {

  /** The page that crowds ask for. */
  static final String PATH = "/page";

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: %dms, origin_response: %dms, origin_read: 1s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 200ms
        concurrency: { max: 20 }
      cache: { enabled: true }
      routes:
        - id: stored
          match: "/stored/**"
          class: public_ssr
          cache: { ttl: { max: 100ms }, stale_while_revalidate: 0s, stale_if_error: 5m }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  private static final int STORED_BYTES = 5_000;
  private static final Duration DIRECT_PATIENCE = Duration.ofMillis(1_500);

  private final int port;
  private SlowOriginProcess origin;
  private final SluiceProcess sluice;
  private final Aftermath aftermath;

  private OriginAlone(String config) {
    port = FreePorts.next();
    origin = startOrigin();
    try {
      sluice = ChaosStack.start(config, port);
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
    aftermath = Aftermath.of(sluice);
  }

  /** Waits so long for the origin, and keeps what lies under {@code /stored/} for its failures. */
  static OriginAlone open(long connectMillis, long responseMillis) {
    return open(CONFIG.formatted(connectMillis, responseMillis));
  }

  /** In the configuration {@code {{origin}}} stands for the origin's port. */
  static OriginAlone open(String config) {
    return new OriginAlone(config);
  }

  /** Has answered once when this returns: how long a cold JVM takes is not the question. */
  private SlowOriginProcess startOrigin() {
    SlowOriginProcess started = SlowOriginProcess.start("--loops", "1", "--port", "" + port);
    if (Sight.count(ChaosStack.crowd(port, 1, "/warm?bytes=1000"), Sight.WHOLE) != 1) {
      throw new AssertionError("the origin did not answer");
    }
    return started;
  }

  SlowOriginProcess origin() {
    return origin;
  }

  /** Another process on the same port; returns once it listens. */
  void restartOrigin() {
    origin.close();
    origin = startOrigin();
  }

  /** Ends it, so that the port is free. */
  void stopOrigin() {
    origin.close();
  }

  void startOriginAgain() {
    origin = startOrigin();
  }

  int originPort() {
    return port;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  /** Permits in use, as soon as there are none, or as many as there still are. */
  long awaitNoPermit() {
    return Await.last(() -> account().permits(), permits -> permits == 0, ChaosStack.PATIENCE);
  }

  CrowdResult crowd(int count, String target) {
    return ChaosStack.crowd(sluice.port(), count, target);
  }

  /** Returns once the origin has them all under way. */
  CompletableFuture<CrowdResult> beginCrowd(int count, String parameters) {
    origin.reset();
    var crowd = ChaosStack.crowdBeside(sluice.port(), count, PATH + parameters);
    Await.until(
        "streams under way",
        ChaosStack.PATIENCE,
        () -> origin.stats().inFlight() == count && origin.stats().bytesWritten() > count * 1_000L);
    return crowd;
  }

  /** What a client without Sluice sees. */
  Sight direct(String path) {
    var seen = Crowd.send(port, List.of(Visit.get(path + "?bytes=1000")), DIRECT_PATIENCE);
    return Sight.of(seen.visits().get(0));
  }

  /** Has a page stored that goes stale at once. */
  void stored() {
    if (storedSight() != Sight.WHOLE) {
      throw new AssertionError("the page to be stored did not come");
    }
  }

  Sight storedSight() {
    String target = "/stored/page?bytes=" + STORED_BYTES + "&h=Cache-Control:max-age%3D60";
    return Sight.of(crowd(1, target).visits().get(0));
  }

  long recoveryMillis() {
    return aftermath.recoveryMillis("/after");
  }

  Account account() {
    return Account.parse(sluice.status());
  }

  void judgeAftermath(Gate gate) {
    aftermath.judge(gate);
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }
}
