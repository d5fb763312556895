package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.governor.fetch.attempts.ClientPrefix;
import dev.sluice.governor.fetch.attempts.Sign;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Party;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.Tunnel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request at one upstream, on one connection. What comes of it goes to its fetch, and what that
 * says of the upstream to the upstream's breaker, once. Confined to its flight's loop.
 */
final class Attempt implements OriginConnector.Connected, OriginEvents {

  /** DEC-45: the head of the one that tries a half-open upstream comes within this, or is late. */
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final OriginPool pool;
  private final UpstreamState upstream;
  private final Asking asking;
  private OriginEvents fetch;
  private final long startNanos;
  private final long pass;
  private @Nullable OriginStream stream;
  private Timer.@Nullable Scheduled trial;
  private boolean answered;
  private boolean shown;
  private boolean over;

  /** It counts from here on; {@link #start} follows. */
  Attempt(OriginPool pool, UpstreamState upstream, Asking asking, OriginEvents fetch) {
    this.pool = pool;
    this.upstream = upstream;
    this.asking = asking;
    this.fetch = fetch;
    this.startNanos = pool.now();
    this.pass = upstream.breaker().begin();
    upstream.began();
  }

  /**
   * Asks.
   *
   * @param fresh whether a connection that was idle for long will not do
   * @param anew whether only a new connection will do
   */
  void start(boolean fresh, boolean anew) {
    if (upstream.breaker().isTrial(pass)) {
      upstream.followBreaker();
      trial = pool.loop().schedule(this::late, TRIAL_NANOS);
    }
    if (asking.out().upgrade()) {
      pool.leaseForUpgrade(upstream, this);
    } else {
      pool.lease(upstream, fresh, anew, this);
    }
  }

  /** Leaves the upstream at once; its fetch hears no more. */
  void cancel() {
    if (!over) {
      finish(Sign.NOTHING);
      if (stream != null) {
        stream.cancel();
      }
    }
  }

  /** From now on {@code listener} hears what comes of it. */
  void tell(OriginEvents listener) {
    fetch = listener;
  }

  boolean isOver() {
    return over;
  }

  /** Whether it went out on a connection that was used before. */
  boolean isReused() {
    return stream != null && stream.isReused();
  }

  /** Whether not one byte came back; a connection that never was had none. */
  boolean isSilent() {
    return stream == null || stream.isSilent();
  }

  /** Whether not one byte of it reached a socket. */
  boolean isUntouched() {
    return stream == null || stream.isUntouched();
  }

  /** Whether the upstream has proved that it did nothing of it. */
  boolean isRefused() {
    return stream != null && stream.isRefused();
  }

  // What comes of it.

  @Override
  public void ready(OriginStream leased) {
    if (over) {
      // Nobody waits for it any more, and it carried nothing: it is not worth an owner's visit.
      leased.cancel();
      return;
    }
    stream = leased;
    leased.send(asking.out(), asking.body(), this);
  }

  @Override
  public void failed(Cause cause) {
    if (!over) {
      upstream.unanswered(startNanos, pool.now());
      finish(Sign.ofFailure(cause));
      fetch.ended(cause);
    }
  }

  @Override
  public void interim(ResponseHead head) {
    fetch.interim(head);
  }

  @Override
  public void head(ResponseHead head, Body answer) {
    upstream.answered(startNanos, pool.now());
    answered = true;
    Sign sign = Sign.ofAnswer(head.status(), asking.request());
    if (sign != Sign.GOOD || trial != null) {
      // Bad enough as it is; and one that tries an upstream is not waited for to its end.
      show(sign);
    }
    fetch.head(head, answer);
  }

  @Override
  public void switched(ResponseHead head, Tunnel tunnel) {
    upstream.answered(startNanos, pool.now());
    answered = true;
    show(Sign.GOOD);
    fetch.switched(head, tunnel);
  }

  @Override
  public void ended(Cause cause) {
    if (over) {
      return;
    }
    if (!answered && cause.party() == Party.ORIGIN) {
      upstream.unanswered(startNanos, pool.now());
    }
    finish(cause == Cause.COMPLETE ? Sign.GOOD : Sign.ofFailure(cause));
    fetch.ended(cause);
  }

  /** The head of a trial did not come in time. */
  private void late() {
    if (!over && !answered) {
      upstream.unanswered(startNanos, pool.now());
      finish(Sign.FAILURE);
      if (stream != null) {
        stream.cancel();
      }
      fetch.ended(Cause.ORIGIN_RESPONSE_TIMEOUT);
    }
  }

  private void finish(Sign sign) {
    over = true;
    upstream.ended();
    show(sign);
  }

  /** Once; a good head may still be followed by a body that breaks off. */
  private void show(Sign sign) {
    if (shown) {
      return;
    }
    shown = true;
    if (trial != null) {
      trial.cancel();
    }
    String client = asking.client();
    long prefix = client.isEmpty() ? ClientPrefix.NOBODY : ClientPrefix.of(client);
    Ejection.follow(upstream, upstream.breaker().ended(pass, sign, prefix, pool.now()), pool);
  }
}
