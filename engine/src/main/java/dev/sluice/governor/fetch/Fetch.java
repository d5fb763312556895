package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Party;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.Tunnel;
import org.jspecify.annotations.Nullable;

/**
 * A flight's attempts at the origin, one at a time (DEC-29). Without retries configured there is
 * one more only when a reused connection died before it answered. Confined to its flight's loop.
 */
public final class Fetch implements OriginConnector.Connected, OriginEvents {

  private final OriginPool pool;
  private final UpstreamState upstream;
  private final RequestOut request;
  private final @Nullable Body body;
  private final OriginEvents flight;
  private @Nullable OriginStream stream;
  private long startNanos;
  private int attempts;
  private boolean reused;
  private boolean answered;
  private boolean over;

  /** Nothing is asked yet. */
  public Fetch(
      OriginPool pool,
      Destination destination,
      RequestOut request,
      @Nullable Body body,
      OriginEvents flight) {
    this.pool = pool;
    this.upstream = destination.first();
    this.request = request;
    this.body = body;
    this.flight = flight;
  }

  /** Asks; what comes of it goes to the flight. */
  public void start() {
    upstream.began();
    startNanos = pool.now();
    attempts = 1;
    boolean repeatable = request.head().isSafe() && body == null;
    pool.lease(upstream, !repeatable, false, this);
  }

  /** Leaves the origin at once; the flight hears no more. */
  public void cancel() {
    if (!over) {
      finish();
      if (stream != null) {
        stream.cancel();
      }
    }
  }

  /** Who is asked. */
  public String upstreamLabel() {
    return upstream.label();
  }

  /** How many attempts there were. */
  public int attempts() {
    return attempts;
  }

  /** Whether the last attempt went out on a connection that was used before. */
  public boolean isReused() {
    return reused;
  }

  @Override
  public void ready(OriginStream leased) {
    if (over) {
      // Nobody waits for it any more, and it carried nothing: it is not worth an owner's visit.
      leased.cancel();
      return;
    }
    stream = leased;
    reused = leased.isReused();
    leased.send(request, body, this);
  }

  @Override
  public void failed(Cause cause) {
    if (!over) {
      finish();
      upstream.unanswered(startNanos, pool.now());
      flight.ended(cause);
    }
  }

  @Override
  public void interim(ResponseHead head) {
    flight.interim(head);
  }

  @Override
  public void head(ResponseHead head, Body answer) {
    upstream.answered(startNanos, pool.now());
    answered = true;
    flight.head(head, answer);
  }

  @Override
  public void switched(ResponseHead head, Tunnel tunnel) {
    flight.switched(head, tunnel);
  }

  @Override
  public void ended(Cause cause) {
    if (over) {
      return;
    }
    if (cause == Cause.CONNECTION_TERMINATED && mayAskAgain()) {
      attempts++;
      pool.lease(upstream, true, true, this);
      return;
    }
    finish();
    if (!answered && cause.party() == Party.ORIGIN) {
      upstream.unanswered(startNanos, pool.now());
    }
    flight.ended(cause);
  }

  private boolean mayAskAgain() {
    OriginStream dead = stream;
    if (dead == null || attempts > 1 || !dead.isReused() || !dead.isSilent()) {
      return false;
    }
    return body == null
        ? dead.isUntouched() || request.head().isSafe()
        : dead.isUntouched() && !body.isFollowed();
  }

  private void finish() {
    over = true;
    upstream.ended();
  }
}
