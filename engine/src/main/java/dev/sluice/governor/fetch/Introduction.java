package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import org.jspecify.annotations.Nullable;

/**
 * The first question on a new connection: who is there (field case H12)? Nothing of a client's goes
 * out before the answer, and the connection's owner knows of it only behind a good one. A
 * connection leads to one process for its life, so once is enough. Confined to its loop.
 */
final class Introduction implements OriginOwner, OriginEvents {

  private enum State {
    /** Nobody's yet. */
    ASKING,
    /** It is the one, and the connection its owner's. */
    INTRODUCED,
    /** It is not, or did not say. */
    FAILED
  }

  private final Identity identity;
  private final UpstreamState upstream;
  private final OriginOwner owner;
  private final OriginConnector.Connected taker;
  private State state = State.ASKING;
  private boolean known;
  private Timer.@Nullable Scheduled timer;
  private @Nullable OriginStream opened;

  /** Room for an attempt that was offered meanwhile. */
  private @Nullable OriginStream room;

  /** {@code taker} hears how it went; on a good end the connection is {@code owner}'s. */
  Introduction(
      Identity identity,
      UpstreamState upstream,
      OriginOwner owner,
      OriginConnector.Connected taker) {
    this.identity = identity;
    this.upstream = upstream;
    this.owner = owner;
    this.taker = taker;
  }

  /** Asks, and waits for the answer for so long. */
  void begin(OriginStream stream, Loop loop) {
    opened = stream;
    timer = loop.schedule(() -> fail(Cause.CONNECTION_TIMEOUT), identity.within().toNanos());
    stream.send(OwnRequest.of("HEAD", identity.path(), upstream), null, this);
  }

  // What is answered.

  @Override
  public void interim(ResponseHead head) {}

  @Override
  public void head(ResponseHead head, Body body) {
    body.desert();
    known = identity.isShownBy(head);
    if (!known) {
      fail(Cause.ORIGIN_STRANGER);
    }
  }

  @Override
  public void ended(Cause cause) {
    if (state != State.ASKING) {
      return;
    }
    OriginStream free = room;
    if (known && free != null) {
      over(State.INTRODUCED);
      taker.ready(free);
    } else {
      fail(causeOf(cause));
    }
  }

  private static Cause causeOf(Cause end) {
    return switch (end) {
      // It answered well and closes behind each answer, so no attempt ever gets a connection.
      case COMPLETE -> Cause.CONNECTION_TERMINATED;
      case ORIGIN_MALFORMED, ORIGIN_HEADER_TOO_LARGE, ORIGIN_UNASKED_UPGRADE ->
          Cause.ORIGIN_STRANGER;
      default -> end;
    };
  }

  private void fail(Cause cause) {
    OriginStream free = room;
    over(State.FAILED);
    if (free != null) {
      free.retire();
    }
    if (opened != null) {
      opened.cancel();
    }
    taker.failed(cause);
  }

  private void over(State how) {
    state = how;
    room = null;
    if (timer != null) {
      timer.cancel();
    }
  }

  // Until then the connection is nobody's.

  @Override
  public void idle(OriginStream stream) {
    switch (state) {
      case ASKING -> room = stream;
      case INTRODUCED -> owner.idle(stream);
      case FAILED -> stream.retire();
    }
  }

  @Override
  public void withdrawn(OriginStream stream) {
    if (room == stream) {
      room = null;
    } else if (state == State.INTRODUCED) {
      owner.withdrawn(stream);
    }
  }

  @Override
  public void closed(OriginStream stream) {
    room = null;
    if (state == State.INTRODUCED) {
      owner.closed(stream);
    }
  }
}
