package dev.sluice.governor.classify;

/** The tiers of admission, highest first. */
public enum Priority {
  HIGH("high"),
  NORMAL("normal"),
  LOW("low");

  private final String code;

  Priority(String code) {
    this.code = code;
  }

  /** The word in the configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
