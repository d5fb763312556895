package dev.sluice.governor;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.judge.Judge;
import dev.sluice.outcome.Cause;

/**
 * A flight's right to use the origin: asked for once, waited for in one place however many board,
 * given back once (DEC-29, DEC-30). Confined to the flight's loop.
 */
final class FlightPermit {

  private final FlightContext context;
  private final Classified classified;
  private final Admission admission;
  private final Waiter waiter;

  FlightPermit(FlightContext context, Classified classified, Waiter.Listener flight) {
    this.context = context;
    this.classified = classified;
    this.admission = context.admissionFor(classified.permitKind());
    this.waiter = new Waiter(flight, context.loop());
  }

  /**
   * Asks; the flight may hear of it before this returns.
   *
   * @param arrival its place in the order of arrivals, or {@link Waiter#NO_ARRIVAL}
   */
  void ask(Priority tier, long arrival) {
    waiter.prepare(classified.route().id(), tier, classified.route().weight(), arrival);
    admission.enter(waiter);
  }

  /** Asks for one that is free at once, and takes no place in the queue (DEC-40). */
  void askInPassing(Priority tier) {
    waiter.impatient();
    ask(tier, Waiter.NO_ARRIVAL);
  }

  /** One more waits in its place: the highest tier and the latest deadline aboard count. */
  void waitsFor(Passenger passenger) {
    admission.extend(waiter);
    admission.raise(waiter, passenger.priority());
  }

  /** It is not wanted any more; nothing is heard of it after this. */
  void leave() {
    admission.leave(waiter);
  }

  /**
   * Gives it back, at once or, where the origin may render on behind {@code end}, after a while.
   */
  void giveBack(Cause end) {
    String route = classified.route().id();
    // Behind a tunnel nothing is rendered on.
    boolean tunnel = classified.permitKind() == PermitKind.UPGRADE;
    long hold = !tunnel && Judge.mayRenderOn(end) ? context.holdNanos(route) : 0;
    if (hold == 0) {
      admission.giveBack(waiter);
      return;
    }
    context.abandoned(route);
    context.loop().schedule(() -> admission.giveBack(waiter), hold);
  }
}
