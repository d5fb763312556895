package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.admin.EngineStatus.Admission;
import dev.sluice.admin.EngineStatus.Scope;
import dev.sluice.net.tls.TlsFault;
import dev.sluice.observe.Metrics;
import dev.sluice.observe.Observer;
import dev.sluice.outcome.Cause;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The gauges that read the engine's state, once for all of them at each scrape. Stateless. */
final class EngineMetrics {

  private EngineMetrics() {}

  /** All metrics of an engine: its observer's and its state's. */
  static Metrics of(Observer observer, Supplier<EngineStatus> source) {
    var metrics = new Metrics(observer);
    register(metrics, source);
    return metrics;
  }

  private static void register(Metrics metrics, Supplier<EngineStatus> source) {
    var moment = new AtomicReference<@Nullable EngineStatus>();
    metrics.beforeScrape(() -> moment.set(source.get()));
    Supplier<EngineStatus> status = () -> Objects.requireNonNull(moment.get());
    registerScopes(metrics, status);
    registerConnections(metrics, status);
    registerWork(metrics, status);
    ReuseMetrics.register(metrics, status);
    Http2Metrics.register(metrics, status);
    registerArrivals(metrics, status);
    for (String kind : new String[] {"render", "static", "streaming"}) {
      Tags tags = Tags.of("permit", kind);
      gauge(
          metrics,
          "sluice.origin.in.flight",
          "Units in flight at the origin.",
          tags,
          status,
          now -> admission(now, kind).global().inFlight());
      gauge(
          metrics,
          "sluice.concurrency.limit",
          "The ceiling in force, in units.",
          tags,
          status,
          now -> admission(now, kind).global().limit());
      admissions(metrics, kind, status);
      gauge(
          metrics,
          "sluice.queue.waiting",
          "Flights that wait for a permit.",
          tags,
          status,
          now -> admission(now, kind).global().waiting());
    }
    registerUpgrades(metrics, status);
    gauge(
        metrics,
        "sluice.draining",
        "1 while readiness fails on purpose.",
        Tags.empty(),
        status,
        now -> now.draining() ? 1 : 0);
    gauge(
        metrics,
        "sluice.application.up",
        "1 while the application that was started with the proxy listens, or there is none.",
        Tags.empty(),
        status,
        EngineMetrics::applicationUp);
    metrics.counter(
        "sluice.application.restarts",
        "How often the application was started again.",
        Tags.empty(),
        unused -> status.get().application() == null ? 0 : status.get().application().restarts());
    gauge(
        metrics,
        "sluice.generation",
        "The configuration's number.",
        Tags.empty(),
        status,
        EngineStatus::generation);
    gauge(
        metrics,
        "sluice.client.connections",
        "Open client connections.",
        Tags.empty(),
        status,
        now -> now.connectionsPerLoop().stream().mapToInt(Integer::intValue).sum());
    gauge(
        metrics,
        "sluice.direct.memory.bytes",
        "Direct memory in use.",
        Tags.empty(),
        status,
        now -> now.memory().directUsed());
    gauge(
        metrics,
        "sluice.request.memory.bytes",
        "Request bytes held.",
        Tags.empty(),
        status,
        now -> now.memory().requestBytesHeld());
  }

  /** PRX-17: beside the work at the origin, and in no sum with it. */
  private static void registerUpgrades(Metrics metrics, Supplier<EngineStatus> status) {
    gauge(
        metrics,
        "sluice.upgrades.open",
        "WebSockets that are open or being opened.",
        Tags.empty(),
        status,
        now -> admission(now, "upgrade").global().inFlight());
    gauge(
        metrics,
        "sluice.upgrades.limit",
        "How many of them there may be.",
        Tags.empty(),
        status,
        now -> admission(now, "upgrade").global().limit());
    admissions(metrics, "upgrade", status);
  }

  private static double applicationUp(EngineStatus status) {
    EngineStatus.Application application = status.application();
    return application == null || application.state().equals("listening") ? 1 : 0;
  }

