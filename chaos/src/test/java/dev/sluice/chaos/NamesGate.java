package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The origin's name vanishes, comes back and means another address (H12). */
class NamesGate {

  private static final int CROWD = 40;
  private static final String NAME = "origin.test";
  private static final String OTHER_ADDRESS = "127.0.0.2";

  /** Names are looked up every five seconds; a look may just have been. */
  private static final long LOOKED_UP_MILLIS = 11_000;

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_idle: 1s }
      origin: { upstreams: ["%s:%d"], concurrency: { max: 60 } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @TempDir Path folder;

  @Test
  void vanishedName_keepsItsAddresses_andFollowsWhereItGoes() {
    ChaosStack.claim(
            "names",
            "A name that vanishes keeps its addresses; one that moves is followed, and nobody is lost.")
        .given("looked_up_every", "5s")
        .judge(
            gate -> {
              int port = FreePorts.next();
              write("127.0.0.1 " + NAME);
              try (var first = SlowOriginProcess.start("--port", "" + port);
                  var second =
                      SlowOriginProcess.start(
                          "--port", "" + port, "--host", OTHER_ADDRESS, "--name", "second");
                  var sluice = start(port)) {
                var aftermath = Aftermath.of(sluice);
                long vanished = System.nanoTime();
                write("# nobody");
                // The line says that it was looked up in vain.
                sluice.process().waitForLine("does not resolve", ChaosStack.PATIENCE);
                gate.measured(
                    "missed_after_millis", millisSince(vanished), atMost(LOOKED_UP_MILLIS));
                try (var late = start(port)) {
                  gate.control("started_without_the_name", sight(late), equalTo(Sight.BAD_GATEWAY));
                  gate.measured("vanished", sight(sluice), equalTo(Sight.WHOLE));
                  gate.measured("refused_meanwhile", notWhole(sluice), exactly(0));

                  write(OTHER_ADDRESS + " " + NAME);
                  long began = System.nanoTime();
                  Await.until(
                      "page by the new address",
                      ChaosStack.PATIENCE,
                      () ->
                          sight(late) == Sight.WHOLE
                              && sight(sluice) == Sight.WHOLE
                              && sluice.status().contains(OTHER_ADDRESS));
                  gate.measured(
                      "followed_after_millis", millisSince(began), atMost(LOOKED_UP_MILLIS));
                }
                long moved = atSecond(sluice);
                gate.measured("refused_afterwards", notWhole(sluice), exactly(0));
                gate.measured("answered_by_the_new_address", moved, exactly(CROWD));
                gate.measured(
                    "both_are_alive",
                    first.process().isAlive() && second.process().isAlive(),
                    equalTo(true));
                aftermath.judge(gate);
              }
            });
  }

  private static long millisSince(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime).toMillis();
  }

  private SluiceProcess start(int port) {
    return SluiceProcess.start(
        SluiceProcess.jar(),
        CONFIG.formatted(NAME, port),
        "-Djdk.net.hosts.file=" + hosts(),
        LeakLines.FLAG);
  }

  private Path hosts() {
    return folder.resolve("hosts");
  }

  /** All at once: whoever reads it finds the one text or the other. */
  private void write(String text) throws IOException {
    Path fresh = Files.writeString(folder.resolve("fresh"), text + "\n");
    Files.move(fresh, hosts(), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Sight sight(SluiceProcess sluice) {
    var seen = ChaosStack.crowd(sluice.port(), 1, "/page?bytes=1000");
    return Sight.of(seen.visits().get(0));
  }

  /** How many answers say that they are the second origin's. */
  private static long atSecond(SluiceProcess sluice) {
    var seen = ChaosStack.crowd(sluice.port(), CROWD, "/page?bytes=1000");
    return seen.byHeader("x-origin").getOrDefault("second", 0L);
  }

  private static long notWhole(SluiceProcess sluice) {
    var seen = ChaosStack.crowd(sluice.port(), CROWD, "/page?bytes=1000");
    return CROWD - Sight.count(seen, Sight.WHOLE);
  }
}
