package dev.sluice.governor.admit;

import dev.sluice.outcome.Cause;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who was granted or shed since the last look, in order, and how many ever were. The drain's. */
final class Decisions {

  private final Map<Cause, Long> sheds = new EnumMap<>(Cause.class);
  private long grants;
  private @Nullable Waiter first;
  private @Nullable Waiter last;

  void granted(Waiter waiter, long waitedNanos) {
    waiter.phase = Waiter.Phase.HOLDING;
    waiter.waitedNanos = waitedNanos;
    grants++;
    add(waiter);
  }

  void shed(Waiter waiter, Cause cause) {
    waiter.phase = Waiter.Phase.OUT;
    waiter.shedCause = cause;
    sheds.merge(cause, 1L, Long::sum);
    add(waiter);
  }

  /** It holds on; {@code elsewhere}: at another upstream. Void where its command said so before. */
  void moved(Waiter waiter, boolean elsewhere) {
    if (waiter != last && waiter.nextResult == null) {
      waiter.movedElsewhere = elsewhere;
      add(waiter);
    }
  }

  /** Those since the last call, chained in order. */
  @Nullable Waiter take() {
    Waiter chain = first;
    first = null;
    last = null;
    return chain;
  }

  long grants() {
    return grants;
  }

  Map<Cause, Long> sheds() {
    return Map.copyOf(sheds);
  }

  private void add(Waiter waiter) {
    if (last == null) {
      first = waiter;
    } else {
      last.nextResult = waiter;
    }
    last = waiter;
  }
}
