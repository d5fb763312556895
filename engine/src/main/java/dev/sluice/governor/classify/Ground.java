package dev.sluice.governor.classify;

/** Why a request is treated as it is; a rule other than the route's own only ever narrows. */
public enum Ground {
  ROUTE("the route's own class"),
  AMBIGUOUS_TARGET("two parsers could read the path differently (DEC-33)"),
  INTERNAL_PARAMETER("the query has a parameter that is the framework's own"),
  DRAFT_COOKIE("a draft-mode cookie is present (DEC-33)"),
  METHOD("only GET and HEAD can be shared or static (DEC-33)"),
  STATIC_PATH("the framework's immutable files take no render permit (NXT-14)"),
  UPGRADE("a WebSocket is shared with nobody and takes no render permit (DEC-41)");

  private final String sentence;

  Ground(String sentence) {
    this.sentence = sentence;
  }

  /** For people, without a full stop. */
  public String sentence() {
    return sentence;
  }
}