  private static void registerWork(Metrics metrics, Supplier<EngineStatus> status) {
    gauge(
        metrics,
        "sluice.exchanges.open",
        "Requests that were read and not answered to their end.",
        Tags.empty(),
        status,
        now -> now.work().exchanges());
    gauge(
        metrics,
        "sluice.flights.open",
        "Trips to the origin, waiting or under way.",
        Tags.empty(),
        status,
        now -> now.work().flights());
  }

  private static void registerArrivals(Metrics metrics, Supplier<EngineStatus> status) {
    String help = "TLS handshakes with clients, by what became of them.";
    metrics.counter(
        "sluice.tls.handshakes",
        help,
        Tags.of("result", "done"),
        unused -> status.get().arrivals().handshakes());
    for (TlsFault.Kind kind : TlsFault.Kind.values()) {
      metrics.counter(
          "sluice.tls.handshakes",
          help,
          Tags.of("result", kind.code()),
          unused -> status.get().arrivals().faults().getOrDefault(kind.code(), 0L));
    }
    metrics.counter(
        "sluice.proxy.headers.refused",
        "Connections closed for want of a sound PROXY header from a trusted proxy.",
        Tags.empty(),
        unused -> status.get().arrivals().proxyRefusals());
  }

  private static void registerScopes(Metrics metrics, Supplier<EngineStatus> status) {
    scopes(metrics, "route", () -> admission(status.get(), "render").routes());
    scopes(metrics, "tier", () -> admission(status.get(), "render").tiers());
  }

  private static void scopes(Metrics metrics, String kind, Supplier<Map<String, Scope>> scopes) {
    metrics.gauges(
        "sluice." + kind + ".in.flight",
        "Units in flight at the origin, by " + kind + ".",
        kind,
        () -> each(scopes.get(), scope -> true, Scope::inFlight));
    metrics.gauges(
        "sluice." + kind + ".concurrency.limit",
        "The ceiling in force, in units, by " + kind + " where it has one.",
        kind,
        () -> each(scopes.get(), Scope::isLimited, Scope::limit));
    metrics.gauges(
        "sluice." + kind + ".queue.waiting",
        "Flights that wait for a permit, by " + kind + ".",
        kind,
        () -> each(scopes.get(), scope -> true, Scope::waiting));
  }

  private static Map<String, Integer> each(
      Map<String, Scope> scopes, Predicate<Scope> which, Function<Scope, Integer> value) {
    return scopes.entrySet().stream()
        .filter(entry -> which.test(entry.getValue()))
        .collect(Collectors.toMap(entry -> entry.getKey(), entry -> value.apply(entry.getValue())));
  }

  private static void registerConnections(Metrics metrics, Supplier<EngineStatus> status) {
    metrics.gauges(
        "sluice.loop.connections",
        "Open client connections, by event loop.",
        "loop",
        () -> {
          List<Integer> counts = status.get().connectionsPerLoop();
          return IntStream.range(0, counts.size())
              .boxed()
              .collect(Collectors.toMap(String::valueOf, counts::get));
        });
    UpstreamMetrics.register(metrics, status);
  }

  /** OBS-04: one series for each thing that admission can say. */
  private static void admissions(Metrics metrics, String kind, Supplier<EngineStatus> status) {
    String help = "What admission said.";
    metrics.counter(
        "sluice.admission",
        help,
        Tags.of("permit", kind, "decision", "granted"),
        unused -> admission(status.get(), kind).grants());
    for (Cause cause : Cause.values()) {
      if (cause.isShed()) {
        metrics.counter(
            "sluice.admission",
            help,
            Tags.of("permit", kind, "decision", "shed_" + cause.code()),
            unused -> admission(status.get(), kind).sheds().getOrDefault(cause.code(), 0L));
      }
    }
  }

  private static Admission admission(EngineStatus status, String kind) {
    return Objects.requireNonNull(status.admissions().get(kind));
  }

  private static void gauge(
      Metrics metrics,
      String name,
      String help,
      Tags tags,
      Supplier<EngineStatus> status,
      ToDoubleFunction<EngineStatus> value) {
    metrics.gauge(name, help, tags, unused -> value.applyAsDouble(status.get()));
  }
}
