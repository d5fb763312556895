package dev.sluice.observe;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Spooling;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the loops' cells of reuse as Prometheus' counters (OBS-03, OBS-15). Called by one scrape at
 * a time.
 */
final class ReuseCollector implements MultiCollector {

  private static final BypassReason[] REASONS = BypassReason.values();

  private final List<LoopCounters> loops;

  ReuseCollector(List<LoopCounters> loops) {
    this.loops = loops;
  }

  @Override
  public MetricSnapshots collect() {
    var eligible = new CounterSeries();
    var outcomes = new CounterSeries();
    var notKept = new CounterSeries();
    var spooled = new CounterSeries();
    each(
        (route, reuse) -> {
          eligible.add(Labels.of("route", route), reuse.eligible());
          addOutcomes(outcomes, route, reuse);
          addReasons(notKept, reuse.notKept(), route);
          addSpooled(spooled, route, reuse.spooled());
        });
    return MetricSnapshots.of(
        eligible.snapshot(
            "sluice_reuse_eligible_requests", "Requests that another's answer might have served."),
        outcomes.snapshot(
            "sluice_cache_requests",
            "Requests by where their answer came from, and why it was nobody else's."),
        notKept.snapshot(
            "sluice_cache_not_kept", "Shared or storable answers that were not kept, and why."),
        spooled.snapshot(
            "sluice_spool_answers", "Answers of routes that spool, by how far they were."));
  }

  private void each(BiConsumer<String, ReuseCounters> look) {
    for (LoopCounters loop : loops) {
      loop.routes().forEach((route, counters) -> look.accept(route, counters.reuse()));
    }
  }

  private static void addOutcomes(CounterSeries series, String route, ReuseCounters reuse) {
    for (Reuse outcome : Reuse.values()) {
      Tally cells = outcome == Reuse.NONE ? null : reuse.of(outcome);
      for (int i = 0; cells != null && i <= ReuseCounters.NO_REASON; i++) {
        String reason = i == ReuseCounters.NO_REASON ? "-" : REASONS[i].code();
        series.addIfAny(
            Labels.of("route", route, "outcome", word(outcome), "reason", reason), cells.get(i));
      }
    }
  }

  /** The log calls what came from a flight under way a hit, too; here they are told apart. */
  private static String word(Reuse outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static void addReasons(CounterSeries series, @Nullable Tally cells, String route) {
    for (BypassReason reason : REASONS) {
      if (cells != null) {
        series.addIfAny(
            Labels.of("route", route, "reason", reason.code()), cells.get(reason.ordinal()));
      }
    }
  }

  private static void addSpooled(CounterSeries series, String route, Tally cells) {
    for (Spooling outcome : Spooling.values()) {
      if (outcome != Spooling.NONE) {
        series.addIfAny(
            Labels.of("route", route, "outcome", outcome.code()), cells.get(outcome.ordinal()));
      }
    }
  }
}
