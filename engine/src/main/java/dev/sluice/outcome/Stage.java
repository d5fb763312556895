package dev.sluice.outcome;

/**
 * The stages of a request's journey, in order; an exchange aboard a flight is at its flight's
 * stage.
 */
public enum Stage {
  /** A head arrives and is checked for its framing. */
  ACCEPT("accept"),
  /** What is this request, and what may be done with it? */
  CLASSIFY("classify"),
  /** Can an answer that exists, or is on its way, serve it? */
  REUSE("reuse"),
  /** May it go to the origin now, wait, or be shed? */
  ADMIT("admit"),
  /** The origin is asked. */
  FETCH("fetch"),
  /** What did the origin's answer, or its silence, mean? */
  JUDGE("judge"),
  /** The origin's body is under way. */
  STREAM("stream"),
  /** The client gets its one answer. */
  DELIVER("deliver");

  private final String code;

  Stage(String code) {
    this.code = code;
  }

  /** The word for logs and metrics. */
  public String code() {
    return code;
  }
}
