package dev.sluice.outcome;

/** What became of a further attempt, or of the wish for one (OBS-10). */
public enum RetryOutcome {
  /** It brought an answer that is none of 502, 503 and 504. */
  SUCCEEDED("succeeded", "The further attempt brought an answer."),
  FAILED("failed", "The further attempt failed, too."),
  /** It was left before it came to anything. */
  ABANDONED("abandoned", "The client left before the further attempt came to anything."),
  BUDGET_EXHAUSTED("budget_exhausted", "There was none: the budget was spent."),
  QUEUE_FULL("queue_full", "There was none: others found no place to wait for the origin.");

  private final String code;
  private final String sentence;

  RetryOutcome(String code, String sentence) {
    this.code = code;
    this.sentence = sentence;
  }

  /** The word for metrics. */
  public String code() {
    return code;
  }

  /** One sentence for people. */
  public String sentence() {
    return sentence;
  }
}
