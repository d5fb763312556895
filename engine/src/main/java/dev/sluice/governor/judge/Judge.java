package dev.sluice.governor.judge;

import dev.sluice.outcome.Cause;

/** Judges an origin's answer. Pure: no clock, no state. */
public final class Judge {

  private Judge() {}

  /** What an attempt's end means, by whether its head had come. */
  public static Verdict ofEnd(Cause cause, boolean headCame) {
    if (cause == Cause.COMPLETE) {
      return Verdict.Done.INSTANCE;
    }
    return headCame ? new Verdict.Cut(cause) : new Verdict.Fail(cause);
  }

  /**
   * Whether the origin may go on working on an attempt that ended so: it had the whole request, and
   * we left it before its observed end, so its permit is held a while longer (DEC-29). An upload
   * that broke off never became a request to work on.
   */
  public static boolean mayRenderOn(Cause cause) {
    return switch (cause) {
      case ORIGIN_RESPONSE_TIMEOUT, ORIGIN_READ_TIMEOUT, CLOSED_ON_ABORT, FINISH_LIMIT -> true;
      default -> false;
    };
  }
}
