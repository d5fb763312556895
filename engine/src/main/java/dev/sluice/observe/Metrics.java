package dev.sluice.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of one engine in Prometheus' format. Everything is read when it is scraped; nothing
 * is looked up while traffic flows. Labels are route, class, tier, reason, upstream and status
 * class, never a path, host or client (DEC-51). {@link #scrape} is serialized; the rest is for the
 * start.
 */
public final class Metrics {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Runnable> beforeScrape = new ArrayList<>();

  public Metrics(Observer observer) {
    registry.getPrometheusRegistry().register(new CellCollector(observer.loops()));
    registry.getPrometheusRegistry().register(new ReuseCollector(observer.loops()));
    counter(
        "sluice.access.log.dropped",
        "Access log lines that were dropped because the log was too slow or could not be written.",
        Tags.empty(),
        unused -> observer.droppedLines());
  }

  /** Something to do first at each scrape, so that all its values are of one moment. */
  public synchronized void beforeScrape(Runnable task) {
    beforeScrape.add(task);
  }

  /** A value that is asked for at each scrape. */
  public void gauge(String name, String help, Tags tags, ToDoubleFunction<Metrics> value) {
    Gauge.builder(name, this, value).description(help).tags(tags).register(registry);
  }

  /** Values by {@code label}, asked for at each scrape; those that are absent then are gone. */
  public void gauges(
      String name,
      String help,
      String label,
      Supplier<? extends Map<String, ? extends Number>> values) {
    MultiGauge family = MultiGauge.builder(name).description(help).register(registry);
    beforeScrape(() -> family.register(rows(label, values.get()), true));
  }

  /** Counts by {@code label} that are kept elsewhere; those that are absent then are gone. */
  public void counters(String name, String help, String label, Supplier<Map<String, Long>> values) {
    registry
        .getPrometheusRegistry()
        .register(
            () -> {
              var series = new CounterSeries();
              values.get().forEach((key, count) -> series.add(Labels.of(label, key), count));
              return series.snapshot(name, help);
            });
  }

  /** A count kept elsewhere that only grows. */
  public void counter(String name, String help, Tags tags, ToDoubleFunction<Metrics> value) {
    FunctionCounter.builder(name, this, value).description(help).tags(tags).register(registry);
  }

  /** Everything, as text. */
  public synchronized String scrape() {
    beforeScrape.forEach(Runnable::run);
    return registry.scrape();
  }

  private static List<MultiGauge.Row<?>> rows(String label, Map<String, ? extends Number> values) {
    var rows = new ArrayList<MultiGauge.Row<?>>(values.size());
    values.forEach((key, value) -> rows.add(MultiGauge.Row.of(Tags.of(label, key), value)));
    return rows;
  }
}
