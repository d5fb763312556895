package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Room for one attempt on a connection to an upstream, then that attempt: one stream, its request,
 * its {@link OriginAnswer}, what is owed in time (RFC 9113 8.1). Confined to the connection's loop.
 */
final class OriginLane implements OriginStream, LinkStream {

  private enum State {
    /** No attempt yet. */
    SPARE,
    /** The request is under way, and its head has not come. */
    ASKED,
    /** The answer's body is under way. */
    ANSWERING,
    OVER
  }

  private final OriginSession session;
  private final OriginLanes lanes;
  private final boolean reused;
  private final OriginAnswer answer;
  private final OriginDues dues;
  private State state = State.SPARE;
  private int id;
  private @Nullable Outlet outlet;
  private @Nullable OriginEvents events;
  private boolean silent = true;
  private boolean refused;
  private boolean awaitsContinue;

  OriginLane(OriginSession session, OriginLanes lanes, boolean reused) {
    this.session = session;
    this.lanes = lanes;
    this.reused = reused;
    this.answer = new OriginAnswer(this, lanes.link(), session.settings().maxHeader());
    this.dues = new OriginDues(session.watch());
  }

  // OriginStream.

  @Override
  public boolean isReused() {
    return reused;
  }

  /** Written is written: what left of it is known only where the origin refused it. */
  @Override
  public boolean isUntouched() {
    return refused;
  }

  @Override
  public boolean isRefused() {
    return refused;
  }

  @Override
  public boolean isSilent() {
    return silent;
  }

  @Override
  public long idleSinceNanos() {
    return session.idleSinceNanos();
  }

  @Override
  public InetSocketAddress address() {
    return session.address();
  }

  @Override
  public boolean isBusy() {
    return lanes.isBusy();
  }

  @Override
  public void send(RequestOut out, @Nullable Body from, OriginEvents listener) {
    if (state != State.SPARE) {
      throw new IllegalStateException("origin lane: send in " + state);
    }
    if (out.upgrade()) {
      throw new IllegalStateException("origin lane: HTTP/2 carries no upgrade");
    }
    state = State.ASKED;
    events = listener;
    answer.expect(out.head().isHead());
    lanes.begin(this, out, from == null);
    if (state != State.ASKED) {
      return;
    }
    if (from == null) {
      outlet().endedWithHead();
      sent();
    } else {
      awaitsContinue = out.awaitsContinue(from);
      outlet().follow(from, false);
      if (awaitsContinue && !outlet().isBegun()) {
        dues.owe(session.settings().originResponse().toNanos());
      }
    }
    lanes.offer();
  }

  @Override
  public void retire() {
    if (state == State.SPARE) {
      session.retire();
    } else {
      cancel();
    }
  }

  @Override
  public void cancel() {
    switch (state) {
      case SPARE -> lanes.declined(this);
      case ASKED, ANSWERING -> {
        events = null;
        resetFor(Cause.ORIGIN_CUT_SHORT, ErrorCode.CANCEL);
      }
      case OVER -> {}
    }
  }

  /** The attempt is stream {@code number} from now on, and sends its body by {@code sending}. */
  void begun(int number, Outlet sending) {
    id = number;
    outlet = sending;
  }

  // LinkStream.

  @Override
  public int id() {
    return id;
  }

  @Override
  public Outlet outlet() {
    if (outlet == null) {
      throw new IllegalStateException("origin lane: no stream yet");
    }
    return outlet;
  }

  /** Behind the answer's end the lane is over, and its stream open no more. */
  @Override
  public boolean isReceiving() {
    return true;
  }

  @Override
  public @Nullable ErrorCode headers(ReceivedFields fields, Decoded decoded, boolean end) {
    silent = false;
    return state == State.ASKED
        ? answer.head(fields, decoded, end)
        : answer.trailers(fields, decoded, end);
  }

  @Override
  public @Nullable ErrorCode data(ByteBuf payload, int flowLength, boolean end) {
    silent = false;
    return answer.data(payload, flowLength, end);
  }

  @Override
  public void flushReceived() {
    answer.flush();
  }

  /** The answer's reader can take more: only now the origin may send as much again (F02). */
  @Override
  public void receivingResumed() {
    oweBytes();
  }

  @Override
  public void flush() {
    session.flush();
    oweRequest();
  }

