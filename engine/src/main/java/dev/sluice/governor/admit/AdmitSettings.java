package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code origin.concurrency}, {@code origin.priorities} and {@code origin.reservations}. Immutable.
 *
 * @param max units in flight at the origin, per process
 * @param perUpstream units in flight at one upstream, 0 = no scope of its own (BEY-23)
 * @param staticMax the ceiling of class {@code static}, as resolved from {@code auto} (DEC-33)
 * @param streamingMax the ceiling of class {@code streaming}
 * @param upgradeMax the ceiling of WebSockets, as open connections (PRX-16)
 * @param queueMax waiting flights, as resolved from {@code auto}
 * @param predict whether a wait that is bound to fail is refused at arrival (DEC-42)
 * @param priorities each tier's share of {@code max} in percent, only those that are set (ADM-19)
 * @param reservations each tier's guaranteed share in percent, only those that are set (BEY-14)
 */
public record AdmitSettings(
    int max,
    int perUpstream,
    int staticMax,
    int streamingMax,
    int upgradeMax,
    int queueMax,
    Duration queueTimeout,
    boolean predict,
    Map<Priority, Integer> priorities,
    Map<Priority, Integer> reservations) {

  public AdmitSettings {
    priorities = Map.copyOf(priorities);
    reservations = Map.copyOf(reservations);
  }

  /** The units that {@code tier} may use at most: its share rounded down, or everything. */
  public int tierMax(Priority tier) {
    return share(priorities.getOrDefault(tier, 100));
  }

  /** The units that are kept free for {@code tier} (m_t in DEC-30). */
  public int reserved(Priority tier) {
    return share(reservations.getOrDefault(tier, 0));
  }

  /**
   * The same with the ceiling that is in force while {@code usable} of {@code configured} upstreams
   * are in use and have no ceilings of their own: in proportion, and never below the smallest that
   * could still grant each of {@code routes} (DEC-30).
   */
  AdmitSettings inForce(int usable, int configured, List<Route> routes) {
    if (perUpstream > 0 || usable >= configured) {
      return this;
    }
    int smaller = share(max, usable, configured);
    AdmitSettings scaled = withMax(smaller);
    while (smaller < max && !scaled.canGrant(routes)) {
      smaller++;
      scaled = withMax(smaller);
    }
    return scaled;
  }

  /** What {@code usable} of {@code configured} upstreams may have of {@code whole}, at least 1. */
  static int share(int whole, int usable, int configured) {
    return Math.max(1, (int) ((long) whole * usable / configured));
  }

  private boolean canGrant(List<Route> routes) {
    for (Route route : routes) {
      int others = 0;
      for (Priority tier : Priority.values()) {
        others += tier == route.priority() ? 0 : reserved(tier);
      }
      if (route.weight() > tierMax(route.priority()) || route.weight() > max - others) {
        return false;
      }
    }
    return true;
  }

  private AdmitSettings withMax(int units) {
    return new AdmitSettings(
        units,
        perUpstream,
        staticMax,
        streamingMax,
        upgradeMax,
        queueMax,
        queueTimeout,
        predict,
        priorities,
        reservations);
  }

  private int share(int percent) {
    return (int) ((long) max * percent / 100);
  }
}
