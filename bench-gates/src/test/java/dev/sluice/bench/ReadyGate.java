package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What starting costs: the launcher as an operator calls it, its class archive made before. The
 * bounds leave room for a busy machine; the budget is for a quiet one.
 */
class ReadyGate {

  private static final int RUNS = 5;
  private static final long READY_MILLIS_MAX = 800;
  private static final long IDLE_MIB_MAX = 110;
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);

  /** A process that used no CPU time for so long is idle. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  @TempDir private Path folder;

  /** The fastest of the runs is the program's; what is above it is the machine's other work. */
  @Test
  void launcherWithItsArchive_isReadySoonAndSmall() {
    Gate.claim("ready", "The launcher is ready soon, and small when idle.", RepoRoot.path())
        .given("runs", RUNS)
        .given("java", System.getProperty("java.version"))
        .given("budget", "ready within 500 ms, idle within 96 MiB (DESIGN.md 7)")
        .judge(this::measure);
  }

  private void measure(Gate gate) throws IOException {
    try (var origin = SlowOriginProcess.start("--loops", "1")) {
      Path archives = folder.resolve("archives");
      run(origin, archives, 1);
      assertThat(archiveIn(archives)).isTrue();
      Runs with = run(origin, archives, RUNS);
      // Below a file there can be no folder, so none is kept.
      Runs without =
          run(origin, Files.createFile(folder.resolve("none")).resolve("archives"), RUNS);
      gate.control("fastest_ready_millis", without.fastest(), above((double) with.fastest()));
      gate.control("median_ready_millis", without.median());
      gate.control("idle_resident_mib", without.idleMib());
      gate.measured("fastest_ready_millis", with.fastest(), atMost(READY_MILLIS_MAX));
      gate.measured("median_ready_millis", with.median());
      gate.measured("idle_resident_mib", with.idleMib(), atMost(IDLE_MIB_MAX));
    }
  }

  /** From the launcher's start to its first answers, sorted, and the last one's memory at rest. */
  private record Runs(List<Long> readyMillis, long idleMib) {

    long fastest() {
      return readyMillis.get(0);
    }

    long median() {
      return readyMillis.get(readyMillis.size() / 2);
    }
  }

  private Runs run(SlowOriginProcess origin, Path archives, int times) throws IOException {
    List<Long> readyMillis = new ArrayList<>();
    long idleMib = 0;
    for (int i = 0; i < times; i++) {
      int port = FreePorts.next();
      int adminPort = FreePorts.next();
      Path config = config(origin.port(), port, adminPort);
      long began = System.nanoTime();
      try (RealProcess launched = launch(archives, config)) {
        launched.waitForHttp(page(adminPort, "/health/ready"), START_PATIENCE);
        launched.waitForHttp(page(port, "/page?ms=0"), START_PATIENCE);
        readyMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        if (i == times - 1) {
          idleMib = idleBytes(launched) >> 20;
        }
      }
    }
    Collections.sort(readyMillis);
    return new Runs(readyMillis, idleMib);
  }

  private static RealProcess launch(Path archives, Path config) {
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"),
            "SLUICE_CACHE_DIR", archives.toString());
    List<String> command =
        List.of(RepoRoot.path().resolve("sluice").toString(), "run", "--config", config.toString());
    return RealProcess.start("sluice-launcher", RepoRoot.path(), environment, command);
  }

  private Path config(int originPort, int port, int adminPort) throws IOException {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:%d", graceful: { drain_period: 0s } }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { admin: { listen: "127.0.0.1:%d" }, logging: { access: none } }
        """
            .formatted(port, originPort, adminPort);
    return Files.writeString(folder.resolve("sluice.yaml"), text);
  }

  private static URI page(int port, String target) {
    return URI.create("http://127.0.0.1:" + port + target);
  }

  private static long idleBytes(RealProcess process) {
    Deadline deadline = Deadline.in(START_PATIENCE);
    Duration used = process.cpuTime();
    long since = System.nanoTime();
    while (System.nanoTime() - since < QUIET_NANOS) {
      assertThat(deadline.isOver()).as("still busy").isFalse();
      LockSupport.parkNanos(LOOK_NANOS);
      Duration now = process.cpuTime();
      if (!now.equals(used)) {
        used = now;
        since = System.nanoTime();
      }
    }
    return process.residentBytes();
  }

  private static boolean archiveIn(Path archives) throws IOException {
    try (Stream<Path> files = Files.walk(archives)) {
      return files.anyMatch(file -> file.toString().matches(".*\\.(jsa|aot)"));
    }
  }
}
