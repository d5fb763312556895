package dev.sluice.observe;

import dev.sluice.observe.LoopCounters.LatencyRecorder;
import dev.sluice.observe.LoopCounters.RouteBuckets;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The metrics of one engine in Prometheus' format. Meters read the loops' cells when they are
 * scraped; new label sets are registered then, so nothing is looked up while traffic flows. Labels
 * are route, class, tier, reason, upstream and status class, never a path, host or client (DEC-51).
 * {@link #scrape} is serialized.
 */
public final class Metrics {

  private static final double[] QUANTILES = {0.5, 0.9, 0.99};

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Observer observer;
  private final Set<Object> known = new HashSet<>();

  public Metrics(Observer observer) {
    this.observer = observer;
    summary("sluice.request.duration", "Whole exchanges.", LoopCounters::requests);
    summary("sluice.queue.wait", "Waits for a permit.", LoopCounters::waits);
    summary("sluice.origin.duration", "From the grant to the origin's end.", LoopCounters::origin);
  }

  /** A value that is asked for at each scrape. */
  public void gauge(String name, String help, Tags tags, ToDoubleFunction<Metrics> value) {
    Gauge.builder(name, this, value).description(help).tags(tags).register(registry);
  }

  /** A count kept elsewhere that only grows. */
  public void counter(String name, String help, Tags tags, ToDoubleFunction<Metrics> value) {
    FunctionCounter.builder(name, this, value).description(help).tags(tags).register(registry);
  }

  /** Whether a meter with this key was registered by the caller before; remembers it. */
  public boolean isNew(Object key) {
    return known.add(key);
  }

  /** Everything, as text. */
  public synchronized String scrape() {
    observer.loops().forEach(this::registerNew);
    return registry.scrape();
  }

  /** Forgets the series of routes that are gone. */
  public synchronized void retainRoutes(Set<String> routes) {
    for (Meter meter : registry.getMeters()) {
      String route = meter.getId().getTag("route");
      if (route != null && !routes.contains(route)) {
        registry.remove(meter);
      }
    }
    known.removeIf(
        key ->
            key instanceof LoopCounters.ExchangeKey exchange && !routes.contains(exchange.route()));
  }

  private void registerNew(LoopCounters loop) {
    for (LoopCounters.ExchangeKey key : loop.exchanges().keySet()) {
      if (known.add(key)) {
        counter(
            "sluice.requests",
            "Exchanges by how they ended.",
            Tags.of("route", key.route(), "class", key.requestClass())
                .and("status", statusClass(key.statusClass()), "reason", key.cause().code())
                .and("party", key.cause().party().code()),
            self -> self.sum(LoopCounters::exchanges, key));
      }
    }
    for (LoopCounters.OriginKey key : loop.originRequests().keySet()) {
      if (known.add(key)) {
        counter(
            "sluice.origin.requests",
            "Fetches by upstream and how they ended.",
            Tags.of("upstream", key.upstream(), "reason", key.cause().code()),
            self -> self.sum(LoopCounters::originRequests, key));
      }
    }
    loop.abandonedByRoute().keySet().forEach(this::registerAbandoned);
    loop.buckets().keySet().forEach(this::registerBuckets);
  }

  private void registerAbandoned(String route) {
    if (known.add("abandoned " + route)) {
      counter(
          "sluice.origin.abandoned",
          "Fetches that were left before their end and may render on.",
          Tags.of("route", route),
          self -> self.sum(LoopCounters::abandonedByRoute, route));
    }
  }

  private void registerBuckets(String route) {
    if (!known.add("buckets " + route)) {
      return;
    }
    for (int i = 0; i < RouteBuckets.UPPER_SECONDS.length; i++) {
      int upTo = i;
      double le = RouteBuckets.UPPER_SECONDS[i];
      counter(
          "sluice.route.duration.bucket",
          "Exchanges of a route that took at most le seconds.",
          Tags.of("route", route, "le", Double.isInfinite(le) ? "+Inf" : Double.toString(le)),
          self -> self.bucketsUpTo(route, upTo));
    }
  }

  private double bucketsUpTo(String route, int upTo) {
    double sum = 0;
    for (LoopCounters loop : observer.loops()) {
      RouteBuckets buckets = loop.buckets().get(route);
      for (int i = 0; buckets != null && i <= upTo; i++) {
        sum += buckets.count(i);
      }
    }
    return sum;
  }

  private <K> double sum(Function<LoopCounters, Map<K, LongAdder>> cells, K key) {
    double sum = 0;
    for (LoopCounters loop : observer.loops()) {
      LongAdder cell = cells.apply(loop).get(key);
      sum += cell == null ? 0 : cell.sum();
    }
    return sum;
  }

  private void summary(String name, String help, Function<LoopCounters, LatencyRecorder> recorder) {
    for (double quantile : QUANTILES) {
      gauge(
          name + ".seconds",
          help + " Quantiles since the start.",
          Tags.of("quantile", Double.toString(quantile)),
          self -> self.merged(recorder).getValueAtPercentile(quantile * 100) / 1e6);
    }
    counter(
        name + ".seconds.count", help, Tags.empty(), self -> self.merged(recorder).getTotalCount());
    counter(
        name + ".seconds.sum",
        help,
        Tags.empty(),
        self ->
            self.observer.loops().stream().mapToDouble(l -> recorder.apply(l).sumSeconds()).sum());
  }

  private IntCountsHistogram merged(Function<LoopCounters, LatencyRecorder> recorder) {
    IntCountsHistogram all = recorder.apply(observer.loops().get(0)).total();
    if (observer.loops().size() == 1) {
      return all;
    }
    IntCountsHistogram sum = all.copy();
    observer.loops().stream().skip(1).forEach(loop -> sum.add(recorder.apply(loop).total()));
    return sum;
  }

  private static String statusClass(int hundreds) {
    return hundreds == 0 ? "-" : hundreds + "xx";
  }
}
