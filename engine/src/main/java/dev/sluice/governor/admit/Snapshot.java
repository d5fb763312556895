package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import java.util.Map;

/**
 * What an admission held at one moment between two commands. Immutable.
 *
 * @param upstreams by their label; empty where upstreams have no ceilings of their own
 */
public record Snapshot(
    Scope global,
    Map<Priority, Scope> tiers,
    Map<String, Scope> routes,
    Map<String, Scope> upstreams,
    long grants,
    Map<Cause, Long> sheds,
    long longestDrainNanos) {

  /**
   * One scope, in units and waiting flights; {@code max} is Integer.MAX_VALUE where there is none.
   */
  public record Scope(int max, int inFlight, int waiting) {}
}
