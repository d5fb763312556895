package dev.sluice.governor;

import dev.sluice.time.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A flight's time with nobody aboard (DEC-28): how long it goes on, and who hears of it, for
 * whoever left it last has a bound on how many go on so. Confined to the flight's loop.
 */
final class Unattended {

  private final FlightContext context;
  private final Runnable expired;
  private Timer.@Nullable Scheduled timer;
  private @Nullable Passenger left;

  /** {@code expired} is called when it has lasted for {@code origin.finish_timeout}. */
  Unattended(FlightContext context, Runnable expired) {
    this.context = context;
    this.expired = expired;
  }

  void begin() {
    if (timer == null) {
      timer = context.loop().schedule(expired, context.finishTimeoutNanos());
    }
  }

  /** {@code passenger} was the last, and goes. */
  void leftBy(Passenger passenger) {
    left = passenger;
    passenger.loop().run(passenger::leftUnderWay);
  }

  /** Somebody is aboard again, or the flight has ended. */
  void end() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Passenger gone = left;
    if (gone != null) {
      left = null;
      gone.loop().run(gone::leftEnded);
    }
  }
}
