package dev.sluice.chaos;

import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access log's disk is full: lines are lost and counted, requests are not. */
class LogDiskGate {

  private static final int CROWD = 200;
  private static final Path FULL = Path.of("/dev/full");

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_idle: 1s }
      origin: { upstreams: ["127.0.0.1:{{origin}}"], concurrency: { max: 300 } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: "%s" } }
      """;

  @TempDir Path folder;

  @Test
  void fullDisk_costsLines_andNoRequest() {
    Path log = folder.resolve("access.log");
    ChaosStack.claim("log-disk", "A full disk costs lines of the access log, never a request.")
        .given("requests", CROWD)
        .given("disk", FULL.toString())
        .judge(
            gate -> {
              Files.createSymbolicLink(log, FULL);
              gate.control(
                  "a_write_of_the_same_kind", write(log), equalTo("No space left on device"));
              try (var stack = OriginAlone.open(CONFIG.formatted(log))) {
                // Those of the warm-up are lost, too, and in nobody's way afterwards.
                Await.until("lost lines", ChaosStack.PATIENCE, () -> lost(stack) == Aftermath.FEW);
                gate.measured("whole_with_a_full_disk", whole(stack), exactly(CROWD));
                long most = Aftermath.FEW + CROWD;
                Await.until("all lost lines", ChaosStack.PATIENCE, () -> lost(stack) >= most);
                gate.measured("lines_lost", lost(stack), exactly(most));
                long said =
                    stack.sluice().logs().stream()
                        .filter(line -> line.contains("lines are lost"))
                        .count();
                gate.measured("said_how_often", said, exactly(1));

                Files.delete(log);
                stack.sluice().process().signal("HUP");
                Await.until("log that is open", ChaosStack.PATIENCE, () -> Files.exists(log));
                gate.measured("whole_afterwards", whole(stack), exactly(CROWD));
                Await.until("lines", ChaosStack.PATIENCE, () -> lines(log) >= CROWD);
                gate.measured("lines_afterwards", lines(log), exactly(CROWD));
                stack.judgeAftermath(gate);
              }
            });
  }

  private static String write(Path file) {
    try {
      Files.writeString(file, "x", StandardOpenOption.WRITE);
      return "";
    } catch (IOException full) {
      String message = String.valueOf(full.getMessage());
      return message.substring(message.lastIndexOf(':') + 1).strip();
    }
  }

  private static long whole(OriginAlone stack) {
    return Sight.count(stack.crowd(CROWD, "/logged?bytes=1000"), Sight.WHOLE);
  }

  private static long lost(OriginAlone stack) {
    return stack
        .sluice()
        .metrics()
        .lines()
        .filter(line -> line.startsWith("sluice_access_log_dropped"))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.indexOf(' ') + 1))))
        .sum();
  }

  private static long lines(Path log) {
    try {
      return Files.readString(log).lines().filter(line -> line.contains("/logged")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
