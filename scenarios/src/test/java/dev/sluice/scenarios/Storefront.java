package dev.sluice.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A running {@code next-storefront}: the standalone server of the real build. Thread-safe. */
final class Storefront implements AutoCloseable {

  private static final Path HOME =
      Path.of(System.getProperty("sluice.root", ".."), "scenarios", "next-storefront");

  /**
   * What the application counted for itself.
   *
   * @param heavyRenders renders of {@code /heavy/[id]} begun
   * @param heavyPeak most requests for heavy pages that it ever had in its hands at once
   */
  record Stats(int heavyRenders, int heavyPeak) {}

  /** Next.js hangs up on the h2c upgrade that a client of unnamed version asks for. */
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ServerProcess server;

  private Storefront(ServerProcess server) {
    this.server = server;
  }

  /** Installs and builds the application, or finds that it is up to date. */
  static void build() throws IOException, InterruptedException {
    File output = Files.createDirectories(ServerProcess.LOGS).resolve("build.log").toFile();
    Process build =
        new ProcessBuilder(HOME.resolve("build.sh").toString())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    if (build.waitFor() != 0) {
      throw new AssertionError("build.sh failed:\n" + Files.readString(output.toPath()));
    }
  }

  /** Starts a server of its own, with counters at zero. */
  static Storefront start() throws IOException, InterruptedException {
    int port = ServerProcess.freePort();
    List<String> command = List.of("node", HOME.resolve(".next/standalone/server.js").toString());
    Map<String, String> environment =
        Map.of(
            "PORT", Integer.toString(port),
            "HOSTNAME", "127.0.0.1",
            "NEXT_TELEMETRY_DISABLED", "1");
    return new Storefront(ServerProcess.start("next", command, environment, port));
  }

  URI base() {
    return server.base();
  }

  Stats stats() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(base().resolve("/api/stats")).build();
    String json = client.send(request, BodyHandlers.ofString()).body();
    JsonNode counters = new ObjectMapper().readTree(json);
    return new Stats(
        counters.path("renders").path("/heavy/[id]").asInt(), counters.path("heavyPeak").asInt());
  }

  @Override
  public void close() {
    server.close();
  }
}
