package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.flow.KeptBody;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import org.jspecify.annotations.Nullable;

/**
 * A flight's answer on its way to those aboard: relayed, paced by its one reader, or kept, so that
 * it runs ahead of whoever follows it (DEC-26). Confined to the flight's loop.
 */
final class AnswerBody implements KeptBody.Owner {

  private final FlightContext context;
  private final Flight flight;
  private final @Nullable SharedLanding sharing;
  private final ResponseHead head;
  private final Body body;
  private @Nullable KeptBody kept;
  private boolean slid;

  /** {@code sharing}: what becomes of it beside its delivery; null where it is one client's own. */
  AnswerBody(
      FlightContext context,
      Flight flight,
      @Nullable SharedLanding sharing,
      ResponseHead head,
      Body body) {
    this.context = context;
    this.flight = flight;
    this.sharing = sharing;
    this.head = head;
    this.body = body;
  }

  // On its way.

  /** It goes to {@code lead} and to nobody else, paced by it or, spooled, by nobody. */
  void relay(Passenger lead, boolean spooled, Reuse how, @Nullable BypassReason reason) {
    boolean spools = spooled && !SharedLanding.isBodiless(head);
    if (!spools && lead.loop().isCurrent()) {
      lead.landed(new Landing.Answered(head, body, how, reason, null, 0));
      return;
    }
    // Spooled; or its first passenger has left, and the bytes are wanted on another loop than this.
    KeptBody ahead = keep(spools ? context.generation().spool().maxBody() : 0);
    Passengers.tell(
        lead, new Landing.Answered(head, ahead.follower(lead.loop()), how, reason, null, 0));
    ahead.begin();
  }

  /** From now on its bytes stay for who follows, up to {@code bodyMax} of them. */
  KeptBody keep(long bodyMax) {
    KeptBody keeping =
        new KeptBody(
            body,
            context.loop(),
            context.keptLimits(bodyMax, head.framing()),
            context.bodyBudget(),
            this);
    kept = keeping;
    flight.kept();
    return keeping;
  }

  /** Whether all of it came. */
  boolean isComplete() {
    return body.isComplete();
  }

  /** Whether its one reader keeps the origin waiting. */
  boolean isPacedByItsReader() {
    return kept == null || slid;
  }

  // What becomes of kept bytes.

  @Override
  public void slid(BypassReason why) {
    slid = true;
    if (sharing != null) {
      sharing.slid(why);
    }
    flight.slid(why);
  }

  @Override
  public void whole() {
    if (sharing != null) {
      sharing.whole();
    }
  }

  @Override
  public void cutShort() {
    if (sharing != null) {
      sharing.cutShort();
    }
  }

  @Override
  public void discardSpent() {
    flight.discardSpent();
  }

  // Without readers.

  /** Nobody reads it: it is read at full speed and, unless it is kept, dropped within bounds. */
  void readOnAlone() {
    if (kept == null) {
      body.desert(context.discardMax(), flight::discardSpent);
    }
  }

  /** Nobody will read it. */
  void drop() {
    body.desert();
  }

  /** The flight is over; those who follow go on. */
  void letGo() {
    if (kept != null) {
      kept.release();
    }
  }
}
