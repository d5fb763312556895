package dev.sluice.governor;

import dev.sluice.flow.KeptBody;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.PurgeSelector;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Standing;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Reuse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an answer that may be shared: who may board and who gets it (DEC-35), and whether
 * it is kept. One for each shared flight, confined to its loop.
 */
final class SharedLanding implements Patience.Flying {

  /** A shared answer under way, for those who come late. */
  private record Underway(
      ResponseHead head,
      KeptBody body,
      VaryMatch match,
      @Nullable BypassReason notKept,
      long initialAgeMillis,
      long sinceNanos) {}

  private final FlightContext context;
  private final ReuseStep reuse;
  private final SharedErrand errand;
  private final Flight flight;
  private final StaleAnswer stale;
  private final Patience patience;
  private boolean open;
  private boolean over;
  private boolean led;
  private boolean renewed;
  private long purgeNumber;

  /** The head's, once it has come: for purges, which come on other threads. */
  private volatile @Nullable List<String> tags;

  private @Nullable Underway underway;
  private @Nullable Keeping keeping;

  SharedLanding(FlightContext context, SharedErrand errand, Flight flight, StaleAnswer stale) {
    this.context = context;
    this.reuse = context.reuse();
    this.errand = errand;
    this.flight = flight;
    this.stale = stale;
    this.patience = new Patience(context, errand.classified(), flight.aboard(), this);
    this.open = errand.boards();
  }

  // Boarding.

  /** Whether one more may board: the lead always, others while the flight is open. */
  boolean mayBoard() {
    boolean first = !led && !over && !errand.isRefresh();
    led = true;
    return first || open;
  }

  /** The origin is about to be asked: a purge from now on means the answer, too (DEC-39). */
  void departed() {
    purgeNumber = reuse.cache().purgeNumber();
  }

  /** A passenger of an answer that has landed: from its first byte, if that is still there. */
  void boardedLate(Passenger passenger) {
    Underway now = underway;
    if (over || now == null || !now.body().isBoardable()) {
      send(passenger, Landing.TooLate.INSTANCE);
    } else {
      share(passenger, now, false);
    }
  }

  /** Somebody aboard waits for the head. */
  void waits() {
    patience.watch();
  }

  @Override
  public boolean isQueued() {
    return flight.isQueued();
  }

  /** Its wait is over; the flight goes on for the others. */
  @Override
  public void overdue(Passenger passenger, Cause cause) {
    // First: a flight that its last passenger leaves holds nothing to stand in any more.
    Landing instead = stale.insteadOf(new Landing.Shed(cause, 0));
    flight.leave(passenger, cause);
    Passengers.tell(passenger, instead);
  }

  /** Nobody boards any more, and nothing is held. */
  void close() {
    closeBoarding();
    underway = null;
    if (over) {
      return;
    }
    over = true;
    patience.stop();
    StoredResponse refreshed = errand.stale();
    if (errand.isRefresh() && refreshed != null) {
      if (!renewed) {
        reuse.refreshFailed(refreshed);
      }
      reuse.refreshEnded();
    }
  }

  /** From any thread; before the head has come its tags may be any. */
  boolean isMeantBy(PurgeSelector selector) {
    List<String> told = tags;
    String path = errand.selection().head().target().path();
    return told == null ? selector.mayMatch(path) : selector.matches(path, told);
  }

  void closeBoarding() {
    if (open) {
      open = false;
      reuse.close(errand, flight);
    }
  }

  // Landing.

  /** The origin's head came. */
  void landed(ResponseHead head) {
    patience.stop();
    StoredResponse known = errand.stale();
    if (known != null && head.status() == 304) {
      confirmed(known, head);
      return;
    }
    tags = reuse.keeper().tags(head.headers());
    boolean failed = Judge.isFailure(head);
    if (failed && stale.mayServe()) {
      landAllOn(known, Reuse.STALE_IF_ERROR);
      return;
    }
    Sharing sharing = errand.judge(head, context.epochMillis());
    if (sharing instanceof Sharing.Alone alone) {
      if (failed) {
        serverError(head, alone.reason());
      } else {
        barrier(alone.reason());
      }
      return;
    }
    share(head, sharing);
  }

  /**
   * A 304: the stored answer holds, with the fields and the lifetime that came (RFC 9111 4.3.4).
   */
  private void confirmed(StoredResponse known, ResponseHead head) {
    StoredResponse updated = reuse.keeper().freshen(errand, known, head, purgeNumber);
    renewed = updated != null && updated != known;
    if (updated != null) {
      reuse.shareable(errand);
    }
    landAllOn(updated, Reuse.REVALIDATED);
  }

  /** A failure of the origin's: its owner gets it, the others its status; none goes alone. */
  private void serverError(ResponseHead head, BypassReason reason) {
    closeBoarding();
    for (Passenger passenger : notOwners()) {
      send(passenger, new Landing.ServerError(head.status()));
    }
    flight.relay(asked(), reason);
  }

  /** It is its owner's alone: the others go on in their order of arrival (BEY-04). */
  private void barrier(BypassReason reason) {
    reuse.unshareable(errand);
    if (errand.stale() != null) {
      // What the origin says now holds for what it said before.
      reuse.cache().remove(errand.stale());
    }
    release(reason);
    flight.relay(asked(), reason);
  }

