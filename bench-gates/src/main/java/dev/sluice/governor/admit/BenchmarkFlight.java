package dev.sluice.governor.admit;

import dev.sluice.bench.journey.BenchmarkLoop;
import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;

/** A flight that comes and goes, and what its waiter was told. Confined to its loop. */
final class BenchmarkFlight implements Waiter.Listener {

  boolean entered;
  boolean holding;
  private final BenchmarkLoop loop;
  private Waiter waiter;
  private int grants;

  BenchmarkFlight(BenchmarkLoop loop) {
    this.loop = loop;
    this.waiter = new Waiter(this, loop);
  }

  /**
   * With a waiter of its own, as each real flight has: the last one's wishes may still be queued.
   */
  void enterAnew(AdmissionDesign admission) {
    waiter = new Waiter(this, loop);
    enter(admission);
  }

  void enter(AdmissionDesign admission) {
    entered = true;
    waiter.prepare(AdmissionDesign.ROUTE, Priority.NORMAL, 1);
    admission.enter(waiter);
  }

  void giveBack(AdmissionDesign admission) {
    entered = false;
    holding = false;
    admission.giveBack(waiter);
  }

  void leave(AdmissionDesign admission) {
    entered = false;
    admission.leave(waiter);
  }

  int grants() {
    return grants;
  }

  @Override
  public void granted() {
    holding = true;
    grants++;
  }

  @Override
  public void shed(Cause cause, long predictedWaitNanos) {
    throw new IllegalStateException("shed: " + cause + " (expected: a grant)");
  }
}
