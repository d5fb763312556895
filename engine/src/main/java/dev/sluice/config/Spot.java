package dev.sluice.config;

/** Where something stands in its file, counted from 1. Immutable. */
record Spot(int line, int column) {

  /** The beginning of a file, for what is missing from it. */
  static final Spot START = new Spot(1, 1);
}
