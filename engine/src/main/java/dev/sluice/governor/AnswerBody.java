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
  private final FlightLog log;
  private final @Nullable SharedLanding sharing;
  private final Runnable discardSpent;
  private final ResponseHead head;
  private final Body body;

  /** Whether it may run ahead of its one reader. */
  private final boolean spooled;

  private @Nullable KeptBody kept;
  private boolean slid;

  /**
   * What came.
   *
   * @param spooled whether it may run ahead of its one reader
   */
  record Answer(ResponseHead head, Body body, boolean spooled) {}

  /**
   * @param sharing what becomes of it beside its delivery; null where it is one client's own
   * @param discardSpent called when nobody reads it, and enough of it was dropped
   */
  AnswerBody(
      FlightContext context,
      FlightLog log,
      Answer answer,
      @Nullable SharedLanding sharing,
      Runnable discardSpent) {
    this.context = context;
    this.log = log;
    this.head = answer.head();
    this.body = answer.body();
    this.spooled = answer.spooled();
    this.sharing = sharing;
    this.discardSpent = discardSpent;
  }

  // On its way.

  /** It goes to {@code lead} and to nobody else, paced by it or, spooled, by nobody. */
  void relay(Passenger lead, Reuse how, @Nullable BypassReason reason) {
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
    log.kept(spooled);
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
    log.slid(why);
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
    discardSpent.run();
  }

  // Without readers.

  /** Nobody reads it: it is read at full speed and, unless it is kept, dropped within bounds. */
  void readOnAlone() {
    if (kept == null) {
      body.desert(context.discardMax(), discardSpent);
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
