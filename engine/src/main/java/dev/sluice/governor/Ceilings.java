package dev.sluice.governor;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.admit.ClassLimit;
import dev.sluice.governor.admit.UpstreamChoice;
import dev.sluice.governor.classify.Route;
import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The ceilings of the kinds of permits; they outlive generations (DEC-36). Thread-safe.
 *
 * @param renders the origin's work, the one with tiers, routes and a queue
 * @param statics class static's (DEC-33)
 * @param streams class streaming's
 * @param upgrades the WebSockets'
 */
public record Ceilings(
    Admission renders, Admission statics, Admission streams, Admission upgrades) {

  /** DEC-33: a static asset beyond the ceiling waits this long at most. */
  private static final Duration STATIC_WAIT = Duration.ofSeconds(1);

  public static Ceilings of(AdmitSettings admit, List<Route> routes, Ticker ticker) {
    return new Ceilings(
        new Admission(admit, routes, ticker),
        Admission.forClass(statics(admit, routes), ticker),
        Admission.forClass(atOnce(admit.streamingMax(), routes), ticker),
        Admission.forClass(atOnce(admit.upgradeMax(), routes), ticker));
  }

  /** New limits for who waits now and who comes; what is granted stays. */
  public void reload(AdmitSettings admit, List<Route> routes) {
    renders.reload(admit, routes);
    statics.reloadClass(statics(admit, routes));
    streams.reloadClass(atOnce(admit.streamingMax(), routes));
    upgrades.reloadClass(atOnce(admit.upgradeMax(), routes));
  }

  private static ClassLimit statics(AdmitSettings admit, List<Route> routes) {
    return ClassLimit.of(admit.staticMax(), routes, admit.staticMax(), STATIC_WAIT);
  }

  private static ClassLimit atOnce(int max, List<Route> routes) {
    return ClassLimit.of(max, routes, 0, Duration.ZERO);
  }

  /**
   * Other upstreams are in use, those that {@code newest} tells: work in flight follows them
   * (BEY-23). WebSockets do not: they are connections that are open, and no work.
   */
  void choose(Supplier<UpstreamChoice> newest) {
    renders.choose(newest);
    statics.choose(newest);
    streams.choose(newest);
  }

  /** Units of all kinds that are in flight. */
  public int inFlight() {
    return inFlight(renders) + inFlight(statics) + inFlight(streams) + inFlight(upgrades);
  }

  private static int inFlight(Admission admission) {
    return admission.snapshot().global().inFlight();
  }
}
