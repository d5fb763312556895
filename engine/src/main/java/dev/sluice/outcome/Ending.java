package dev.sluice.outcome;

/**
 * How an exchange or a flight ended: at which stage and why; the cause tells whose doing it was.
 */
public record Ending(Stage stage, Cause cause) {

  /** Whose doing it was. */
  public Party party() {
    return cause.party();
  }
}
