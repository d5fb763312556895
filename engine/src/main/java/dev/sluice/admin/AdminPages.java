package dev.sluice.admin;

import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.PlainHttpListener.Reply;
import dev.sluice.observe.MetricsPage;
import java.nio.charset.StandardCharsets;

/**
 * The operator's pages: alive, ready, status, metrics (OPS-02 to OPS-13). "Alive" is said in every
 * state, "ready" only while traffic should come. Thread-safe.
 */
public final class AdminPages implements PlainHttpListener.Pages {

  /** Which pages a listener serves. */
  public enum Scope {
    /** All, metrics too. */
    ALL,
    /** All but metrics, which have a listener of their own. */
    WITHOUT_METRICS,
    METRICS_ONLY
  }

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final Scope scope;
  private final StatusSource engine;
  private final MetricsPage metrics;

  public AdminPages(Scope scope, StatusSource engine, MetricsPage metrics) {
    this.scope = scope;
    this.engine = engine;
    this.metrics = metrics;
  }

  @Override
  public Reply get(String path) {
    boolean pages = scope != Scope.METRICS_ONLY;
    if (path.equals("/metrics") && scope != Scope.WITHOUT_METRICS) {
      return new Reply(200, PROMETHEUS, metrics.text().getBytes(StandardCharsets.UTF_8));
    }
    if (pages && path.equals("/health/live")) {
      return PlainHttpListener.plain(200, "alive\n");
    }
    if (pages && path.equals("/health/ready")) {
      return ready();
    }
    if (pages && path.equals("/status")) {
      return new Reply(200, "application/json", StatusPage.of(engine.status()));
    }
    return PlainHttpListener.plain(404, "There is no such page.\n");
  }

  /** Health never waits: neither for a scrape nor for admission. */
  @Override
  public boolean isInstant(String path) {
    return path.startsWith("/health/");
  }

  private Reply ready() {
    if (engine.isDraining()) {
      return PlainHttpListener.plain(503, "draining\n");
    }
    return engine.isReady()
        ? PlainHttpListener.plain(200, "ready\n")
        : PlainHttpListener.plain(503, "starting\n");
  }
}
