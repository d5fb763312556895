package dev.sluice.governor.classify;

/**
 * What may be done with a request. Immutable.
 *
 * @param effectiveClass the route's class, or the narrower one that applies to this request
 * @param permitKind which ceiling its flight counts to
 * @param priority the route's tier; {@code low} for a prefetch (BEY-24) and a draft (N05)
 * @param ground the rule that decided the class
 */
public record Treatment(
    RouteClass effectiveClass, PermitKind permitKind, Priority priority, Ground ground) {

  private static final int KINDS = PermitKind.values().length;
  private static final int TIERS = Priority.values().length;
  private static final int GROUNDS = Ground.values().length;

  /** All there can be, in the order of {@link #index}: no request makes its own. */
  private static final Treatment[] ALL = all();

  /** The one of these four. */
  static Treatment of(
      RouteClass effectiveClass, PermitKind permitKind, Priority priority, Ground ground) {
    return ALL[index(effectiveClass, permitKind, priority, ground)];
  }

  private static int index(
      RouteClass effectiveClass, PermitKind permitKind, Priority priority, Ground ground) {
    int kind = effectiveClass.ordinal() * KINDS + permitKind.ordinal();
    return (kind * TIERS + priority.ordinal()) * GROUNDS + ground.ordinal();
  }

  private static Treatment[] all() {
    var all = new Treatment[RouteClass.values().length * KINDS * TIERS * GROUNDS];
    for (RouteClass effectiveClass : RouteClass.values()) {
      for (PermitKind kind : PermitKind.values()) {
        for (Priority tier : Priority.values()) {
          for (Ground ground : Ground.values()) {
            all[index(effectiveClass, kind, tier, ground)] =
                new Treatment(effectiveClass, kind, tier, ground);
          }
        }
      }
    }
    return all;
  }
}
