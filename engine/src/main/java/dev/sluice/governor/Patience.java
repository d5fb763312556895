package dev.sluice.governor;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Timer;
import org.jspecify.annotations.Nullable;

/**
 * How long the passengers of a shared flight wait, each from its own boarding: for the grant as
 * long as its route queues, for the head as DEC-35 allows. They board in order and wait equally
 * long, so one timer serves all. Confined to the flight's loop.
 */
final class Patience {

  /** The flight that they wait for. */
  interface Flying {

    /** Whether it waits for its grant. */
    boolean isQueued();

    /** The passenger has waited long enough; it is to be told, and to leave. */
    void overdue(Passenger passenger, Cause cause);
  }

  private final FlightContext context;
  private final Classified classified;
  private final Passengers aboard;
  private final Flying flight;
  private Timer.@Nullable Scheduled timer;
  private boolean over;

  Patience(FlightContext context, Classified classified, Passengers aboard, Flying flight) {
    this.context = context;
    this.classified = classified;
    this.aboard = aboard;
    this.flight = flight;
  }

  /** Somebody waits. */
  void watch() {
    Passenger first = aboard.lead();
    if (timer == null && first != null && !over) {
      long waited = context.now() - first.boardedNanos();
      timer = context.loop().schedule(this::due, mostNanos() - waited);
    }
  }

  /** The head came, or never will. */
  void stop() {
    over = true;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void due() {
    timer = null;
    long now = context.now();
    long most = mostNanos();
    Cause cause = flight.isQueued() ? Cause.QUEUE_DEADLINE : Cause.BOARDING_DEADLINE;
    for (Passenger passenger : aboard.all()) {
      if (now - passenger.boardedNanos() < most) {
        break;
      }
      flight.overdue(passenger, cause);
    }
    watch();
  }

  private long mostNanos() {
    long queued =
        context.admissionFor(classified.permitKind()).timeoutNanos(classified.route().id());
    return flight.isQueued() ? queued : context.boardingMaxNanos(queued);
  }
}
