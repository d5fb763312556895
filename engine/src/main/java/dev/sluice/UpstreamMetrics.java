package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.admin.EngineStatus.Upstream;
import dev.sluice.observe.Metrics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The gauges of the upstreams, one series for each that is configured or still at work (ORG-10).
 * Stateless.
 */
final class UpstreamMetrics {

  private static final double MICROS_PER_SECOND = 1e6;

  private UpstreamMetrics() {}

  static void register(Metrics metrics, Supplier<EngineStatus> status) {
    fitness(new Family(metrics, status));
    counts(new Family(metrics, status));
  }

  private static void fitness(Family family) {
    family.of(
        "healthy", "1 while an upstream passes its probes.", up -> bit(up.fitness().healthy()));
    family.of(
        "ejected",
        "1 while an upstream is left out for failing real traffic.",
        up -> bit(up.fitness().ejected()));
    family.of("in.use", "1 while flights go to an upstream.", up -> bit(up.fitness().inUse()));
    family.of(
        "failed.probes",
        "Probes of an upstream that failed since one passed.",
        up -> up.fitness().failedProbes());
  }

  private static void counts(Family family) {
    family.counter(
        "breaker_trips", "How often an upstream's breaker opened.", up -> up.breaker().trips());
    family.of("connections", "Open connections to an upstream.", Upstream::connections);
    family.of("idle.connections", "Those of them that carry nothing.", Upstream::idle);
    family.of("in.flight", "Fetches under way at an upstream.", Upstream::inFlight);
    family.of(
        "addresses", "Addresses that an upstream's name means now.", up -> up.addresses().size());
    family.of(
        "latency.seconds",
        "How long an upstream took to answer, on average and of late.",
        up -> up.latencyMicros() >= 0,
        up -> up.latencyMicros() / MICROS_PER_SECOND);
    family.of(
        "units",
        "Units charged to an upstream against concurrency.per_upstream.",
        up -> up.units() != null,
        up -> up.units() == null ? 0 : up.units().inFlight());
  }

  private static int bit(boolean yes) {
    return yes ? 1 : 0;
  }

  /** Gauges whose label is the upstream. */
  private record Family(Metrics metrics, Supplier<EngineStatus> status) {

    void of(String name, String help, Function<Upstream, Number> value) {
      of(name, help, up -> true, value);
    }

    void of(String name, String help, Predicate<Upstream> which, Function<Upstream, Number> value) {
      metrics.gauges("sluice.upstream." + name, help, "upstream", () -> values(which, value));
    }

    void counter(String name, String help, Function<Upstream, Long> value) {
      metrics.counters(
          "sluice_upstream_" + name,
          help,
          "upstream",
          () ->
              status.get().upstreams().stream()
                  .collect(Collectors.toMap(Upstream::address, value)));
    }

    private Map<String, Number> values(
        Predicate<Upstream> which, Function<Upstream, Number> value) {
      List<Upstream> upstreams = status.get().upstreams();
      return upstreams.stream().filter(which).collect(Collectors.toMap(Upstream::address, value));
    }
  }
}
