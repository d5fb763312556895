package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.flow.KeptBody;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.VaryMatch;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Reuse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an answer that may be shared: who may board and who gets it (DEC-35), and whether
 * it is kept. One for each shared flight, confined to its loop.
 */
final class SharedLanding {

  /** A shared answer under way, for those who come late. */
  private record Underway(ResponseHead head, KeptBody body, VaryMatch match, long landedNanos) {}

  private final FlightContext context;
  private final SharedErrand errand;
  private final Flight flight;
  private boolean open;
  private long purgeNumber;
  private @Nullable Underway underway;
  private @Nullable Keeping keeping;
  private boolean stalePinned;

  SharedLanding(FlightContext context, SharedErrand errand, Flight flight) {
    this.context = context;
    this.errand = errand;
    this.flight = flight;
    this.open = errand.boards();
    this.stalePinned = errand.stale() != null;
  }

  // Boarding.

  /** Whether others may board. */
  boolean isOpen() {
    return open;
  }

  /** The origin is about to be asked: a purge from now on means the answer, too (DEC-39). */
  void departed() {
    purgeNumber = context.cache().purgeNumber();
  }

  /** A passenger of an answer that has landed: from its first byte, if that is still there. */
  void boardedLate(Passenger passenger) {
    Underway now = underway;
    if (now == null || !now.body().isBoardable()) {
      flight.aboard().remove(passenger);
      Passengers.tell(passenger, Landing.Again.INSTANCE);
    } else {
      share(passenger, now, false);
    }
  }

  /** Its wait is over; it is off the flight already. */
  void overdue(Passenger passenger, Cause cause) {
    Passengers.tell(passenger, insteadOf(new Landing.Shed(cause, 0)));
  }

  /** Nobody boards any more. */
  void close() {
    closeBoarding();
    underway = null;
    if (stalePinned && errand.stale() != null) {
      stalePinned = false;
      errand.stale().body().unpin();
    }
  }

  private void closeBoarding() {
    if (open) {
      open = false;
      context.flights().close(errand.key(), flight);
    }
  }

  // Landing.

  /** The origin's head came. */
  void landed(ResponseHead head, Body body) {
    StoredResponse stale = errand.stale();
    if (stale != null && head.status() == 304) {
      confirmed(stale, head);
      return;
    }
    boolean failed = head.status() >= 500;
    if (failed && standIn() != null) {
      refreshFailed();
      landAllOn(standIn(), Reuse.STALE);
      body.desert(context.discardMax(), flight::discardSpent);
      return;
    }
    Sharing sharing = errand.judge(head, context.epochMillis());
    if (sharing instanceof Sharing.Alone alone) {
      if (failed) {
        serverError(head, body, alone.reason());
      } else {
        barrier(head, body, alone.reason());
      }
      return;
    }
    share(head, body, sharing);
  }

  /** A 304: the stored answer holds, with the fields and the lifetime that came (RFC 9111 4.3.4). */
  private void confirmed(StoredResponse stale, ResponseHead head) {
    StoredResponse updated = context.keeper().freshen(errand, stale, head, purgeNumber);
    landAllOn(updated == null ? stale : updated, Reuse.REVALIDATED);
    closeBoarding();
  }

  /** A failure of the origin's: the lead gets it, the others its status; none goes alone. */
  private void serverError(ResponseHead head, Body body, BypassReason reason) {
    refreshFailed();
    closeBoarding();
    for (Passenger passenger : others()) {
      flight.aboard().remove(passenger);
      Passengers.tell(passenger, new Landing.ServerError(head.status()));
    }
    flight.relay(head, body, Reuse.MISS, reason);
  }

  /** It is the lead's alone: the others go on in their order of arrival (BEY-04). */
  private void barrier(ResponseHead head, Body body, BypassReason reason) {
    refreshFailed();
    closeBoarding();
    context.unshareable(errand, reason);
    for (Passenger passenger : others()) {
      flight.aboard().remove(passenger);
      Passengers.tell(passenger, new Landing.Released(reason));
    }
    flight.relay(head, body, Reuse.MISS, reason);
  }

