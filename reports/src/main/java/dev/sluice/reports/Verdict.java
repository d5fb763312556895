package dev.sluice.reports;

/** What became of a gate's claim. */
public enum Verdict {
  /** The claim held and the control run showed the problem. */
  PASSED,
  /** The claim did not hold, or the control run did not show the problem. */
  FAILED,
  /** Measured and held to no bound. */
  REPORTED,
  /** Not run, because something that it needs is not there. */
  SKIPPED
}
