package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.governor.admit.AdmissionBenchmark;
import dev.sluice.governor.admit.SharedAdmissionBenchmark;
import dev.sluice.reports.Gate;
import org.junit.jupiter.api.Test;

/** What the drain costs, beside the same schedule behind a lock (DEC-48). */
class AdmissionCostGate {

  private static final String COST = "a permit, taken and given back";

  private static final double LOCKS_MAX = 10;

  /** DEC-48's yardstick is the same schedule behind a lock; a lock alone is another on each CPU. */
  private static final double LOCKED_MAX = 1.5;

  /** What the choice among three upstreams with ceilings may add (BEY-23). */
  private static final double UPSTREAMS_MAX = 1.3;

  /** The profiler counts what the whole JVM allocates, so that nothing reads as next to nothing. */
  private static final double NO_BYTES = 0.5;

  @Test
  void grantAndReturn_uncontended_costsAtMostTenLocksAndNoByte() {
    Gate.claim(
            "admission-cost",
            "A permit, taken and given back, costs at most ten uncontended locks, 1.5 times the same"
                + " behind one, and no byte.",
            RepoRoot.path())
        .given("threads", 1)
        .given("waiting", 0)
        .judge(
            gate -> {
              Jmh jmh = Jmh.run(AdmissionBenchmark.class);
              double lock = jmh.nanos(jmh.of("lockAlone"));
              double drain = jmh.nanos(jmh.of("drain"));
              double locked = jmh.nanos(jmh.of("locked"));
              gate.control("lock_and_unlock_nanos", lock);
              gate.control("schedule_behind_a_lock_nanos", locked);
              gate.control(
                  "with_a_new_waiter_bytes", jmh.bytes(jmh.of("drainWithNewWaiter")), above(16));
              gate.measured("grant_and_return_nanos", drain, atMost(LOCKED_MAX * locked));
              gate.measured(
                  "grant_and_return_locks",
                  jmh.times(jmh.of("drain"), jmh.of("lockAlone")),
                  atMost(LOCKS_MAX));
              gate.measured("grant_and_return_bytes", jmh.bytes(jmh.of("drain")), below(NO_BYTES));
              gate.bar(COST, "ns", "admission", drain);
              gate.controlBar(COST, "ns", "a lock alone", lock);
              gate.controlBar(COST, "ns", "the same behind a lock", locked);
              var upstreams = jmh.of("drainWithUpstreams");
              gate.measured(
                  "with_upstreams_nanos", jmh.nanos(upstreams), atMost(UPSTREAMS_MAX * drain));
              gate.measured("with_upstreams_bytes", jmh.bytes(upstreams), below(NO_BYTES));
            });
  }

  @Test
  void twoLoops_onBothDesigns_areReported() {
    Gate.claim(
            "admission-two-loops",
            "Two loops at one admission: the drain, and as control the same schedule behind a lock.",
            RepoRoot.path())
        .given("threads", 2)
        .given("roomy", "64 permits, nobody waits")
        .given("crowded", "8 permits for 32 flights that enter, leave and give back")
        .judge(
            gate -> {
              Jmh jmh = Jmh.runBriefly(SharedAdmissionBenchmark.class);
              var granted = jmh.of("grantAndReturn", "drain");
              gate.measured("roomy_grant_and_return_nanos", jmh.nanos(granted));
              var grantedBehindLock = jmh.of("grantAndReturn", "lock");
              gate.control("roomy_grant_and_return_nanos", jmh.nanos(grantedBehindLock));
              for (double percent : new double[] {50, 90, 99, 99.9}) {
                String key = "crowded_turn_p%.1f_nanos".formatted(percent);
                gate.measured(key, jmh.nanos(jmh.of("mixedTurn", "drain"), percent));
                gate.control(key, jmh.nanos(jmh.of("mixedTurn", "lock"), percent));
              }
            });
  }
}
