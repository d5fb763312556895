package dev.sluice.governor.admit;

import dev.sluice.governor.admit.Limits.PerUpstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The units in flight at each upstream against {@code per_upstream}, and the choice of one at the
 * grant (DEC-30, BEY-23). Without the key there is no scope, nothing is charged and nothing chosen.
 * One that is out of use keeps its units until they come back. The drain's.
 */
final class UpstreamScopes implements UpstreamChoice.Charges {

  private final Map<String, UpstreamScope> known = new HashMap<>();
  private UpstreamScope[] inUse = {};
  private @Nullable PerUpstream limit;

  /** For whom {@link #limit} is choosing. */
  private @Nullable Waiter asking;

  /** From now on {@code next}; what is charged stays. */
  void enforce(@Nullable PerUpstream next) {
    limit = next;
    for (UpstreamScope scope : inUse) {
      scope.inUse = false;
    }
    inUse =
        next == null
            ? new UpstreamScope[0]
            : next.choice().inUse().stream()
                .map(id -> known.computeIfAbsent(id, UpstreamScope::new))
                .toArray(UpstreamScope[]::new);
    for (UpstreamScope scope : inUse) {
      scope.inUse = true;
    }
    known.values().removeIf(UpstreamScope::isOver);
  }

  /** Units that all of those in use take together; where there is no scope, any number. */
  int ceiling() {
    return limit == null
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (long) limit.max() * inUse.length);
  }

  int max() {
    return limit == null ? Integer.MAX_VALUE : limit.max();
  }

  boolean canEverFit(int weight) {
    return weight <= max();
  }

  /** Whether one of those in use has room. */
  boolean anyHasRoom(int weight) {
    if (limit == null) {
      return true;
    }
    for (UpstreamScope scope : inUse) {
      if (scope.used + weight <= limit.max()) {
        return true;
      }
    }
    return false;
  }

  /** Chooses one with room for {@code waiter}; there is one. */
  void charge(Waiter waiter) {
    UpstreamScope chosen = choose(waiter);
    if (chosen != null) {
      chosen.used += waiter.weight;
      waiter.upstream = chosen;
    }
  }

  /** Moves the charge to another that was not tried; false where none has room. */
  boolean move(Waiter waiter) {
    UpstreamScope from = waiter.upstream;
    if (from == null) {
      return false;
    }
    waiter.triedUpstream(from);
    UpstreamScope to = choose(waiter);
    if (to == null) {
      return false;
    }
    from.used -= waiter.weight;
    to.used += waiter.weight;
    waiter.upstream = to;
    forget(from);
    return true;
  }

  void release(Waiter waiter) {
    UpstreamScope charged = waiter.upstream;
    if (charged != null) {
      charged.used -= waiter.weight;
      waiter.upstream = null;
      forget(charged);
    }
  }

  /** All that are in use or have units out. */
  Collection<UpstreamScope> all() {
    return known.values();
  }

  @Override
  public int used(int at) {
    return inUse[at].used;
  }

  @Override
  public boolean hasRoom(int at) {
    UpstreamScope scope = inUse[at];
    Waiter waiter = asking;
    return waiter != null && scope.used + waiter.weight <= max() && !waiter.hasTried(scope);
  }

  private @Nullable UpstreamScope choose(Waiter waiter) {
    if (limit == null) {
      return null;
    }
    asking = waiter;
    int at = limit.choice().choose(waiter.affinity, this);
    UpstreamScope chosen = at == UpstreamChoice.NONE || !hasRoom(at) ? null : inUse[at];
    asking = null;
    return chosen;
  }

  private void forget(UpstreamScope scope) {
    if (scope.isOver()) {
      known.remove(scope.id);
    }
  }
}
