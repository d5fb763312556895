package dev.sluice.scenarios;

import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A storefront of its own and a real Sluice before it whose operator shares all that can be shared:
 * every page is called public, and the origin's {@code private, no-store} is overridden; on the
 * home page the session that every browser has soon means nothing. Thread-safe.
 */
final class ReusingStorefront implements AutoCloseable {

  /** Whether the cache and coalescing are on; without them it is the control. */
  enum Reuse {
    ON,
    OFF
  }

  private static final String CONFIGURATION =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
        debug_headers: true
        graceful: { drain_period: 0s }
      origin:
        upstreams: [%s]
        concurrency: { max: 64, queue: { max: 200, timeout: 30s, predict: false } }
      cache: { enabled: %s }
      routes:
        - id: prerendered
          match: "/about"
          class: public_ssr
          cache: { rsc: static }
          coalesce: { enabled: %2$s }
        - id: streamed
          match: "/stream"
          class: public_ssr
          cache: { enabled: false }
          coalesce: { enabled: %2$s, override_origin: %2$s }
        - id: news
          match: "/news"
          class: public_ssr
          cookies: { assert_public: %2$s }
          cache: { override_origin: true, ttl: { max: 5m } }
          coalesce: { enabled: %2$s }
        - id: home
          match: "/"
          class: public_ssr
          cookies: { ignore: ["session"] }
          cache: { override_origin: true, ttl: { max: 5m } }
          coalesce: { enabled: %2$s }
        - id: everything
          match: "/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 5m } }
          coalesce: { enabled: %2$s }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  private final Storefront storefront;
  private final SluiceProcess sluice;

  private ReusingStorefront(Storefront storefront, SluiceProcess sluice) {
    this.storefront = storefront;
    this.sluice = sluice;
  }

  /** Starts both, with counters at zero and an empty store. */
  static ReusingStorefront start(Gate gate, Reuse reuse) {
    Storefront storefront = Storefront.start(gate);
    try {
      return new ReusingStorefront(storefront, before(List.of(storefront), reuse));
    } catch (RuntimeException | AssertionError e) {
      storefront.close();
      throw e;
    }
  }

  /** A Sluice before servers of one build that are there already. */
  static SluiceProcess before(List<Storefront> storefronts, Reuse reuse) {
    String upstreams =
        storefronts.stream()
            .map(storefront -> '"' + storefront.base().getAuthority() + '"')
            .collect(Collectors.joining(", "));
    return SluiceProcess.start(
        SluiceProcess.jar(), CONFIGURATION.formatted(upstreams, reuse == Reuse.ON));
  }

  int port() {
    return sluice.port();
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** Where the application itself listens. */
  int originPort() {
    return storefront.base().getPort();
  }

  /** What the application counted. */
  Storefront.Stats stats() throws IOException, InterruptedException {
    return storefront.stats();
  }

  @Override
  public void close() {
    sluice.close();
    storefront.close();
  }
}
