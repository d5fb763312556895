package dev.sluice.observe;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of {@code /metrics}. The metrics are made at the first scrape: they only read what is
 * counted anyway, and their library would be a good part of the time until the process is ready.
 * Thread-safe; one scrape at a time.
 */
public final class MetricsPage {

  private final Supplier<Metrics> making;
  private @Nullable Metrics metrics;

  /** Calls {@code making} once. */
  public MetricsPage(Supplier<Metrics> making) {
    this.making = making;
  }

  /** Every metric, as it stands now. */
  public synchronized String text() {
    if (metrics == null) {
      metrics = making.get();
    }
    return metrics.scrape();
  }
}
