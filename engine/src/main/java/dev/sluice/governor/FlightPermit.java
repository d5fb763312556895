package dev.sluice.governor;

import dev.sluice.governor.admit.Admission;
import dev.sluice.governor.admit.Waiter;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.fetch.Destination;
import dev.sluice.governor.fetch.UpstreamState;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.governor.judge.Judge;
import dev.sluice.outcome.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flight's right to use the origin: asked for once, waited for in one place however many board,
 * given back once (DEC-29, DEC-30); and where it leads. Confined to the flight's loop.
 */
final class FlightPermit implements Waiter.Listener, Destination {

  /** Who is told of the grant or the shed. */
  interface Holder {
    /** The origin may be asked; the permit is held until it is given back. */
    void granted();

    /** Admission said no; {@code predictedWaitNanos} is the wait foreseen, 0 where unknown. */
    void shed(Cause cause, long predictedWaitNanos);
  }

  private final FlightContext context;
  private final Classified classified;
  private final Holder flight;
  private final Admission admission;
  private final Waiter waiter;
  private final long affinity;
  private @Nullable UpstreamState last;
  private @Nullable List<UpstreamState> asked;
  private @Nullable Elsewhere moving;

  /**
   * @param path what is asked for
   */
  FlightPermit(FlightContext context, Classified classified, String path, Holder flight) {
    this.context = context;
    this.classified = classified;
    this.flight = flight;
    this.admission = context.admissionFor(classified.permitKind());
    this.waiter = new Waiter(this, context.loop());
    this.affinity = context.upstreams().rotation().affinity(path);
  }

  /**
   * Asks; the flight may hear of it before this returns.
   *
   * @param arrival its place in the order of arrivals, or {@link Waiter#NO_ARRIVAL}
   */
  void ask(Priority tier, long arrival) {
    waiter.prepare(classified.route().id(), tier, classified.route().weight(), arrival);
    waiter.toward(affinity);
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
    moving = null;
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

  @Override
  public void granted() {
    flight.granted();
  }

  @Override
  public void shed(Cause cause, long predictedWaitNanos) {
    flight.shed(cause, predictedWaitNanos);
  }

  // Where it leads.

  @Override
  public UpstreamState first() {
    UpstreamState charged = charged();
    UpstreamState first = charged == null ? upstreams().rotation().choose(affinity) : charged;
    last = first;
    return first;
  }

  @Override
  public void elsewhere(Elsewhere taker) {
    if (waiter.upstream() == null) {
      go(taker, upstreams().rotation().choose(affinity, asked()));
    } else {
      moving = taker;
      admission.move(waiter);
    }
  }

  @Override
  public boolean isCrowded() {
    return admission.isQueueFull(waiter);
  }

  @Override
  public void moved(boolean elsewhere) {
    Elsewhere taker = moving;
    moving = null;
    if (taker != null) {
      go(taker, elsewhere ? charged() : null);
    }
  }

  private void go(Elsewhere taker, @Nullable UpstreamState next) {
    if (next == null) {
      taker.nowhere();
    } else {
      last = next;
      taker.to(next);
    }
  }

  private List<UpstreamState> asked() {
    if (asked == null) {
      asked = new ArrayList<>();
    }
    if (last != null) {
      asked.add(last);
    }
    return asked;
  }

  /** The one that admission chose; null where it chose none, or one that a reload took since. */
  private @Nullable UpstreamState charged() {
    String label = waiter.upstream();
    return label == null ? null : upstreams().find(label);
  }

  private Upstreams upstreams() {
    return context.upstreams();
  }
}