  private void release(BypassReason reason) {
    closeBoarding();
    for (Passenger passenger : notOwners()) {
      send(passenger, new Landing.Released(reason));
    }
  }

  private void share(ResponseHead head, Sharing sharing) {
    long bodyMax = reuse.keptMax(errand.classified().route());
    if (head.framing() instanceof Framing.Length length && length.bytes() > bodyMax) {
      barrier(BypassReason.OVERSIZE);
      return;
    }
    VaryMatch match = reuse.varied(errand, head);
    CacheKey key = match.key();
    if (key == null) {
      barrier(BypassReason.UNSUPPORTED_VARY);
      return;
    }
    BypassReason notKept = null;
    long age = 0;
    remember(sharing);
    if (sharing instanceof Sharing.Kept kept) {
      keep(new Keeping(key, head, kept, reuse.received()));
      age = kept.lifetime().initialAgeMillis();
    } else if (sharing instanceof Sharing.Together together) {
      notKept = together.notKept();
      flight.notKept(notKept);
    }
    KeptBody shared = flight.keep(bodyMax);
    var now = new Underway(head, shared, match, notKept, age, context.now());
    underway = now;
    Passenger lead = flight.aboard().lead();
    for (Passenger passenger : flight.aboard().all()) {
      share(passenger, now, passenger == lead);
    }
    shared.begin();
  }

  /** What serves nobody before it is confirmed is not worth waiting for either (DEC-44). */
  private void remember(Sharing sharing) {
    if (sharing instanceof Sharing.Kept kept && !kept.aboard()) {
      reuse.unshareable(errand);
    } else {
      reuse.shareable(errand);
    }
  }

  /** Why the origin was asked (RFC 9211 2.2). */
  private Reuse asked() {
    StoredResponse known = errand.stale();
    if (known == null) {
      return Reuse.MISS;
    }
    return reuse.standing(known) == Standing.FRESH ? Reuse.INSISTED : Reuse.EXPIRED;
  }

  private void keep(Keeping whole) {
    if (context.isMemoryShort()) {
      flight.notKept(BypassReason.MEMORY);
    } else {
      keeping = whole;
    }
    if (!whole.sharing().aboard()) {
      release(BypassReason.NO_FRESHNESS);
    }
  }

  private void share(Passenger passenger, Underway now, boolean asked) {
    if (!now.match().fits(passenger.request())) {
      send(passenger, Landing.Again.INSTANCE);
      return;
    }
    long age =
        now.initialAgeMillis() + TimeUnit.NANOSECONDS.toMillis(context.now() - now.sinceNanos());
    Reuse how = asked ? asked() : Reuse.COLLAPSED;
    Passengers.tell(
        passenger,
        new Landing.Answered(
            now.head(),
            now.body().follower(passenger.loop()),
            how,
            null,
            asked ? now.notKept() : null,
            age));
  }

  /** Those who may not have an answer that is for one alone. */
  private List<Passenger> notOwners() {
    List<Passenger> all = flight.aboard().all();
    return all.isEmpty() || !isLeadOwner() ? all : all.subList(1, all.size());
  }

  /**
   * Whether what is for one alone may be the lead's. Where the one who asked is gone the next one
   * leads, but what the origin was told was told of the other (DEC-35).
   */
  boolean isLeadOwner() {
    return !errand.isPersonal() || flight.aboard().isLedByTheFirst();
  }

  /** Takes a passenger off the flight and tells it where it stands. */
  private void send(Passenger passenger, Landing landing) {
    flight.aboard().remove(passenger);
    Passengers.tell(passenger, landing);
  }

  private void landAllOn(@Nullable StoredResponse entry, Reuse how) {
    closeBoarding();
    for (Passenger passenger : flight.aboard().disembarkAll()) {
      Passengers.tell(
          passenger,
          entry != null && entry.body().tryPin()
              ? new Landing.Stored(entry, how)
              : Landing.Again.INSTANCE);
    }
  }

  // The end of the bytes.

  /** Nobody new, and nothing is kept. */
  void slid(BypassReason why) {
    closeBoarding();
    if (keeping != null) {
      keeping = null;
      flight.notKept(why);
    }
  }

  /** Nobody new; who has had nothing of it yet does not come back to this flight. */
  void cutShort() {
    slid(BypassReason.CUT_SHORT);
  }

  /**
   * All of it is there: it is kept, then the flight is out of the table (DEC-47), then a reader
   * knows the end and may ask again.
   */
  void whole() {
    Keeping toKeep = keeping;
    Underway now = underway;
    keeping = null;
    if (toKeep != null && now != null) {
      BypassReason not = reuse.keeper().keep(errand, toKeep, now.body(), purgeNumber);
      renewed = not == null;
      if (not != null) {
        flight.notKept(not);
      }
    }
    closeBoarding();
  }

  static boolean isBodiless(ResponseHead head) {
    return head.framing() instanceof Framing.None
        || head.framing() instanceof Framing.Length length && length.bytes() == 0;
  }
}
