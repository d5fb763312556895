package dev.sluice.governor;

import dev.sluice.governor.reuse.cache.PurgeSelector;
import dev.sluice.governor.reuse.cache.ResponseCache;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts an end to answers that are out of date: stored ones go, or lose their freshness, and those
 * under way serve who waits for them already and nobody else (DEC-39). Thread-safe.
 */
public final class Purger {

  private final GovernorContext governor;

  public Purger(GovernorContext governor) {
    this.governor = governor;
  }

  /**
   * What a purge touched.
   *
   * @param entries stored answers
   * @param flights answers under way that take nobody aboard any more
   * @param number the purge's place in the order of all of this process
   */
  public record Purged(int entries, int flights, long number) {}

  /** Every answer that carries this tag (CCH-20); {@code soft}: it stays, as a stale one. */
  public Purged tag(String tag, boolean soft) {
    return purge(new PurgeSelector.Tag(tag), soft);
  }

  /** The answers to exactly this path, in all their variants (CCH-21 to CCH-23). */
  public Purged path(String path, boolean soft) {
    return purge(new PurgeSelector.Path(path), soft);
  }

  /** The answers to all paths that begin so. */
  public Purged prefix(String prefix, boolean soft) {
    return purge(new PurgeSelector.Prefix(prefix), soft);
  }

  /** Every answer (CCH-30). */
  public Purged everything() {
    return purge(new PurgeSelector.All(), false);
  }

  private Purged purge(PurgeSelector selector, boolean soft) {
    // First the log: what departs from here on asks for the new state, and is not in the way.
    ResponseCache.Purged stored = governor.cache().purge(selector, soft);
    return new Purged(stored.entries(), closeFlights(selector), stored.number());
  }

  /** Looks at each open flight; admission bounds how many there are. */
  private int closeFlights(PurgeSelector selector) {
    List<Flight> meant = new ArrayList<>();
    governor
        .flights()
        .each(
            (key, flight) -> {
              if (flight.isMeantBy(selector)) {
                governor.flights().close(key, flight);
                meant.add(flight);
              }
            });
    meant.forEach(Flight::closeBoarding);
    return meant.size();
  }
}
