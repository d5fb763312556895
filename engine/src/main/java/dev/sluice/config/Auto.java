package dev.sluice.config;

/** The value of a key that was left to Sluice. */
enum Auto {
  AUTO;

  @Override
  public String toString() {
    return "auto";
  }
}
