package dev.sluice.outcome;

/**
 * Where an answer came from. One word serves the log's {@code cache} field, the metrics' label and,
 * in capitals, the debug header {@code X-Sluice} (CCH-35).
 */
public enum Reuse {
  /** A stored answer that is fresh. */
  HIT("hit", "hit"),
  /** A stored answer that is stale, while it is refreshed. */
  STALE("stale", "hit"),
  /** A stored answer that is stale, because admission said no (BEY-02). */
  STALE_ON_SHED("stale", "hit; detail=stale-on-shed"),
  /** A stored answer that is stale, because the origin failed. */
  STALE_IF_ERROR("stale", "hit; detail=stale-if-error"),
  /** A stored answer that the origin has just confirmed (304). */
  REVALIDATED("revalidated", "fwd=stale; fwd-status=304"),
  /** An answer that another request had under way. */
  COLLAPSED("hit", "fwd=uri-miss; collapsed"),
  /** The origin's own, to a request that might have been served otherwise. */
  MISS("miss", "fwd=uri-miss"),
  /** The same, where the stored answer was too old. */
  EXPIRED("miss", "fwd=stale"),
  /** The same, where the stored answer was fresh and the client asked past it (DEC-17). */
  INSISTED("miss", "fwd=request"),
  /** The origin's own, to a request that could not share. */
  BYPASS("bypass", "fwd=bypass"),
  /** None of the origin's. */
  NONE("-", "");

  private final String code;
  private final String status;

  Reuse(String code, String status) {
    this.code = code;
    this.status = status;
  }

  /** The word in logs and metrics. */
  public String code() {
    return code;
  }

  /** The parameters of our member of {@code Cache-Status} (RFC 9211 2). */
  public String status() {
    return status;
  }
}
