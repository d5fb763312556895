package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --daemon} and the pid file: CLI-21, DEC-05 (which writes it in every mode). */
final class DaemonTest {

  @TempDir private Path folder;

  @Test
  void daemon_servesOnBehindItsCommand_untilItIsTold() throws Exception {
    Path pidFile = folder.resolve("sluice.pid");
    Files.writeString(pidFile, "999999\n");
    int port = FreePorts.next();
    try (SlowOrigin origin = SlowOrigin.start(SlowOriginSettings.defaults())) {
      Path config = write(port, origin.port());
      try (RealProcess command = inAShell("run", "--daemon", "--config", config.toString())) {
        command.waitForLine("^the command ended with 0$", Program.PATIENCE);
        long pid = Long.parseLong(Files.readString(pidFile).strip());
        ProcessHandle daemon = ProcessHandle.of(pid).orElseThrow();
        try {
          command.waitForLine("^started, process " + pid + "$", Program.PATIENCE);
          try (var client = RawClient.connect(port)) {
            assertThat(client.get("/page").readAll().status()).isEqualTo(200);
          }
          // Its log still goes where the command's did: a refused reload is not lost.
          Files.writeString(config, "version: 7\n");
          assertThat(new ProcessBuilder("kill", "-HUP", "" + pid).start().waitFor()).isZero();
          command.waitForLine("sluice.yaml:1:10: error: version: ", Program.PATIENCE);

          assertThat(daemon.destroy()).isTrue();
          daemon.onExit().get(Program.PATIENCE.toSeconds(), TimeUnit.SECONDS);
          assertThat(pidFile).doesNotExist();
        } finally {
          daemon.destroyForcibly();
        }
      }
    }
  }

  @Test
  void daemon_whosePortIsTaken_isReportedByItsCommand_andThePidFileStays() throws Exception {
    Path pidFile = folder.resolve("sluice.pid");
    Files.writeString(pidFile, "4711\n");
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path config = write(other.getLocalPort(), 9);

      Program.Ran ran =
          Program.run(folder, Map.of(), "run", "--daemon", "--config", config.toString());

      assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.lines())
          .containsOnlyOnce(
              "sluice: cannot listen on 127.0.0.1:"
                  + other.getLocalPort()
                  + ": Address already in use; another process listens there (see: ss -ltnp)")
          .noneMatch(line -> line.startsWith("started"));
      assertThat(pidFile).hasContent("4711\n");
    }
  }

  @Test
  void foreground_writesThePidFileToo_andASuccessorsIsLeftAlone() throws Exception {
    Path pidFile = folder.resolve("sluice.pid");
    Path config = write(FreePorts.next(), 9);
    try (RealProcess process =
        Program.start(folder, Map.of(), "run", "--config", config.toString())) {
      process.waitForLine("listening on ", Program.PATIENCE);
      assertThat(pidFile).hasContent(process.pid() + "\n");

      Files.writeString(pidFile, "4711\n");
      process.signal("TERM");

      assertThat(process.waitForExit(Program.PATIENCE)).isZero();
      assertThat(pidFile).hasContent("4711\n");
    }
  }

  /**
   * In a shell that outlives the command: the JVM reads a child's output to the child's end, and
   * the daemon writes on behind that of its command.
   */
  private RealProcess inAShell(String... arguments) {
    List<String> shell =
        new ArrayList<>(
            List.of("sh", "-c", "\"$@\"; echo the command ended with $?; exec sleep 300", "sh"));
    shell.addAll(Program.command(arguments));
    return RealProcess.start("sluice-daemon", folder, Map.of(), shell);
  }

  private Path write(int port, int originPort) throws IOException {
    String text =
        """
        version: 1
        server:
          listen: "127.0.0.1:%d"
          event_loops: 1
          graceful: { drain_period: 0s, pid_file: sluice.pid }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { logging: { access: none } }
        """
            .formatted(port, originPort);
    return Files.writeString(folder.resolve("sluice.yaml"), text);
  }
}
