package dev.sluice.outcome;

/** Why a client's HTTP/2 connection was told to go away; a label of its metric. */
public enum GoAwayReason {
  /** Too many streams that ended by a reset. */
  RESETS("resets"),
  /** A reset while too many flights that the connection left were still under way. */
  LEFT_FLIGHTS("left_flights"),
  /** Too many frames that move nothing. */
  IDLE_FRAMES("idle_frames"),
  /** A header block of too many bytes or frames. */
  HEADER_BLOCK("header_block"),
  /** A rule of the protocol was broken. */
  PROTOCOL("protocol"),
  /** A head that did not come in time, or a client that takes nothing. */
  SLOW("slow"),
  /** Nothing was asked for long enough. */
  IDLE("idle"),
  /** The process stops. */
  DRAIN("drain");

  private final String code;

  GoAwayReason(String code) {
    this.code = code;
  }

  /** The label's value. */
  public String code() {
    return code;
  }
}
