package dev.sluice.wire;

import dev.sluice.outcome.Cause;

/** What befalls one exchange on its client's side. Called on the connection's loop. */
public interface RequestEvents {

  /** The body is absent, wholly held, or may grow no more before it is read (DEC-32). Once. */
  void ready();

  /** The client closed its side behind a complete request, and is not to be served (DEC-27). */
  void halfClosed();

  /** Whether the exchange holds a permit or holds up others, so that its pace is judged. */
  boolean holdsCapacity();

  /**
   * It is over: the connection itself turned the request away, with the status of {@code cause},
   * because its body came to nothing. Once, and last.
   */
  void refused(Cause cause, long bodyBytes);

  /**
   * It is over: {@link Cause#COMPLETE} once the answer's last byte was handed to the socket, else
   * why the client will get no more. Once, and last.
   */
  void ended(Cause cause, long bodyBytes);
}
