package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.observe.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What there is in the store and in the bodies under way, for a scrape (OBS-15). Stateless. */
final class ReuseMetrics {

  private ReuseMetrics() {}

  static void register(Metrics metrics, Supplier<EngineStatus> status) {
    registerSizes(metrics, status);
    registerCounts(metrics, status);
    gauge(
        metrics,
        "sluice.spool.bytes",
        "Bytes of answers under way that are kept for who reads them.",
        () -> status.get().memory().spoolHeld());
    gauge(
        metrics,
        "sluice.spool.max.bytes",
        "What those may be together.",
        () -> status.get().memory().spoolMax());
    gauge(
        metrics,
        "sluice.flights.boardable",
        "Answers under way that take further passengers.",
        () -> status.get().work().boardable());
    gauge(
        metrics,
        "sluice.refreshes.open",
        "Stored answers that are being refreshed in the background.",
        () -> status.get().work().refreshes());
  }

  private static void registerSizes(Metrics metrics, Supplier<EngineStatus> status) {
    gauge(metrics, "sluice.cache.entries", "Stored answers.", () -> status.get().cache().entries());
    gauge(
        metrics,
        "sluice.cache.variants",
        "Stored answers that are one of several of their URL.",
        () -> status.get().cache().variants());
    gauge(
        metrics,
        "sluice.cache.bytes",
        "Bytes that stored answers take, those included that were let go and are being read.",
        () -> status.get().cache().bytes());
    gauge(
        metrics,
        "sluice.cache.max.bytes",
        "What stored answers may take.",
        () -> status.get().cache().max());
    gauge(
        metrics,
        "sluice.cache.pinned.bytes",
        "Bytes of answers that were let go and are being read.",
        () -> status.get().cache().pinned());
  }

  private static void registerCounts(Metrics metrics, Supplier<EngineStatus> status) {
    counter(
        metrics,
        "sluice.cache.evictions",
        "Stored answers that made room for others.",
        () -> status.get().cache().evictions());
    counter(
        metrics,
        "sluice.cache.purges",
        "Purges, and writes that ended what was stored of their target.",
        () -> status.get().cache().purges());
    counter(
        metrics,
        "sluice.cache.purged.entries",
        "Stored answers that those touched.",
        () -> status.get().cache().purged());
  }

  private static void gauge(Metrics metrics, String name, String help, Supplier<Number> value) {
    metrics.gauge(name, help, Tags.empty(), read(value));
  }

  private static void counter(Metrics metrics, String name, String help, Supplier<Number> value) {
    metrics.counter(name, help, Tags.empty(), read(value));
  }

  private static ToDoubleFunction<Metrics> read(Supplier<Number> value) {
    return unused -> value.get().doubleValue();
  }
}
