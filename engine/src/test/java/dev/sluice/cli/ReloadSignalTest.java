package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP: DEC-19, DEC-21, DEC-36, OPS-14, OPS-15, OBS-25. */
final class ReloadSignalTest {

  private static final int ROTATIONS = 3;

  @TempDir private Path folder;

  @Test
  void raisedLimit_letsWaitersGo_whileAnOldRequestRunsOn() {
    try (var stack = Governed.by(config(1, "access: none"));
        RawClient running = stack.beginAtOrigin("/running?ms=3000&bytes=5000");
        RawClient second = stack.beginWaiting("/second?ms=3000");
        RawClient third = stack.beginWaiting("/third?ms=3000")) {
      assertThat(stack.origin().stats().inFlight()).isEqualTo(1);

      stack.reload(config(3, "access: none"));

      Governed.await("all three at the origin", () -> stack.origin().stats().inFlight() == 3);
      assertThat(stack.status().get("generation").asInt()).isEqualTo(2);
      assertThat(stack.status().at("/admission/render/limit").asInt()).isEqualTo(3);
      assertThat(running.readAll().body()).hasSize(5_000);
      assertThat(second.readAll().status()).isEqualTo(200);
      assertThat(third.readAll().status()).isEqualTo(200);
    }
  }

  @Test
  void loweredLimit_cutsNothing_andWaitersKeepTheirPlace() {
    try (var stack = Governed.by(config(2, "access: none"));
        RawClient one = stack.beginAtOrigin("/one?ms=3000&bytes=5000");
        RawClient two = stack.beginAtOrigin("/two?ms=3000&bytes=5000");
        RawClient third = stack.beginWaiting("/third?ms=100");
        RawClient fourth = stack.beginWaiting("/fourth?ms=100")) {
      stack.reload(config(1, "access: none"));
      Governed.await("generation 2", () -> stack.status().get("generation").asInt() == 2);
      stack.origin().reset();

      assertThat(one.readAll().body()).hasSize(5_000);
      assertThat(two.readAll().body()).hasSize(5_000);
      RawResponse thirdAnswer = third.readAll();
      RawResponse fourthAnswer = fourth.readAll();
      assertThat(render(thirdAnswer)).isLessThan(render(fourthAnswer));
      assertThat(stack.get("/fifth").status()).isEqualTo(200);
      // The client may have all of it before the origin has counted its end.
      Governed.await("an idle origin", () -> stack.origin().stats().inFlight() == 0);
      stack.origin().reset();
      try (RawClient sixth = stack.beginAtOrigin("/sixth?ms=2000");
          RawClient seventh = stack.beginWaiting("/seventh")) {
        assertThat(sixth.readAll().status()).isEqualTo(200);
        assertThat(seventh.readAll().status()).isEqualTo(200);
      }
      assertThat(stack.origin().stats().peakInFlight()).isEqualTo(1);
    }
  }

  @Test
  void brokenFile_changesNothing_andIsToldWithItsPlace() {
    try (var stack = Governed.by(config(2, "access: none"))) {
      JsonNode before = stack.status();
      assertThat(before.get("reload_refused").isNull()).isTrue();

      stack.reload(config(5, "access: none").replace("concurrency:", "concurency:"));

      String line =
          stack
              .process()
              .waitForLine(" ERROR .*sluice-.*\\.yaml:5:\\d+: error: ", Program.PATIENCE);
      assertThat(line).contains("origin.concurency").contains("concurrency");
      stack.process().waitForLine("reload refused: the running conf", Program.PATIENCE);
      JsonNode after = stack.status();
      assertThat(after.get("generation").asInt()).isEqualTo(1);
      assertThat(after.get("fingerprint")).isEqualTo(before.get("fingerprint"));
      assertThat(after.at("/admission/render/limit").asInt()).isEqualTo(2);
      assertThat(line).contains(after.get("reload_refused").asText());
      assertThat(stack.get("/served").status()).isEqualTo(200);

      stack.reload(config(5, "access: none"));
      Governed.await("generation 2", () -> stack.status().get("generation").asInt() == 2);
      assertThat(stack.status().get("reload_refused").isNull()).isTrue();
    }
  }

