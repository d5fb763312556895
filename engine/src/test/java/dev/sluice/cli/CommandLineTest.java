package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.InitWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What each command says and comes to: the CLI rows that need no process of their own. */
final class CommandLineTest {

  @TempDir private Path folder;

  private record Said(int exitCode, String out, String err) {}

  private static Said run(Object... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine line = Cli.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    int exitCode = line.execute(words);
    return new Said(exitCode, out.toString(), err.toString());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("test.yaml"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "init", "check", "run", "explain", "demo", "version"})
  void help_ofEveryCommand_hasExamplesAndExitCodes(String command) {
    Said said = command.isEmpty() ? run("--help") : run(command, "--help");

    assertThat(said.exitCode).isZero();
    assertThat(said.err).isEmpty();
    assertThat(said.out)
        .contains("Usage: sluice " + command)
        .containsPattern("(?s)Examples?:.* sluice .*Exit codes: 0 ")
        .doesNotContain("--exit-after-start", "--tell-started");
    assertThat(said.out.lines()).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rn | did you mean: sluice run | see: sluice --help",
        "chekc --config x | did you mean: sluice check | see: sluice --help",
        "check --conifg=x | did you mean: --config | see: sluice check --help",
        "run --deamon | did you mean: --daemon | see: sluice run --help"
      })
  void wordThatIsUnknown_getsASuggestion(String words, String suggestion, String see) {
    Said said = run((Object[]) words.split(" "));

    assertThat(said.exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(said.out).isEmpty();
    assertThat(said.err.lines()).hasSize(3).element(0).asString().startsWith("sluice: ");
    assertThat(said.err.lines()).endsWith(suggestion, see);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "frobnicate", "check surplus", "explain", "init --concurrency x", "run --x"})
  void commandLine_wrong_isToldInShort(String words) {
    Said said = words.isEmpty() ? run() : run((Object[]) words.split(" "));

    assertThat(said.exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(said.err.lines()).hasSize(2);
    assertThat(said.err).startsWith("sluice: ").contains("see: sluice ");
  }

  /** CLI-01. */
  @Test
  void version_isPrinted() {
    Said said = run("version");

    assertThat(said.exitCode).isZero();
    assertThat(said.out).matches("sluice \\S+ \\(Java \\S+\\)\\R");
  }

  /** CLI-03 to CLI-06, CLI-11. */
  @Test
  void init_writesAFile_thatCheckAccepts() {
    Path file = folder.resolve("made here.yaml");
    Said said =
        run(
            "init",
            "-c",
            file,
            "--upstream",
            "app:3000",
            "--listen",
            "[::]:80",
            "--concurrency",
            16);

    assertThat(said.exitCode).isZero();
    assertThat(said.out).isEqualTo("wrote %1$s; next: sluice check --config %1$s%n", file);
    assertThat(file).hasContent(new InitWriter("app:3000", "[::]:80", 16).text());
    Said checked = run("check", "--config", file);
    assertThat(checked.exitCode).isZero();
    assertThat(checked.err).isEmpty();
    assertThat(checked.out)
        .contains("total stop time: drain_period 10s + shutdown_timeout 5s = 15s")
        .containsPattern(": ok, fingerprint [0-9a-f]{16}\\R$");
  }

  @Test
  void init_leavesAnExistingFileAlone_unlessForced() throws IOException {
    Path file = file("mine\n" + "#".repeat(10_000));

    Said said = run("init", "--config", file);
    assertThat(said.exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(said.err.lines()).hasSize(1);
    assertThat(said.err).contains(file + " exists").contains("--force");
    assertThat(file).content().startsWith("mine\n");

    assertThat(run("init", "--config", file, "--force").exitCode).isZero();
    assertThat(run("check", "--config", file).exitCode).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--upstream | nonsense | origin.upstreams[0]: nonsense has no port",
        "--listen | 127.0.0.1:9091 | 9091",
        "--concurrency | 0 | --concurrency: 0 (expected: at least 1)"
      })
  void init_withOptionsThatMakeNoConfiguration_writesNothing(
      String option, String value, String words) {
    Path file = folder.resolve("new.yaml");

    Said said = run("init", "--config", file, option, value);

    assertThat(said.exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(said.err.lines()).hasSize(1);
    assertThat(said.err).startsWith("sluice: ").contains(words);
    assertThat(file).doesNotExist();
  }

  @Test
  void init_whereNoFileCanBe_isOneLine() {
    Path file = folder.resolve("no/such/folder/new.yaml");

    Said said = run("init", "--config", file);

    assertThat(said.exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(said.err).isEqualTo("sluice: %s: no such file or directory%n", file);
  }

  /** CLI-12: nothing is bound, nobody is asked. */
  @Test
  void check_bindsNothing_andContactsNobody() throws IOException {
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file = file(least(listener.getLocalPort(), origin.getLocalPort()));

      assertThat(run("check", "--config", file).exitCode).isZero();

      origin.setSoTimeout(100);
      org.junit.jupiter.api.Assertions.assertThrows(SocketTimeoutException.class, origin::accept);
    }
  }

  /** CLI-13, CFG-04, CFG-05: all errors at once, each with its place, then their number. */
  @Test
  void check_tellsEveryError_andEndsWith3() throws IOException {
    Path file =
        file(
            """
            version: 1
            server: { listen: "127.0.0.1:1" }
            origin:
              upstreams: ["a:1"]
              concurency: { max: 3 }
            timeouts: { origin_read: soon }
            """);

    Said said = run("check", "--config", file);

    assertThat(said.exitCode).isEqualTo(ExitCode.CONFIGURATION);
    assertThat(said.out).isEmpty();
    assertThat(said.err.lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith(file + ":5:3: error: origin.concurency: "))
        .anyMatch(line -> line.startsWith(file + ":6:26: error: timeouts.origin_read: "))
        .endsWith("sluice: 2 errors in the configuration");
  }

  /** CLI-14, DEC-01, CLI-17: unsafe is refused; doubtful is told and passes. */
  @Test
  void check_refusesWhatIsUnsafe_andOnlyWarnsOfWhatIsDoubtful() throws IOException {
    String unsafe =
        "routes: [ { id: a, match: /a, class: private_dynamic, cache: { override_origin: true } } ]";
    Said refused = run("check", "--config", file(least(1, 2) + unsafe));
    assertThat(refused.exitCode).isEqualTo(ExitCode.CONFIGURATION);
    assertThat(refused.err).contains("override_origin").contains("class");

    String hidden =
        "routes: [ { id: all, match: \"/**\" }, { id: shop, match: /shop } ]\n"
            + "server: { graceful: { drain_period: 20s, shutdown_timeout: 20s }, listen: \"a:1\" }";
    Said warned =
        run("check", "--config", file("version: 1\norigin: { upstreams: [\"a:2\"] }\n" + hidden));
    assertThat(warned.exitCode).isZero();
    assertThat(warned.err.lines())
        .anyMatch(line -> line.contains("warning: routes[1]") && line.contains("all"))
        .anyMatch(line -> line.contains("warning: server.graceful") && line.contains("= 40s"));
    assertThat(warned.out).contains("= 40s").contains(": ok, fingerprint ");
  }

  @Test
  void check_effective_printsEveryValueAndItsSource() throws IOException {
    Path file = file(least(1, 2));

    Said said = run("check", "--effective", "--config", file);

    assertThat(said.exitCode).isZero();
    assertThat(said.out.lines())
        .anyMatch(line -> line.matches("server\\.listen: 127\\.0\\.0\\.1:1 +# " + file + ":2"))
        .anyMatch(line -> line.matches("origin\\.concurrency\\.max: 64 +# default"));
  }

  @Test
  void file_thatCannotBeRead_isToldForWhatItIs() throws IOException {
    Path missing = folder.resolve("missing.yaml");

    for (String command : new String[] {"check", "run"}) {
      assertThat(run(command, "--config", missing).err)
          .startsWith(missing + ":1:1: error: there is no such file; sluice init writes one");
      Said directory = run(command, "--config", folder);
      assertThat(directory.exitCode).isEqualTo(ExitCode.CONFIGURATION);
      assertThat(directory.err)
          .startsWith(folder + ":1:1: error: this is a directory (expected: a file)\n");
    }
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThat(run("check", "--config", binary).err).contains("the file is not UTF-8");
  }

  /** BEY-07, so far. */
  @Test
  void explain_tellsRouteClassAndLimits_forEachKindOfRoute() throws IOException {
    Path file =
        file(
            least(1, 2)
                + """
                routes:
                  - { id: assets, match: "/assets/**", class: static }
                  - { id: shop, match: "/shop/**", class: private_dynamic, concurrency: { max: 2 } }
                  - { id: events, match: "/events", class: streaming }
                """);

    assertThat(run("explain", "-c", file, "/assets/a.css").out)
        .contains("route: assets (/assets/**)", "permit: static", "origin.concurrency.static 256");
    assertThat(run("explain", "-c", file, "/shop/7?x=1").out)
        .contains("route: shop (/shop/**)", "permit: render", "route shop: at most 2 units");
    assertThat(run("explain", "-c", file, "/events").out)
        .contains("route: events (/events)", "permit: streaming", "no queue");
    assertThat(run("explain", "-c", file, "-X", "POST", "/basket").out)
        .contains("route: default (/**)", "request class: mutation");
    assertThat(run("explain", "-c", file, "/", "-H", "RSC: 1", "-H", "Next-Router-Prefetch: 1").out)
        .contains("request class: prefetch");
    assertThat(run("explain", "-c", file, "shop").exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(run("explain", "-c", file, "/", "-H", "nonsense").exitCode)
        .isEqualTo(ExitCode.USAGE);
  }

  /** BEY-07: the limits that are printed are those that hold, a route's own and what is derived. */
  @Test
  void explain_tellsTheLimitsThatHold() throws IOException {
    Path file =
        file(
            """
            version: 1
            server: { listen: "127.0.0.1:1" }
            origin:
              upstreams: ["127.0.0.1:2", "127.0.0.1:3"]
              concurrency: { max: 40, per_upstream: 24, static: 30, queue: { max: 50, timeout: 3s } }
            routes:
              - { id: derived, match: /derived, weight: 4, concurrency: { max: 20 } }
              - { id: own, match: /own, concurrency: { queue: { max: 7, timeout: 1500ms } } }
              - { id: assets, match: /assets, class: static, concurrency: { max: 9 } }
              - { id: events, match: /events, class: streaming, concurrency: { max: 5 } }
            """);

    assertThat(run("explain", "-c", file, "/derived").out)
        .contains("\nlimits: 4 of 40 units, queue 50 for 3000ms\n")
        .contains("\neach upstream: at most 24 units\n")
        .contains("\nroute derived: at most 20 units, queue 25\n");
    assertThat(run("explain", "-c", file, "/own").out)
        .contains("\nlimits: 1 of 40 units, queue 50 for 1500ms\n")
        .contains("\nroute own: queue 7\n");
    assertThat(run("explain", "-c", file, "/rest").out)
        .contains("\nlimits: 1 of 40 units, queue 50 for 3000ms\n")
        .doesNotContain("\nroute default: ");
    assertThat(run("explain", "-c", file, "/assets").out)
        .contains("\nlimits: origin.concurrency.static 30, queue 30 for 1000ms\n")
        .contains("\nroute assets: at most 9 requests, queue 15\n");
    assertThat(run("explain", "-c", file, "/events").out)
        .contains("\nlimits: origin.concurrency.streaming 256, no queue\n")
        .contains("\nroute events: at most 5 requests\n");
  }

  @Test
  void demo_shows_whatTheOriginCounted() {
    Said said = run("demo", "--crowd", 12, "--render", 400, "--ceiling", 3);

    assertThat(said.exitCode).isZero();
    assertThat(said.out).contains("12 directly, 3 through Sluice (ceiling 3)");
  }

  @ParameterizedTest
  @CsvSource({"--ceiling,0", "--crowd,10", "--crowd,-1", "--render,0"})
  void demo_thatWouldShowNothing_isRefused(String option, int value) {
    Said said = run("demo", option, value);

    assertThat(said.exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(said.err).startsWith("sluice: " + option + ": " + value + " (expected: ");
  }

  private static String least(int port, int originPort) {
    return """
        version: 1
        server: { listen: "127.0.0.1:%d" }
        origin: { upstreams: ["127.0.0.1:%d"] }
        """
        .formatted(port, originPort);
  }
}