  private void share(ResponseHead head, Body body, Sharing sharing) {
    VaryMatch match = context.varied(errand, head);
    if (match instanceof VaryMatch.Never never) {
      barrier(head, body, never.reason());
      return;
    }
    long bodyMax = context.keptMax(errand.classified().route());
    if (head.framing() instanceof Framing.Length length && length.bytes() > bodyMax) {
      barrier(head, body, BypassReason.OVERSIZE);
      return;
    }
    if (sharing instanceof Sharing.Kept kept) {
      keeping = new Keeping(head, kept, match, context.received());
      if (!kept.aboard()) {
        release(BypassReason.NO_FRESHNESS);
      }
    } else {
      context.shareable(errand);
    }
    KeptBody body1 = flight.keep(body, bodyMax, head);
    var now = new Underway(head, body1, match, context.now());
    underway = now;
    Passenger lead = flight.aboard().lead();
    for (Passenger passenger : flight.aboard().all()) {
      share(passenger, now, passenger == lead);
    }
    body1.begin();
  }

  private void release(BypassReason reason) {
    closeBoarding();
    for (Passenger passenger : others()) {
      flight.aboard().remove(passenger);
      Passengers.tell(passenger, new Landing.Released(reason));
    }
  }

  private void share(Passenger passenger, Underway now, boolean asked) {
    if (!now.match().fits(passenger.request())) {
      flight.aboard().remove(passenger);
      Passengers.tell(passenger, Landing.Again.INSTANCE);
      return;
    }
    Reuse how = asked ? Reuse.MISS : Reuse.COLLAPSED;
    Passengers.tell(
        passenger,
        new Landing.Answered(
            now.head(),
            now.body().follower(passenger.loop()),
            how,
            null,
            context.ageMillis(now.head(), now.landedNanos())));
  }

  private List<Passenger> others() {
    List<Passenger> all = flight.aboard().all();
    return all.isEmpty() ? all : all.subList(1, all.size());
  }

  // Without an answer.

  /** Shed, or the origin was silent: a stored answer stands in where it may. */
  void landWithoutAnswer(Landing landing) {
    refreshFailed();
    for (Passenger passenger : flight.aboard().disembarkAll()) {
      Passengers.tell(passenger, insteadOf(landing));
    }
    close();
  }

  private Landing insteadOf(Landing landing) {
    StoredResponse stale = standIn();
    return stale != null && stale.body().tryPin()
        ? new Landing.Stored(stale, Reuse.STALE)
        : landing;
  }

  /** The stored answer that may stand in for an error or a shed, or null. */
  private @Nullable StoredResponse standIn() {
    StoredResponse stale = errand.stale();
    if (stale == null || !stalePinned) {
      return null;
    }
    return switch (stale.standing(context.ageMillis(stale))) {
      case FRESH, REVALIDATE, IF_ERROR -> stale;
      case EXPIRED -> null;
    };
  }

  private void landAllOn(@Nullable StoredResponse entry, Reuse how) {
    for (Passenger passenger : flight.aboard().disembarkAll()) {
      boolean pinned = entry != null && entry.body().tryPin();
      Passengers.tell(
          passenger,
          pinned && entry != null ? new Landing.Stored(entry, how) : Landing.Again.INSTANCE);
    }
    closeBoarding();
  }

  private void refreshFailed() {
    if (errand.stale() != null) {
      context.refreshFailed(errand.stale());
    }
  }

  // The end of the bytes.

  /** Nobody new, and nothing is kept. */
  void slid(BypassReason why) {
    closeBoarding();
    keeping = null;
    context.notKept(errand, why);
  }

  /** The origin's end: what is whole and may be kept is, before the flight is out of the table. */
  void ended(Cause cause) {
    Keeping whole = keeping;
    Underway body = underway;
    if (whole != null && body != null && cause == Cause.COMPLETE) {
      context.keeper().keep(errand, whole, body.body(), purgeNumber);
    }
    keeping = null;
  }

  static boolean isBodiless(ResponseHead head) {
    return head.framing() instanceof Framing.None
        || head.framing() instanceof Framing.Length length && length.bytes() == 0;
  }
}