  @Test
  void keyOfWhatIsOpen_isNamed_andNothingElseOfTheFileIsTaken() {
    try (var stack = Governed.by(config(2, "access: none"))) {
      stack.reload(config(5, "access: none").replace("event_loops: 1", "event_loops: 2"));

      stack
          .process()
          .waitForLine(
              "server.event_loops: a reload cannot change 1 to 2; .*restart", Program.PATIENCE);
      Governed.await("the refusal in /status", () -> stack.status().hasNonNull("reload_refused"));
      assertThat(stack.status().get("reload_refused").asText()).startsWith("server.event_loops");
      assertThat(stack.status().at("/admission/render/limit").asInt()).isEqualTo(2);
      assertThat(stack.status().get("generation").asInt()).isEqualTo(1);
    }
  }

  @Test
  void logLevel_isReloaded() {
    try (var stack = Governed.by(config(2, "access: none, level: error"))) {
      stack.reload(config(2, "access: none, level: info"));
      Governed.await("generation 2", () -> stack.status().get("generation").asInt() == 2);

      stack.process().signal("HUP");

      stack.process().waitForLine("INFO .*in force, generation 3", Program.PATIENCE);
      assertThat(stack.process().tail()).noneMatch(line -> line.contains("generation 2"));
    }
  }

  @Test
  void accessLog_renamedUnderLoad_losesNoLine() throws Exception {
    Path log = folder.resolve("access.log");
    var answered = new AtomicInteger();
    try (var stack = Governed.by(config(50, "access: \"" + log + "\""))) {
      var over = new CompletableFuture<Void>();
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        String name = "/client" + i;
        clients.add(CompletableFuture.runAsync(() -> ask(stack.port(), name, over, answered)));
      }
      for (int i = 1; i <= ROTATIONS; i++) {
        int before = answered.get();
        Governed.await("answers", () -> answered.get() >= before + 20);
        Files.move(log, folder.resolve("access.log." + i));
        stack.process().signal("HUP");
        Governed.await("a new file", () -> Files.exists(log));
      }
      over.complete(null);
      for (Future<?> client : clients) {
        client.get(30, TimeUnit.SECONDS);
      }
      stack.process().signal("TERM");
      assertThat(stack.process().waitForExit(Program.PATIENCE)).isZero();
    }
    List<String> paths = paths();
    assertThat(paths).hasSize(answered.get()).doesNotHaveDuplicates();
    assertThat(folder.toFile().list()).hasSize(ROTATIONS + 1);
  }

  /** Asks for one page after the other, each of a name of its own, on one connection. */
  private static void ask(
      int port, String name, CompletableFuture<Void> over, AtomicInteger answered) {
    try (var client = RawClient.connect(port)) {
      for (int i = 0; !over.isDone(); i++) {
        assertThat(client.get(name + "/" + i).readAll().status()).isEqualTo(200);
        answered.incrementAndGet();
      }
    }
  }

  private List<String> paths() throws IOException {
    var paths = new ArrayList<String>();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        for (String line : Files.readAllLines(file)) {
          paths.add(new ObjectMapper().readTree(line).get("path").asText());
        }
      }
    }
    return paths;
  }

  private static long render(RawResponse response) {
    return Long.parseLong(response.header("X-Render"));
  }

  private static String config(int max, String logging) {
    return """
        version: 1
        server: { listen: "127.0.0.1:{{port}}", event_loops: 1, graceful: { drain_period: 0s } }
        origin:
          upstreams: ["{{origin}}"]
          concurrency: { max: %d, queue: { max: 100, timeout: 20s, predict: false } }
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { %s } }
        """
        .formatted(max, logging);
  }
}
