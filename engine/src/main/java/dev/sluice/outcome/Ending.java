package dev.sluice.outcome;

/**
 * How an exchange or a flight ended: at which stage and why; the cause tells whose doing it was.
 */
public record Ending(Stage stage, Cause cause) {

  /** By stage and cause: each exchange has one, so none of them makes its own. */
  private static final Ending[][] ALL = all();

  /** The one of this stage and cause. */
  public static Ending of(Stage stage, Cause cause) {
    return ALL[stage.ordinal()][cause.ordinal()];
  }

  /** Whose doing it was. */
  public Party party() {
    return cause.party();
  }

  private static Ending[][] all() {
    var all = new Ending[Stage.values().length][Cause.values().length];
    for (Stage stage : Stage.values()) {
      for (Cause cause : Cause.values()) {
        all[stage.ordinal()][cause.ordinal()] = new Ending(stage, cause);
      }
    }
    return all;
  }
}
