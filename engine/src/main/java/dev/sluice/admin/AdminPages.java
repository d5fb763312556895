package dev.sluice.admin;

import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.PlainHttpListener.Reply;
import dev.sluice.observe.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * The operator's pages: alive, ready, status, metrics (OPS-02 to OPS-13). "Alive" is said in every
 * state, "ready" only while traffic should come. Called on the listener's thread.
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
  private final Supplier<EngineStatus> status;
  private final Metrics metrics;

  public AdminPages(Scope scope, Supplier<EngineStatus> status, Metrics metrics) {
    this.scope = scope;
    this.status = status;
    this.metrics = metrics;
  }

  @Override
  public Reply get(String path) {
    boolean pages = scope != Scope.METRICS_ONLY;
    if (path.equals("/metrics") && scope != Scope.WITHOUT_METRICS) {
      return new Reply(200, PROMETHEUS, metrics.scrape().getBytes(StandardCharsets.UTF_8));
    }
    if (pages && path.equals("/health/live")) {
      return PlainHttpListener.plain(200, "alive\n");
    }
    if (pages && path.equals("/health/ready")) {
      return ready(status.get());
    }
    if (pages && path.equals("/status")) {
      return new Reply(200, "application/json", StatusPage.of(status.get()));
    }
    return PlainHttpListener.plain(404, "There is no such page.\n");
  }

  private static Reply ready(EngineStatus now) {
    if (now.draining()) {
      return PlainHttpListener.plain(503, "draining\n");
    }
    return now.ready()
        ? PlainHttpListener.plain(200, "ready\n")
        : PlainHttpListener.plain(503, "starting\n");
  }
}
