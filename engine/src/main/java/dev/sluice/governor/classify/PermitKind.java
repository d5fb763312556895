package dev.sluice.governor.classify;

/** Which ceiling a flight of the request counts to (DEC-33). */
public enum PermitKind {
  /** The render permits of {@code origin.concurrency.max}, with priorities and the queue. */
  RENDER("render"),
  /** {@code origin.concurrency.static}. */
  STATIC("static"),
  /** {@code origin.concurrency.streaming}. */
  STREAMING("streaming"),
  /** {@code upgrade.max_concurrent}: from the handshake to the close of both sides (DEC-41). */
  UPGRADE("upgrade");

  private final String code;

  PermitKind(String code) {
    this.code = code;
  }

  /** The word in logs and explanations. */
  public String code() {
    return code;
  }
}
