package dev.sluice.governor.judge;

import dev.sluice.outcome.Cause;

/** What is to be done with what the origin said, or with its silence. */
public sealed interface Verdict {

  /** The answer goes to the one who asked, as it comes. */
  record Relay() implements Verdict {
    public static final Relay INSTANCE = new Relay();
  }

  /** There is no answer; the client gets one of ours. */
  record Fail(Cause cause) implements Verdict {}

  /** The answer broke off on the way; whoever reads it must be able to tell. */
  record Cut(Cause cause) implements Verdict {}

  /** The answer ended as it should. */
  record Done() implements Verdict {
    public static final Done INSTANCE = new Done();
  }
}
