package dev.sluice.governor.admit;

import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The two ways to serialize one {@link Schedule} that the benchmarks compare. */
interface AdmissionDesign {

  /** The route that every waiter of the benchmarks is of. */
  String ROUTE = "route";

  void enter(Waiter waiter);

  void leave(Waiter waiter);

  void giveBack(Waiter waiter);

  /** {@code drain}, which ships, or {@code lock}; with so many permits and places to wait. */
  static AdmissionDesign of(String name, int permits, int places) {
    return of(name, permits, 0, places);
  }

  /** The drain with three upstreams that have a ceiling each (BEY-23). */
  static AdmissionDesign ofUpstreams(int permits, int places) {
    return of("drain", permits, permits, places);
  }

  private static AdmissionDesign of(String name, int permits, int perUpstream, int places) {
    var settings =
        new AdmitSettings(
            permits,
            perUpstream,
            permits,
            permits,
            permits,
            places,
            Duration.ofSeconds(2),
            false,
            Map.of(),
            Map.of());
    var routes =
        List.of(
            new Route(
                ROUTE,
                "/**",
                RouteClass.PRIVATE_DYNAMIC,
                Priority.NORMAL,
                1,
                OnClientAbort.FINISH,
                RouteLimits.NONE));
    return switch (name) {
      case "drain" -> drained(chosen(new Admission(settings, routes, Ticker.system())));
      case "lock" -> new LockedAdmission(Limits.of(settings, routes), Ticker.system());
      default -> throw new IllegalArgumentException("design: " + name + " (expected: drain, lock)");
    };
  }

  private static Admission chosen(Admission admission) {
    admission.choose(InTurn::new);
    return admission;
  }

  /** Three upstreams in turn, as long as they have room. */
  final class InTurn implements UpstreamChoice {
    private int turn;

    @Override
    public List<String> inUse() {
      return List.of("a", "b", "c");
    }

    @Override
    public int configured() {
      return inUse().size();
    }

    @Override
    public int choose(long affinity, Charges charges) {
      turn = (turn + 1) % 3;
      return charges.hasRoom(turn) ? turn : NONE;
    }
  }

  private static AdmissionDesign drained(Admission admission) {
    return new AdmissionDesign() {
      @Override
      public void enter(Waiter waiter) {
        admission.enter(waiter);
      }

      @Override
      public void leave(Waiter waiter) {
        admission.leave(waiter);
      }

      @Override
      public void giveBack(Waiter waiter) {
        admission.giveBack(waiter);
      }
    };
  }
}
