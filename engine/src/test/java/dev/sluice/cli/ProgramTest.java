package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process shows: exit codes, the folder, the environment, addresses in use. */
final class ProgramTest {

  @TempDir private Path folder;

  /** CLI-02, CLI-23, CLI-24: the variable's file comes before the folder's. */
  @Test
  void file_isFoundInTheFolder_andTheVariableComesFirst() throws IOException {
    assertThat(Program.run(folder, Map.of(), "init").exitCode()).isZero();
    assertThat(folder.resolve("sluice.yaml")).exists();

    Program.Ran found = Program.run(folder, Map.of(), "check");
    assertThat(found.exitCode()).isZero();
    assertThat(found.text()).contains(folder.resolve("sluice.yaml") + ": ok, fingerprint ");

    Files.writeString(folder.resolve("other.yaml"), "version: 2\n");
    Program.Ran named = Program.run(folder, Map.of("SLUICE_CONFIG", "other.yaml"), "check");
    assertThat(named.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
    assertThat(named.text()).contains(folder.resolve("other.yaml") + ":1:10: error: version: ");
  }

  /** A pipe gets no colours, and a wrong word is exit code 2 of the process. */
  @Test
  void command_unknown_endsTheProcessWith2_withoutColours() {
    Program.Ran ran = Program.run(folder, Map.of(), "rn");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.text()).contains("did you mean: sluice run").doesNotContain("\u001b");
  }

  @Test
  void port_ofAnotherProgram_isOneLine() throws IOException {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String file = write("taken.yaml", other.getLocalPort(), "access: none");

      Program.Ran ran = Program.run(folder, Map.of(), "run", "--config", file);

      assertTaken(ran, other.getLocalPort());
    }
  }

  @Test
  void accessLog_thatCannotBeOpened_isOneLine_inATrialToo() throws IOException {
    String file = write("log.yaml", FreePorts.next(), "access: no/such/folder/access.log");

    for (String[] how : new String[][] {{"run"}, {"run", "--test"}}) {
      String[] arguments = java.util.Arrays.copyOf(how, how.length + 2);
      arguments[how.length] = "--config";
      arguments[how.length + 1] = file;
      Program.Ran ran = Program.run(folder, Map.of(), arguments);

      assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.lines()).hasSize(1);
      assertThat(ran.text()).startsWith("sluice: ").contains("no/such/folder/access.log");
    }
  }

  /** CLI-18, CLI-19, DEC-37. */
  @Test
  void instance_running_isNotTouchedByASecondOne_orByATrial() throws IOException {
    int port = FreePorts.next();
    String file = write("sluice.yaml", port, "access: none");
    try (RealProcess running = Program.start(folder, Map.of(), "run", "--config", file)) {
      running.waitForLine("listening on 127.0.0.1:" + port, Program.PATIENCE);

      assertTaken(Program.run(folder, Map.of(), "run", "--config", file), port);

      Program.Ran trial = Program.run(folder, Map.of(), "run", "--test", "--config", file);
      assertThat(trial.exitCode()).isZero();
      assertThat(trial.text()).contains("this configuration can start");

      Files.writeString(folder.resolve("bad.yaml"), "version: 1\nserver: { lisen: x }\n");
      assertThat(Program.run(folder, Map.of(), "run", "--test", "-c", "bad.yaml").exitCode())
          .isEqualTo(ExitCode.CONFIGURATION);

      try (var client = RawClient.connect(port)) {
        // Nobody listens behind it: that it says so is its own word.
        assertThat(client.get("/").readAll().status()).isEqualTo(502);
      }
      running.signal("TERM");
      assertThat(running.waitForExit(Program.PATIENCE)).isZero();
    }
  }

  private static void assertTaken(Program.Ran ran, int port) {
    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.lines())
        .containsExactly(
            "sluice: cannot listen on 127.0.0.1:"
                + port
                + ": Address already in use; another process listens there (see: ss -ltnp)");
  }

  private String write(String name, int port, String logging) throws IOException {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:%d", event_loops: 1, graceful: { drain_period: 0s } }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { logging: { %s } }
        """
            .formatted(port, FreePorts.next(), logging);
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
