package dev.sluice.scenarios;

import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.MULTILINE;

import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * The public HTTP caching suite: its server, which does what a request's fields name, and its
 * client. Thread-safe.
 */
final class CachingSuite implements AutoCloseable {

  private static final Path HOME = RepoRoot.path().resolve("scenarios/http-cache-tests");
  private static final Path PACKAGE =
      RepoRoot.path().resolve("scenarios/target/http-cache-tests/node_modules/http-cache-tests");

  private static final String NODE = "18.0";
  private static final Duration INSTALL_WITHIN = Duration.ofMinutes(5);
  private static final Duration START_WITHIN = Duration.ofSeconds(30);
  private static final Duration RUN_WITHIN = Duration.ofMinutes(5);

  /** The status, and the fields up to the empty line behind them. */
  private static final Pattern SECOND_ANSWER =
      Pattern.compile("Client response 2\\b.*?\\bHTTP (\\d{3})(.*?)\n\\s*\n", Pattern.DOTALL);

  private static final Pattern COUNT_AT_ORIGIN =
      Pattern.compile("^\\s*server-request-count: (\\d+)", MULTILINE | CASE_INSENSITIVE);

  /**
   * The answer to a test's second request.
   *
   * @param asked how many requests the origin had had when it made the answer; 0 = it did not make
   *     it
   */
  record Second(int status, int asked) {}

  private final RealProcess server;
  private final int port;

  private CachingSuite(RealProcess server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts the server of an installed suite. Without Node or npm the gate is skipped. */
  static CachingSuite start(Gate gate) {
    Path node = Tools.requireForGate("node", NODE, why -> gate.skip(why, Assumptions::abort));
    Tools.requireForGate("npm", why -> gate.skip(why, Assumptions::abort));
    run(INSTALL_WITHIN, "install.sh");
    int port = FreePorts.next();
    Map<String, String> environment =
        Map.of(
            "npm_config_protocol",
            "http",
            "npm_config_port",
            Integer.toString(port),
            "npm_config_pidfile",
            PACKAGE.resolveSibling("server-" + port + ".pid").toString());
    List<String> command = List.of(node.toString(), "server/server.mjs");
    RealProcess server = RealProcess.start("caching-suite", PACKAGE, environment, command);
    try {
      server.waitForLine("^Listening on ", START_WITHIN);
      return new CachingSuite(server, port);
    } catch (RuntimeException | AssertionError e) {
      server.close();
      throw e;
    }
  }

  int port() {
    return port;
  }

  URI base() {
    return at(port);
  }

  static URI at(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Lets the client ask {@code base} all it has. */
  static SuiteVerdicts ask(URI base) {
    return SuiteVerdicts.parse(run(RUN_WITHIN, "run.sh", base.toString()));
  }

  /** What the second request of one test got. */
  static Second second(URI base, String id) {
    String transcript = String.join("\n", run(RUN_WITHIN, "run.sh", base.toString(), id));
    Matcher matcher = SECOND_ANSWER.matcher(transcript);
    if (!matcher.find()) {
      throw new AssertionError(id + ": no second response in:\n" + transcript);
    }
    Matcher count = COUNT_AT_ORIGIN.matcher(matcher.group(2));
    return new Second(
        Integer.parseInt(matcher.group(1)), count.find() ? Integer.parseInt(count.group(1)) : 0);
  }

  @Override
  public void close() {
    server.close();
  }

  /** What a script here printed. */
  private static List<String> run(Duration within, String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of(HOME.resolve(script).toString()));
    command.addAll(List.of(arguments));
    try (RealProcess process = RealProcess.start("caching-" + script, command)) {
      int status = process.waitForExit(within);
      List<String> output = Files.readAllLines(process.logFile());
      if (status != 0) {
        throw new AssertionError(script + " failed:\n" + String.join("\n", output));
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
