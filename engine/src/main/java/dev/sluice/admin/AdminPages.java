package dev.sluice.admin;

import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.PlainHttpListener.Question;
import dev.sluice.net.PlainHttpListener.Reply;
import dev.sluice.observe.MetricsPage;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operator's pages: alive, ready, status, metrics (OPS-02 to OPS-13), explain, purge. "Alive"
 * is said in every state, "ready" only while traffic should come. Thread-safe.
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
  private final PurgePage purge;
  private final ExplainPage explain;

  public AdminPages(
      Scope scope, StatusSource engine, MetricsPage metrics, PurgePage purge, ExplainPage explain) {
    this.scope = scope;
    this.engine = engine;
    this.metrics = metrics;
    this.purge = purge;
    this.explain = explain;
  }

  @Override
  public Reply answer(Question question) {
    if (isPurge(question.path())) {
      return purge.answer(question);
    }
    Supplier<Reply> page = page(question);
    if (page == null) {
      return PlainHttpListener.plain(404, "There is no such page.\n");
    }
    return question.method().equals("GET") ? page.get() : PlainHttpListener.notAllowed("GET, HEAD");
  }

  private boolean isPurge(String path) {
    return scope != Scope.METRICS_ONLY && path.equals("/purge") && purge.exists();
  }

  private @Nullable Supplier<Reply> page(Question question) {
    if (question.path().equals("/metrics")) {
      return scope == Scope.WITHOUT_METRICS ? null : this::metrics;
    }
    if (scope == Scope.METRICS_ONLY) {
      return null;
    }
    return switch (question.path()) {
      case "/health/live" -> () -> PlainHttpListener.plain(200, "alive\n");
      case "/health/ready" -> this::ready;
      case "/status" -> () -> new Reply(200, "application/json", StatusPage.of(engine.status()));
      case "/explain" -> () -> explain.answer(question.query());
      default -> null;
    };
  }

  private Reply metrics() {
    return new Reply(200, PROMETHEUS, metrics.text().getBytes(StandardCharsets.UTF_8));
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
    if (!engine.isReady()) {
      return PlainHttpListener.plain(503, "starting\n");
    }
    return engine.isApplicationUp()
        ? PlainHttpListener.plain(200, "ready\n")
        : PlainHttpListener.plain(503, "the application does not listen\n");
  }
}