  /** The whole request was handed over: from now on the origin owes its head. */
  @Override
  public void sent() {
    if (state == State.ASKED) {
      dues.owe(session.settings().originResponse().toNanos());
    }
  }

  /** The client broke its upload off: the origin must not see a complete request (DEC-28). */
  @Override
  public void sendingCut(Cause cause) {
    resetFor(cause, ErrorCode.CANCEL);
  }

  // What the answer says.

  void interim(ResponseHead head) {
    if (head.isContinue() && awaitsContinue) {
      awaitsContinue = false;
      dues.none();
    }
    if (events != null) {
      events.interim(head);
    }
  }

  /** The answer begins, with {@code body} behind its head. */
  void answered(ResponseHead head, Body body) {
    state = State.ANSWERING;
    oweBytes();
    if (events != null) {
      events.head(head, body);
    }
  }

  boolean isAnswering() {
    return state == State.ANSWERING;
  }

  /** The answer is whole. */
  void end(Trailers trailers) {
    boolean tidy = outlet().isDone();
    OriginEvents listener = events;
    over();
    if (!tidy) {
      // The answer came before the request's end: what is left of the upload goes nowhere.
      lanes.leave(this, ErrorCode.NO_ERROR);
    }
    answer.complete(trailers);
    lanes.freed(this, tidy);
    if (listener != null) {
      listener.ended(Cause.COMPLETE);
    }
  }

  // What the connection says.

  /** The origin said that it did not so much as look at the request (RFC 9113 8.7). */
  void refused() {
    if (state != State.OVER) {
      refused = true;
      fail(Cause.CONNECTION_TERMINATED);
    }
  }

  /** The origin reset the stream, and does not say that it did not look. */
  void resetByOrigin() {
    silent = false;
    broken();
  }

  /** The stream is over, and nobody said that it went well. */
  void broken() {
    fail(state == State.ANSWERING ? Cause.ORIGIN_CUT_SHORT : Cause.CONNECTION_TERMINATED);
  }

  /** What came on the stream is no answer. */
  void malformed(ErrorCode code) {
    resetFor(Cause.ORIGIN_MALFORMED, code);
  }

  /** The attempt failed, for {@code cause}, and the origin is told to leave it. */
  void resetFor(Cause cause, ErrorCode code) {
    end(cause, code);
  }

  // What is owed.

  /**
   * An origin that takes no more of its request owes, and one that was asked for leave to send it.
   */
  void oweRequest() {
    awaitsContinue &= !outlet().isBegun();
    if (state == State.ASKED && !outlet().isDone() && !awaitsContinue) {
      dues.oweTaking(outlet(), session.settings().originResponse().toNanos());
    }
  }

  /** As long as the origin may send, it owes; where its reader is slow, it does not. */
  void oweBytes() {
    if (state == State.ANSWERING && answer.isOwed()) {
      dues.owe(session.settings().originRead().toNanos());
    } else if (state == State.ANSWERING) {
      dues.none();
    }
  }

  /** How long from {@code now} until it is due; {@link Long#MAX_VALUE} where nothing is owed. */
  long dueIn(long now) {
    return dues.dueIn(now);
  }

  /** What was owed did not come. */
  void due() {
    resetFor(owedCause(), ErrorCode.CANCEL);
  }

  /** What is owed will not come any more. */
  void timedOut() {
    fail(owedCause());
  }

  private Cause owedCause() {
    return state == State.ANSWERING ? Cause.ORIGIN_READ_TIMEOUT : Cause.ORIGIN_RESPONSE_TIMEOUT;
  }

  // The end.

  /** The attempt failed, for {@code cause}; the connection goes on. */
  void fail(Cause cause) {
    end(cause, null);
  }

  private void end(Cause cause, @Nullable ErrorCode code) {
    if (state == State.OVER) {
      return;
    }
    OriginEvents listener = events;
    // First: nothing may be written behind the reset.
    over();
    if (code != null) {
      lanes.leave(this, code);
    }
    answer.abort(cause);
    lanes.freed(this, false);
    if (listener != null) {
      listener.ended(cause);
    }
  }

  private void over() {
    state = State.OVER;
    dues.none();
    events = null;
    if (outlet != null) {
      outlet.desert();
    }
  }
}
