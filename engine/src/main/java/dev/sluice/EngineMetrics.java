package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.governor.admit.Snapshot;
import dev.sluice.observe.Metrics;
import dev.sluice.outcome.Cause;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The gauges that read the engine's state at each scrape. Stateless. */
final class EngineMetrics {

  private EngineMetrics() {}

  static void register(Metrics metrics, Supplier<EngineStatus> status) {
    for (String kind : new String[] {"render", "static", "streaming"}) {
      Tags tags = Tags.of("permit", kind);
      gauge(
          metrics,
          "sluice.origin.in.flight",
          "Units in flight at the origin.",
          tags,
          status,
          now -> snapshot(now, kind).global().inFlight());
      gauge(
          metrics,
          "sluice.concurrency.limit",
          "The ceiling in force, in units.",
          tags,
          status,
          now -> snapshot(now, kind).global().max());
      admissions(metrics, kind, status);
      gauge(
          metrics,
          "sluice.queue.waiting",
          "Flights that wait for a permit.",
          tags,
          status,
          now -> snapshot(now, kind).global().waiting());
    }
    gauge(
        metrics,
        "sluice.draining",
        "1 while readiness fails on purpose.",
        Tags.empty(),
        status,
        now -> now.draining() ? 1 : 0);
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

  /** OBS-04: one series for each thing that admission can say. */
  private static void admissions(Metrics metrics, String kind, Supplier<EngineStatus> status) {
    String help = "What admission said.";
    metrics.counter(
        "sluice.admission",
        help,
        Tags.of("permit", kind, "decision", "granted"),
        unused -> snapshot(status.get(), kind).grants());
    for (Cause cause : Cause.values()) {
      if (cause.isShed()) {
        metrics.counter(
            "sluice.admission",
            help,
            Tags.of("permit", kind, "decision", "shed_" + cause.code()),
            unused -> snapshot(status.get(), kind).sheds().getOrDefault(cause, 0L));
      }
    }
  }

  private static Snapshot snapshot(EngineStatus status, String kind) {
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
