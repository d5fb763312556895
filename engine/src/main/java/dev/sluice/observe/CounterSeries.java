package dev.sluice.observe;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counters of one name by their labels, added up. Confined to one scrape. */
final class CounterSeries {

  private final SortedMap<Labels, Long> byLabels = new TreeMap<>();

  void add(Labels labels, long count) {
    byLabels.merge(labels, count, Long::sum);
  }

  /** A series that never counted anything is not told. */
  void addIfAny(Labels labels, long count) {
    if (count > 0) {
      add(labels, count);
    }
  }

  CounterSnapshot snapshot(String name, String help) {
    var snapshot = CounterSnapshot.builder().name(name).help(help);
    for (Map.Entry<Labels, Long> entry : byLabels.entrySet()) {
      snapshot.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(entry.getKey())
              .value(entry.getValue())
              .build());
    }
    return snapshot.build();
  }
}
