package dev.sluice.governor;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.admit.ClassLimit;
import dev.sluice.governor.admit.UpstreamChoice;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
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
        Admission.forClass(statics(admit), routes, ticker),
        Admission.forClass(streams(admit), routes, ticker),
        Admission.forClass(upgrades(admit), routes, ticker));
  }

  /** New limits for who waits now and who comes; what is granted stays. */
  public void reload(AdmitSettings admit, List<Route> routes) {
    renders.reload(admit, routes);
    statics.reloadClass(statics(admit), routes);
    streams.reloadClass(streams(admit), routes);
    upgrades.reloadClass(upgrades(admit), routes);
  }

  static ClassLimit statics(AdmitSettings admit) {
    return new ClassLimit(admit.staticMax(), admit.staticMax(), STATIC_WAIT, RouteClass.STATIC);
  }

  static ClassLimit streams(AdmitSettings admit) {
    return new ClassLimit(admit.streamingMax(), 0, Duration.ZERO, RouteClass.STREAMING);
  }

  /** DEC-41: sockets, whatever the route says of its other requests. */
  static ClassLimit upgrades(AdmitSettings admit) {
    return new ClassLimit(admit.upgradeMax(), 0, Duration.ZERO, null);
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
