package dev.sluice.chaos;

import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A real origin and a real Sluice, each in a process of its own, and two lines that faults can be
 * had on: from clients to Sluice and from Sluice to the origin. Confined to the gate's thread.
 */
final class ChaosStack implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final SlowOriginProcess origin;
  private final Line back;
  private final SluiceProcess sluice;
  private final Line front;
  private final Aftermath aftermath;

  private ChaosStack(String config) {
    origin = SlowOriginProcess.start("--loops", "1");
    back = Line.to(origin.port());
    try {
      sluice = start(config, back.port());
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
    front = Line.to(sluice.port());
    aftermath = Aftermath.of(sluice);
  }

  /** In the configuration {@code {{origin}}} stands for the port of the line to the origin. */
  static ChaosStack open(String config) {
    return new ChaosStack(config);
  }

  /** A Sluice with every buffer watched, before this port. */
  static SluiceProcess start(String config, int originPort) {
    return SluiceProcess.start(
        SluiceProcess.jar(),
        config.replace("{{origin}}", "" + originPort),
        LeakLines.FLAG,
        "-XX:+UseSerialGC",
        "-Xmx128m",
        "-XX:MaxDirectMemorySize=256m",
        "-Dio.netty.tryReflectionSetAccessible=true");
  }

  static Gate claim(String name, String claim) {
    return Gate.claim("chaos-" + name, claim, RepoRoot.path())
        .given("toxiproxy", ToxiproxyServer.shared().kind());
  }

  SlowOriginProcess origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  /** From clients to Sluice. */
  Line front() {
    return front;
  }

  /** From Sluice to the origin. */
  Line back() {
    return back;
  }

  /** So many GETs of one target, straight to Sluice. */
  CrowdResult crowd(int count, String target) {
    return crowd(sluice.port(), count, target);
  }

  static CrowdResult crowd(int port, int count, String target) {
    return Crowd.send(port, Collections.nCopies(count, Visit.get(target)), PATIENCE);
  }

  static CompletableFuture<CrowdResult> crowdBeside(int port, int count, String target) {
    return CompletableFuture.supplyAsync(() -> crowd(port, count, target), ChaosStack::startThread);
  }

  static void startThread(Runnable task) {
    Thread thread = new Thread(task, "clients");
    thread.setDaemon(true);
    thread.start();
  }

  /** What one client sees of a page of this path and size, straight from Sluice. */
  Sight sight(String path, int bytes, String parameters) {
    return Sight.of(crowd(1, path + "?bytes=" + bytes + parameters).visits().get(0));
  }

  /** How long it takes until a page comes whole again; asked again and again. */
  long recoveryMillis(String path) {
    return aftermath.recoveryMillis(path);
  }

  Account account() {
    return Account.parse(sluice.status());
  }

  /** Without faults; then what is left is judged. */
  void judgeAftermath(Gate gate) {
    back.heal();
    front.heal();
    aftermath.judge(gate);
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
    for (Line line : List.of(front, back)) {
      line.close();
    }
  }
}
