package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ORG-32, DEC-20: a real application that a real Sluice starts, and every way in which both end.
 */
final class ApplicationProcessTest {

  @TempDir private Path folder;

  @Test
  void application_isServedThrough_startedAgain_andEndsWithUs() throws Exception {
    int port = FreePorts.next();
    try (var sluice = SluiceProcess.startFromClassPath(config(port, origin(port)), quick())) {
      sluice.process().waitForLine("application .*listening 127.0.0.1:" + port, Program.PATIENCE);
      assertThat(get(sluice, "/one").status()).isEqualTo(200);
      JsonNode first = application(sluice);
      assertThat(first.get("state").asText()).isEqualTo("listening");
      assertThat(first.get("last_exit").isNull()).isTrue();
      ProcessHandle child = ProcessHandle.of(first.get("pid").asLong()).orElseThrow();

      child.destroyForcibly();

      Governed.await("readiness to fail", () -> sluice.admin("/health/ready").status() == 503);
      assertThat(sluice.admin("/health/live").status()).isEqualTo(200);
      Governed.await("it to listen again", () -> sluice.admin("/health/ready").status() == 200);
      assertThat(get(sluice, "/two").status()).isEqualTo(200);
      JsonNode second = application(sluice);
      assertThat(second.get("restarts").asInt()).isEqualTo(1);
      assertThat(second.get("last_exit").asInt()).isEqualTo(137);
      assertThat(sluice.metrics())
          .contains("sluice_application_restarts_total 1.0")
          .contains("sluice_application_up 1.0");

      long pid = second.get("pid").asLong();
      try (var slow = RawClient.connect(sluice.port(), Program.PATIENCE)) {
        slow.get("/slow?ms=1000&bytes=5000");
        Governed.await("it under way", () -> sluice.status().contains("\"exchanges\" : 1"));
        sluice.process().signal("TERM");
        assertThat(slow.readAll().body()).as("what was under way is served").hasSize(5_000);
      }
      assertThat(sluice.process().waitForExit(Program.PATIENCE)).isZero();
      assertThat(isAlive(pid)).isFalse();
      assertThat(sluice.logs()).anyMatch(line -> line.contains("application ended with 143"));
    }
  }

  /** The kernel tells it, where it can. */
  @Test
  void killed_weLeaveNoOrphan() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return;
    }
    int port = FreePorts.next();
    try (var sluice = SluiceProcess.startFromClassPath(config(port, origin(port)), quick())) {
      long pid = application(sluice).get("pid").asLong();

      sluice.process().signal("KILL");

      Governed.await("the application's end", () -> !isAlive(pid));
    }
  }

  @Test
  void daemon_toldToStop_leavesNoOrphan() throws Exception {
    int port = FreePorts.next();
    int admin = FreePorts.next();
    Path pidFile = folder.resolve("sluice.pid");
    String text =
        config(port, origin(port))
            .replace("{{port}}", "" + FreePorts.next())
            .replace("{{admin}}", "" + admin)
            .replace("drain_period: 0s", "drain_period: 0s, pid_file: \"" + pidFile + "\"");
    Path file = Files.writeString(folder.resolve("sluice.yaml"), text);
    Path errors = folder.resolve("errors.log");
    Process command =
        new ProcessBuilder(Program.command("run", "--daemon", "--config", file.toString()))
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
    ProcessHandle daemon =
        ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    try {
      Governed.await("the application", () -> daemon.children().findAny().isPresent());
      List<ProcessHandle> family = daemon.descendants().toList();

      daemon.destroy();

      daemon.onExit().get(60, TimeUnit.SECONDS);
      Governed.await("the end of all", () -> family.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly();
    }
  }

  @Test
  void program_thatIsNotThere_isAStartThatFailed() throws IOException {
    Path file = write("[\"no-such-program\", \"x\"]");

    Program.Ran ran = Program.run(folder, Map.of(), "run", "--config", file.toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.lines()).contains("sluice: origin.command: no-such-program is not on PATH");
  }

  /** A trial touches nothing that runs, and an application might. */
  @Test
  void trial_startsNoApplication() throws IOException {
    Path touched = folder.resolve("touched");
    Path file = write("[touch, \"" + touched + "\"]");

    assertThat(Program.run(folder, Map.of(), "run", "--test", "-c", file.toString()).exitCode())
        .isZero();
    assertThat(touched).doesNotExist();

    try (RealProcess run = Program.start(folder, Map.of(), "run", "--config", file.toString())) {
      Governed.await("the application", () -> touched.toFile().exists());
      run.signal("TERM");
      assertThat(run.waitForExit(Program.PATIENCE)).isZero();
    }
  }

  private Path write(String command) throws IOException {
    String text =
        config(FreePorts.next(), command)
            .replace("{{port}}", "" + FreePorts.next())
            .replace("{{admin}}", "" + FreePorts.next());
    return Files.writeString(folder.resolve("sluice.yaml"), text);
  }

  private static RawResponse get(SluiceProcess sluice, String target) {
    try (var client = RawClient.connect(sluice.port(), Program.PATIENCE)) {
      return client.get(target).readAll();
    }
  }

  private static JsonNode application(SluiceProcess sluice) throws IOException {
    return new ObjectMapper().readTree(sluice.status()).get("application");
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static String quick() {
    return Program.QUICK_START;
  }

  /** A slow origin of its own, as a command in YAML. */
  private static String origin(int port) {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            Program.QUICK_START,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.sluice.fixture.SlowOrigin",
            "--port",
            "" + port);
    return command.stream()
        .map(word -> "\"" + word + "\"")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String config(int originPort, String command) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          event_loops: 1
          graceful: { drain_period: 0s, shutdown_timeout: 10s }
        origin:
          upstreams: ["127.0.0.1:%d"]
          command: %s
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(originPort, command);
  }
}
