package dev.sluice.outcome;

/** Whose doing it was that something ended. */
public enum Party {
  /** Who sent the request: RFC 9110 3.3. */
  CLIENT("client"),
  /** This process: a refusal, a shed, a stop. */
  SLUICE("sluice"),
  /** The application behind, or the way to it: RFC 9110 3.6. */
  ORIGIN("origin");

  private final String code;

  Party(String code) {
    this.code = code;
  }

  /** The word for logs and metrics. */
  public String code() {
    return code;
  }
}
