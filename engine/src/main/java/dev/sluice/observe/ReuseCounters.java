package dev.sluice.observe;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Spooling;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where one loop's answers of one route came from, and why they were nobody else's. Only the loop
 * writes; any thread reads.
 */
final class ReuseCounters {

  /** The cell of an outcome that needs no reason. */
  static final int NO_REASON = BypassReason.values().length;

  // Few outcomes ever occur on a route, so each has its cells only once it did.
  private final AtomicReferenceArray<@Nullable Tally> byOutcome =
      new AtomicReferenceArray<>(Reuse.values().length);
  private final AtomicReferenceArray<@Nullable Tally> notKept = new AtomicReferenceArray<>(1);
  private final Tally spooled = new Tally(Spooling.values().length);
  private final Tally eligible = new Tally(1);

  void record(Timeline exchange) {
    BypassReason reason = exchange.reason();
    cells(byOutcome, exchange.reuse().ordinal(), NO_REASON + 1)
        .add(reason == null ? NO_REASON : reason.ordinal(), 1);
    spooled.add(exchange.spool().ordinal(), 1);
    if (exchange.isEligible()) {
      eligible.add(0, 1);
    }
  }

  void notKept(BypassReason reason) {
    cells(notKept, 0, NO_REASON).add(reason.ordinal(), 1);
  }

  private static Tally cells(AtomicReferenceArray<@Nullable Tally> of, int index, int size) {
    Tally cells = of.getPlain(index);
    if (cells == null) {
      cells = new Tally(size);
      of.setRelease(index, cells);
    }
    return cells;
  }

  /** By the reason's place in {@link BypassReason}, then {@link #NO_REASON}; null = never. */
  @Nullable Tally of(Reuse outcome) {
    return byOutcome.getAcquire(outcome.ordinal());
  }

  /** By the reason's place in {@link BypassReason}; null where everything was kept. */
  @Nullable Tally notKept() {
    return notKept.getAcquire(0);
  }

  /** By the outcome's place in {@link Spooling}. */
  Tally spooled() {
    return spooled;
  }

  long eligible() {
    return eligible.get(0);
  }
}
