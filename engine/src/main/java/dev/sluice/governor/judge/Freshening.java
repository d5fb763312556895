package dev.sluice.governor.judge;

import dev.sluice.http.Headers;
import dev.sluice.outcome.BypassReason;

/** What an origin's "not modified" does to the stored answer it speaks of. Immutable. */
public sealed interface Freshening {

  /**
   * The stored answer holds, with these fields; whether it may still be kept is judged anew on
   * them.
   */
  record Merged(Headers fields) implements Freshening {}

  /** The stored answer must not be served on the strength of it. */
  record Barred(BypassReason reason) implements Freshening {}
}
