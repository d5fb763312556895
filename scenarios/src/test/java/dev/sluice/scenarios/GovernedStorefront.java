package dev.sluice.scenarios;

import dev.sluice.fixture.launch.SluiceProcess;
import java.net.URI;

/** A real Sluice process in front of a running storefront. Thread-safe. */
final class GovernedStorefront implements AutoCloseable {

  /** Heavy pages that their route lets render at once. */
  static final int HEAVY_CEILING = 2;

  /**
   * Of three units, one is the health route's own (34 % rounded down), so that at most two heavy
   * pages render at once; their route says the same.
   */
  private static final String CONFIGURATION =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
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
          concurrency: { max: %d, queue: { max: 200, timeout: 30s } }
        - { id: default, match: "/**", class: private_dynamic }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  private final SluiceProcess process;

  private GovernedStorefront(SluiceProcess process) {
    this.process = process;
  }

  static GovernedStorefront before(Storefront storefront) {
    String configuration = CONFIGURATION.formatted(storefront.base().getPort(), HEAVY_CEILING);
    return new GovernedStorefront(SluiceProcess.start(SluiceProcess.jar(), configuration));
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + process.port());
  }

  @Override
  public void close() {
    process.close();
  }
}
