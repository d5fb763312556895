package dev.sluice.scenarios;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** A running {@code next-storefront}: the standalone server of the real build. Thread-safe. */
final class Storefront implements AutoCloseable {

  private static final Path HOME = RepoRoot.path().resolve("scenarios/next-storefront");

  /** What Next.js 16 asks for. */
  private static final String NODE = "20.9";

  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private static final Duration BUILD_WITHIN = Duration.ofMinutes(10);
  private static final Duration START_WITHIN = Duration.ofSeconds(30);

  /**
   * What the application counted for itself.
   *
   * @param renders begun, by page
   * @param requests that reached it, by path
   * @param rscRedirects requests of the router that it sent on because {@code _rsc} did not fit
   * @param heavyPeak most requests for heavy pages that it ever had in its hands at once
   */
  record Stats(
      Map<String, Integer> renders,
      Map<String, Integer> requests,
      int rscRedirects,
      int heavyPeak) {

    int renders(String page) {
      return renders.getOrDefault(page, 0);
    }

    int requests(String path) {
      return requests.getOrDefault(path, 0);
    }
  }

  /** Next.js hangs up on the h2c upgrade that a client of unnamed version asks for. */
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final RealProcess process;
  private final int port;

  private Storefront(RealProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server of its own, with counters at zero, from a build that is up to date. Without a
   * Node that is new enough the gate is skipped.
   */
  static Storefront start(Gate gate) {
    Path node = Tools.requireForGate("node", NODE, why -> gate.skip(why, Assumptions::abort));
    Tools.requireForGate("npm", why -> gate.skip(why, Assumptions::abort));
    build();
    int port = FreePorts.next();
    Map<String, String> environment =
        Map.of(
            "PORT", Integer.toString(port),
            "HOSTNAME", "127.0.0.1",
            "NEXT_TELEMETRY_DISABLED", "1");
    List<String> command =
        List.of(node.toString(), HOME.resolve(".next/standalone/server.js").toString());
    RealProcess process = RealProcess.start("next", HOME, environment, command);
    Storefront storefront = new Storefront(process, port);
    try {
      process.waitForHttp(storefront.base().resolve("/healthz"), START_WITHIN);
      return storefront;
    } catch (RuntimeException | AssertionError e) {
      storefront.close();
      throw e;
    }
  }

  /** Installs and builds the application, or finds that it is up to date. */
  private static void build() {
    List<String> command = List.of(HOME.resolve("build.sh").toString());
    try (RealProcess build = RealProcess.start("next-build", command)) {
      if (build.waitForExit(BUILD_WITHIN) != 0) {
        throw new AssertionError("build.sh failed:\n" + String.join("\n", build.tail()));
      }
    }
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + port);
  }

  Stats stats() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(base().resolve("/api/stats")).build();
    String json = client.send(request, BodyHandlers.ofString()).body();
    return JSON.readValue(json, Stats.class);
  }

  /** Whether its process is there. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** The id that this build gave its one Server Action. */
  static String actionId() throws IOException {
    Path actions = HOME.resolve(".next/standalone/.next/server/server-reference-manifest.json");
    return JSON.readTree(actions.toFile()).path("node").fieldNames().next();
  }

  /** By KILL: Next.js takes two seconds to end by TERM, and keeps nothing that would be lost. */
  @Override
  public void close() {
    process.kill();
  }
}
