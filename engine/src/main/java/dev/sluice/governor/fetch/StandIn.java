package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.flow.BodyPipe;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginEvents;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's answer, set aside while another upstream is asked for a better one (N10): its first
 * bytes are held, the rest stays with its upstream, until it is wanted after all or dropped.
 * Confined to its flight's loop.
 */
final class StandIn implements OriginEvents {

  /** Bytes held at most; and read, where it is dropped, for its connection's sake. */
  private static final int WINDOW = 64 * 1024;

  private final Attempt attempt;
  private final UpstreamState upstream;
  private final ResponseHead head;
  private final Body held;
  private @Nullable Cause end;

  /** Takes what {@code attempt} has of its answer, and what is still to come. */
  StandIn(Attempt attempt, UpstreamState upstream, ResponseHead head, Body answer) {
    this.attempt = attempt;
    this.upstream = upstream;
    this.head = head;
    attempt.tell(this);
    this.held = BodyPipe.of(answer, WINDOW);
  }

  Attempt attempt() {
    return attempt;
  }

  UpstreamState upstream() {
    return upstream;
  }

  /** Whether it broke off meanwhile, so that it is no answer any more. */
  boolean isBroken() {
    return end != null && end != Cause.COMPLETE;
  }

  /** It is wanted after all: {@code listener} hears of it as if it had come just now. */
  void comeForth(OriginEvents listener) {
    attempt.tell(listener);
    listener.head(head, held);
    if (end != null) {
      listener.ended(end);
    }
  }

  /** Nobody wants it: what is left of it is read, within bounds. */
  void drop() {
    held.desert(WINDOW, attempt::cancel);
  }

  /** Its upstream is left at once. */
  void cancel() {
    held.desert();
    attempt.cancel();
  }

  // What still comes of the attempt.

  @Override
  public void interim(ResponseHead interim) {
    throw new IllegalStateException("stand-in: an interim answer behind the head");
  }

  @Override
  public void head(ResponseHead second, Body body) {
    throw new IllegalStateException("stand-in: a second head");
  }

  @Override
  public void ended(Cause cause) {
    end = cause;
  }
}
