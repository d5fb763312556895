package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Gate;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An origin whose process is killed or frozen with pages under way (ORG-24, DEC-29). */
class OriginProcessGate {

  private static final int PAGE = 60_000;
  private static final int CROWD = 8;
  private static final int RESTARTS = 3;
  private static final long RESPONSE_MILLIS = 1_000;
  private static final String STREAMED = "?bytes=" + PAGE + "&chunks=6&every=300";

  @Test
  void killedOrigin_cutsWhatStreams_andIsUsedAgainWhenItIsBack() {
    ChaosStack.claim(
            "origin-killed",
            "A killed origin costs what was under way, nothing else, until it is back.")
        .given("crowd", CROWD)
        .given("deaths", RESTARTS)
        .judge(
            gate -> {
              try (var stack = OriginAlone.open(1_000, RESPONSE_MILLIS)) {
                stack.stored();
                var streaming = stack.beginCrowd(CROWD, STREAMED);
                stack.origin().process().kill();
                gate.control("refused", stack.direct("/control"), equalTo(Sight.NOTHING));
                Map<Sight, Long> seen = Sight.of(streaming.join());
                gate.measured("streams_seen", seen);
                gate.measured("streams_cut", seen.getOrDefault(Sight.CUT, 0L), exactly(CROWD));

                CrowdResult down = stack.crowd(CROWD, "/down?bytes=" + PAGE);
                gate.measured("answered_502", Sight.count(down, Sight.BAD_GATEWAY), exactly(CROWD));
                gate.measured("slowest_502_millis", down.wall().toMillis(), atMost(1_000));
                gate.measured("stored_page", stack.storedSight(), equalTo(Sight.WHOLE));

                stack.restartOrigin();
                gate.measured("recovery_millis", stack.recoveryMillis(), atMost(2_000));
                for (int i = 2; i <= RESTARTS; i++) {
                  again(gate, stack, "_" + i);
                }
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void again(Gate gate, OriginAlone stack, String turn) {
    var streaming = stack.beginCrowd(CROWD, STREAMED);
    stack.origin().process().kill();
    Map<Sight, Long> seen = Sight.of(streaming.join());
    gate.measured("streams_cut" + turn, seen.getOrDefault(Sight.CUT, 0L), exactly(CROWD));
    stack.restartOrigin();
    gate.measured("recovery_millis" + turn, stack.recoveryMillis(), atMost(2_000));
  }

  @Test
  void frozenOrigin_isWaitedForNoLongerThanSaid_andUsedAgainWhenItMoves() {
    ChaosStack.claim(
            "origin-frozen",
            "A frozen origin is waited for as long as the timeouts say; nothing is held for it.")
        .given("crowd", CROWD)
        .given("origin_response_millis", RESPONSE_MILLIS)
        .judge(
            gate -> {
              try (var stack = OriginAlone.open(1_000, RESPONSE_MILLIS)) {
                stack.stored();
                var streaming = stack.beginCrowd(CROWD, STREAMED);
                stack.origin().process().signal("STOP");
                try {
                  frozen(gate, stack, streaming.join());
                } finally {
                  stack.origin().process().signal("CONT");
                }
                gate.measured("recovery_millis", stack.recoveryMillis(), atMost(2_000));
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void frozen(Gate gate, OriginAlone stack, CrowdResult streaming) {
    Map<Sight, Long> seen = Sight.of(streaming);
    gate.measured("streams_seen", seen);
    gate.measured("streams_cut", seen.getOrDefault(Sight.CUT, 0L), exactly(CROWD));
    gate.measured("streams_cut_after_millis", streaming.wall().toMillis(), atMost(4_000));

    CrowdResult waiting = stack.crowd(CROWD, "/down?bytes=" + PAGE);
    gate.measured("answered_504", Sight.count(waiting, Sight.GATEWAY_TIMEOUT), exactly(CROWD));
    gate.measured("slowest_504_millis", waiting.wall().toMillis(), between(RESPONSE_MILLIS, 2_500));
    gate.measured("stored_page", stack.storedSight(), equalTo(Sight.WHOLE));
    gate.control("direct", stack.direct("/control"), equalTo(Sight.HUNG));
    gate.measured("permits_while_frozen", stack.awaitNoPermit(), exactly(0));
    gate.measured("its_process_is_alive", stack.origin().process().isAlive(), equalTo(true));
  }
}
