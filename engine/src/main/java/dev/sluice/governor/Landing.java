package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;

/** What those aboard a flight are told at its head (DEC-35). */
sealed interface Landing {

  /** The origin's answer; the body's bytes follow. */
  record Answered(ResponseHead head, Body body) implements Landing {}

  /** Admission said no; {@code predictedWaitNanos} is what a wait would have taken, 0 = unknown. */
  record Shed(Cause cause, long predictedWaitNanos) implements Landing {}

  /** No answer came. */
  record Failed(Cause cause) implements Landing {}
}
