package dev.sluice.outcome;

/** How far a body was taken off the origin ahead of its reader, for log and metrics (SPL-09 on). */
public enum Spooling {
  /** The route does not spool, or there was no answer of the origin's. */
  NONE("-"),
  /** All of it. */
  COMPLETE("complete"),
  /** As far as one body may be kept; the rest went at the reader's pace. */
  BODY_TOO_LARGE("body_too_large"),
  /** As far as all bodies together may be kept; the rest went at the reader's pace. */
  BUDGET_EXHAUSTED("budget_exhausted");

  private final String code;

  Spooling(String code) {
    this.code = code;
  }

  /** The word for logs and metrics. */
  public String code() {
    return code;
  }
}
