package dev.sluice.scenarios;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real Sluice process in front of a running storefront. Thread-safe. */
final class GovernedStorefront implements AutoCloseable {

  private static final Path JAR =
      Path.of(System.getProperty("sluice.root", ".."), "engine", "target", "sluice.jar");

  /**
   * Of three units, one is the health route's own (34 % rounded down), so that at most two heavy
   * pages render at once; their route says the same.
   */
  private static final String CONFIGURATION =
      """
      version: 1
      server:
        listen: "127.0.0.1:%d"
        graceful: { drain_period: 0s }
      origin:
        upstreams: ["127.0.0.1:%d"]
        concurrency:
          max: 3
          queue: { max: 200, timeout: 30s, predict: false }
        reservations: { high: 34 }
      routes:
        - { id: healthz, match: "/healthz", class: private_dynamic, priority: high, weight: 1 }
        - id: heavy
          match: "/heavy/**"
          class: private_dynamic
          concurrency: { max: 2, queue: { max: 200, timeout: 30s } }
        - { id: default, match: "/**", class: private_dynamic }
      """;

  private final ServerProcess server;

  private GovernedStorefront(ServerProcess server) {
    this.server = server;
  }

  static GovernedStorefront before(Storefront storefront) throws IOException, InterruptedException {
    int port = ServerProcess.freePort();
    Path configuration =
        Files.createDirectories(ServerProcess.LOGS).resolve("sluice-" + port + ".yaml");
    Files.writeString(configuration, CONFIGURATION.formatted(port, storefront.base().getPort()));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(java, "-jar", JAR.toString(), "run", "--config", configuration.toString());
    return new GovernedStorefront(ServerProcess.start("sluice", command, Map.of(), port));
  }

  URI base() {
    return server.base();
  }

  @Override
  public void close() {
    server.close();
  }
}
