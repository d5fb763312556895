package dev.sluice.wire;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;

/** What an attempt hears from its upstream. Called on the connection's loop. */
public interface OriginEvents {

  /** A 1xx, before the head. */
  void interim(ResponseHead head);

  /** The final head; the body's bytes follow. Once. */
  void head(ResponseHead head, Body body);

  /**
   * The origin agreed to the handshake that was sent (101): what follows is a tunnel. Once, instead
   * of {@link #head}, and only where {@link RequestOut#upgrade} asked for it.
   */
  default void switched(ResponseHead head, Tunnel tunnel) {
    throw new IllegalStateException("origin events: a tunnel that nobody asked for");
  }

  /**
   * It is over: {@link Cause#COMPLETE} at the observed end of stream, else what went wrong. Once,
   * last, and after the body was told. The connection is back with its owner, or closed.
   */
  void ended(Cause cause);
}
