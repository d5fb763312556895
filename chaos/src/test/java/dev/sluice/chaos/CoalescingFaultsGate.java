package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Faults while a crowd shares one flight: on the origin's side they befall all alike and nothing
 * broken is kept, on the clients' side only those who have them (K02, C03, DEC-26).
 */
class CoalescingFaultsGate {

  private static final int CROWD = 12;
  private static final int PAGE = 60_000;
  private static final long RECOVERY_MILLIS_MAX = 3_000;
  private static final List<Fault> STRIKING =
      List.of(Fault.BANDWIDTH, Fault.TIMEOUT, Fault.RESET_PEER, Fault.LIMIT_DATA);

  /** The page begins late enough for a crowd to board and streams long enough to be struck. */
  private static final String SHARED =
      "?ms=400&bytes=" + PAGE + "&chunks=6&every=30&h=Cache-Control:max-age%3D60";

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 500ms
        concurrency: { max: 40 }
      cache: { enabled: true }
      routes:
        - { id: shared, match: "/shared/**", class: public_ssr }
        - id: apart
          match: "/apart/**"
          class: public_ssr
          coalesce: { enabled: false }
          cache: { enabled: false }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void faultsAtTheOrigin_befallAllAboardAlike() {
    ChaosStack.claim(
            "coalescing-origin",
            "A fault at the origin befalls all aboard alike, and nothing broken is kept.")
        .given("crowd", CROWD)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                stack.origin().reset();
                stack.crowd(CROWD, "/apart/control" + SHARED);
                gate.control("renders_apart", renders(stack, "/apart"), exactly(CROWD));
                for (Fault fault : Fault.values()) {
                  atTheOrigin(gate, stack, fault);
                }
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void atTheOrigin(Gate gate, ChaosStack stack, Fault fault) {
    String name = fault.name().toLowerCase(Locale.ROOT);
    String path = "/shared/" + name;
    stack.bare().strike(fault, ToxicDirection.DOWNSTREAM);
    var bare = Sight.of(ChaosStack.crowd(stack.bare().port(), 1, path + SHARED), path, PAGE);
    gate.control(name + "_bare", bare.getOrDefault(Sight.WHOLE, 0L), whole(fault, 1));
    stack.bare().heal();

    stack.origin().reset();
    stack.back().strike(fault, ToxicDirection.DOWNSTREAM);
    Map<Sight, Long> seen = Sight.of(stack.crowd(CROWD, path + SHARED), path, PAGE);
    stack.back().heal();
    gate.measured(name + "_seen", seen);
    gate.measured(name + "_whole", seen.getOrDefault(Sight.WHOLE, 0L), whole(fault, CROWD));
    gate.measured(name + "_kinds_of_sight", seen.size(), exactly(1));
    gate.measured(name + "_lies", lies(seen), exactly(0));
    // A connection that had served before and died without a byte is worth one more attempt.
    long renders = renders(stack, path);
    gate.measured(name + "_renders", renders, between(1, fault.isHarmless() ? 1 : 2));
    long recovery = stack.recoveryMillis("/shared/after-" + name);
    gate.measured(name + "_recovery_millis", recovery, atMost(RECOVERY_MILLIS_MAX));
    // What was cut short must not be found again, what was whole must.
    CrowdResult again = stack.crowd(1, path + SHARED);
    Sight next = Sight.of(again.visits().get(0), path, PAGE);
    gate.measured(name + "_next", next, equalTo(Sight.WHOLE));
    gate.measured(
        name + "_renders_for_the_next",
        renders(stack, path) - renders,
        exactly(fault.isHarmless() ? 0 : 1));
  }

  @Test
  void faultsAtSomeClients_areNobodyElses() {
    ChaosStack.claim(
            "coalescing-clients", "A fault at some of those aboard costs the others nothing.")
        .given("crowd", CROWD)
        .given("with_the_fault", CROWD)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                for (Fault fault : STRIKING) {
                  atSomeClients(gate, stack, fault);
                }
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void atSomeClients(Gate gate, ChaosStack stack, Fault fault) {
    String name = fault.name().toLowerCase(Locale.ROOT);
    String path = "/shared/clients-" + name;
    stack.origin().reset();
    stack.front().strike(fault, ToxicDirection.DOWNSTREAM);
    CompletableFuture<CrowdResult> struck =
        ChaosStack.crowdBeside(stack.front().port(), CROWD, path + SHARED);
    CrowdResult well = stack.crowd(CROWD, path + SHARED);
    Map<Sight, Long> seen = Sight.of(struck.join(), path, PAGE);
    stack.front().heal();
    gate.control(name + "_struck_seen", seen);
    gate.control(name + "_struck_whole", seen.getOrDefault(Sight.WHOLE, 0L), whole(fault, CROWD));
    gate.control(
        name + "_struck_millis",
        struck.join().wall().toMillis(),
        atLeast(fault.isHarmless() ? 550 + fault.millis() : 0));
    gate.measured(name + "_lies", lies(seen), exactly(0));
    gate.measured(
        name + "_well_whole",
        Sight.of(well, path, PAGE).getOrDefault(Sight.WHOLE, 0L),
        exactly(CROWD));
    gate.measured(name + "_well_millis", well.wall().toMillis(), atMost(2_000));
    gate.measured(name + "_renders", renders(stack, path), exactly(1));
  }

  private static Bound whole(Fault fault, int count) {
    return exactly(fault.isHarmless() ? count : 0);
  }

  private static long lies(Map<Sight, Long> seen) {
    return seen.getOrDefault(Sight.WRONG, 0L) + seen.getOrDefault(Sight.HUNG, 0L);
  }

  private static long renders(ChaosStack stack, String path) {
    return stack.origin().stats().requestsUnder(path);
  }
}
