package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.observe.Metrics;
import dev.sluice.outcome.GoAwayReason;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;

/** What is counted of the clients' HTTP/2, for a scrape. Stateless. */
final class Http2Metrics {

  private Http2Metrics() {}

  static void register(Metrics metrics, Supplier<EngineStatus> status) {
    metrics.gauge(
        "sluice.http2.connections",
        "Open client connections that speak HTTP/2.",
        Tags.empty(),
        unused -> status.get().http2().connections());
    metrics.gauge(
        "sluice.http2.streams",
        "Open streams of clients.",
        Tags.empty(),
        unused -> status.get().http2().streams());
    metrics.counter(
        "sluice.http2.streams.refused",
        "Streams beyond what one connection may have.",
        Tags.empty(),
        unused -> status.get().http2().refused());
    metrics.counter(
        "sluice.http2.resets",
        "Streams that ended by a reset.",
        Tags.of("by", "client"),
        unused -> status.get().http2().clientResets());
    metrics.counter(
        "sluice.http2.resets",
        "Streams that ended by a reset.",
        Tags.of("by", "sluice"),
        unused -> status.get().http2().ourResets());
    for (GoAwayReason reason : GoAwayReason.values()) {
      metrics.counter(
          "sluice.http2.goaways",
          "Connections that were told to go away.",
          Tags.of("reason", reason.code()),
          unused -> status.get().http2().goAways().getOrDefault(reason.code(), 0L));
    }
  }
}
