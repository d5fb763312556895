package dev.sluice.config;

/** What is done about sizes that do not fit the machine at hand (DEC-38). */
public enum Strictness {
  /** {@code run}: they are errors. */
  RUN,
  /** {@code check}, which may run on another machine: they are warnings. */
  CHECK
}
