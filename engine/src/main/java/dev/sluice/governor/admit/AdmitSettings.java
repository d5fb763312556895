package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import java.time.Duration;
import java.util.Map;

/**
 * {@code origin.concurrency}, {@code origin.priorities} and {@code origin.reservations}. Immutable.
 *
 * @param max units in flight at the origin, per process
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

  private int share(int percent) {
    return (int) ((long) max * percent / 100);
  }
}
