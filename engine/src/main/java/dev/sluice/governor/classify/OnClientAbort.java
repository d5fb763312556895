package dev.sluice.governor.classify;

/** What becomes of a flight whose clients all left (DEC-28). */
public enum OnClientAbort {
  /** The origin's answer is read to its end; the permit is held that long. */
  FINISH,
  /** The origin connection is closed at once. */
  CLOSE
}
