package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Room for one attempt on a connection to an upstream, then that attempt: one stream, its request,
 * its answer, what is owed in time (RFC 9113 8.1). Confined to the connection's loop.
 */
final class OriginLane implements OriginStream, Body.Source {

  private enum State {
    /** No attempt yet. */
    SPARE,
    /** The request is under way, and its head has not come. */
    ASKED,
    /** The answer's body is under way. */
    ANSWERING,
    OVER
  }

  /** RFC 9110 15.2 sets no bound on interim responses; we do (DEC-35). */
  private static final int INTERIM_MAX = 16;

  private static final int INTERIM_BYTES_MAX = 64 * 1024;

  private static final long UNANNOUNCED = -1;

  private final OriginSession session;
  private final boolean reused;
  private final OriginUpload upload;
  private State state = State.SPARE;
  private int id;
  private @Nullable OriginEvents events;
  private boolean written;
  private boolean silent = true;
  private boolean refused;

  // The answer.
  private boolean toHead;
  private boolean bodiless;
  private int interims;
  private int interimBytes;
  private @Nullable Body body;
  private long announced = UNANNOUNCED;
  private long received;
  private int unconsumed;
  private boolean paused;

  // What is owed; looked at by the session's one timer.
  private boolean owed;
  private long deadlineNanos;

  OriginLane(OriginSession session, boolean reused) {
    this.session = session;
    this.reused = reused;
    this.upload = new OriginUpload(session, this);
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
    return session.isBusy();
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
    toHead = out.head().isHead();
    session.begin(this, out, from == null);
    if (state != State.ASKED) {
      return;
    }
    if (from == null) {
      requestWritten();
    } else {
      upload.start(from);
    }
    session.offer();
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
      case SPARE -> session.declined(this);
      case ASKED, ANSWERING -> {
        events = null;
        resetFor(Cause.ORIGIN_CUT_SHORT, OriginWriter.CANCEL);
      }
      case OVER -> {}
    }
  }

  int id() {
    return id;
  }

  /** The attempt is stream {@code number} from now on. */
  void begun(int number) {
    id = number;
  }

  // What its upload says.

  /** The whole request was handed over: from now on the origin owes its head. */
  void requestWritten() {
    written = true;
    if (state == State.ASKED) {
      owe(session.settings().originResponse().toNanos());
    }
  }

  /** An origin that takes no more of its request owes. */
  void uploadBlocked() {
    if (state == State.ASKED) {
      owe(session.settings().originResponse().toNanos());
    }
  }

  /** The client broke its upload off: the origin must not see a complete request (DEC-28). */
  void uploadAborted(Cause cause) {
    resetFor(cause, OriginWriter.CANCEL);
  }

  /** The windows, or the socket, have room again. */
  void writable() {
    if (upload.isActive()) {
      if (state == State.ASKED) {
        owed = false;
      }
      upload.writable();
    }
  }

  // What the connection says.

  void headers(Http2Headers fields, boolean last) {
    silent = false;
    switch (state) {
      case ASKED -> head(fields, last);
      case ANSWERING -> trailers(fields, last);
      case SPARE, OVER -> {}
    }
  }

  private void head(Http2Headers fields, boolean last) {
    if (OriginResponseFields.bytes(fields) > session.settings().maxHeader()) {
      resetFor(Cause.ORIGIN_HEADER_TOO_LARGE, OriginWriter.CANCEL);
      return;
    }
    ResponseHead head = OriginResponseFields.head(fields, toHead, last);
    if (head == null || (head.isInterim() && (last || head.status() == 101))) {
      malformed();
    } else if (head.isInterim()) {
      interim(head, fields);
    } else {
      begin(head, last);
    }
  }

  private void interim(ResponseHead head, Http2Headers fields) {
    interimBytes += OriginResponseFields.bytes(fields);
    if (++interims > INTERIM_MAX || interimBytes > INTERIM_BYTES_MAX) {
      malformed();
    } else if (events != null) {
      events.interim(head);
    }
  }

  private void begin(ResponseHead head, boolean last) {
    state = State.ANSWERING;
    Framing framing = head.framing();
    bodiless = framing instanceof Framing.None;
    announced = framing instanceof Framing.Length length ? length.bytes() : UNANNOUNCED;
    var answer = new Body(this, Integer.MAX_VALUE, null);
    body = answer;
    oweBytes();
    if (events != null) {
      events.head(head, answer);
    }
    if (last && state == State.ANSWERING) {
      end(Trailers.NONE);
    }
  }

  private void trailers(Http2Headers fields, boolean last) {
    // RFC 9113 8.1: a field section behind the head is the end, or malformed.
    Trailers trailers = last ? OriginResponseFields.trailers(fields) : null;
    if (trailers == null) {
      malformed();
    } else {
      end(trailers);
    }
  }

  /** Takes the payload of a DATA frame; how many of {@code flowBytes} are done with already. */
  int data(ByteBuf payload, int flowBytes, boolean last) {
    silent = false;
    if (state != State.ANSWERING || body == null) {
      if (state == State.ASKED) {
        malformed();
      }
      return flowBytes;
    }
    int length = payload.readableBytes();
    received += length;
    if ((bodiless && length > 0) || (announced != UNANNOUNCED && received > announced)) {
      malformed();
      return flowBytes;
    }
    oweBytes();
    if (length > 0 && !body.append(payload.retain())) {
      paused = true;
      owed = false;
    }
    if (last && state == State.ANSWERING) {
      end(Trailers.NONE);
    }
    if (!paused || state != State.ANSWERING) {
      return flowBytes;
    }
    unconsumed += flowBytes;
    return 0;
  }

  /** Nothing more is there to read for now. */
  void readComplete() {
    if (body != null) {
      body.flush();
    }
  }

  /** The answer's reader can take more: only now the origin may send as much again (F02). */
  @Override
  public void resume() {
    if (paused && state == State.ANSWERING) {
      int taken = unconsumed;
      paused = false;
      unconsumed = 0;
      oweBytes();
      session.consumed(id, taken);
    }
  }

  /** The origin said that it did not so much as look at the request (RFC 9113 8.7). */
  void refused() {
    refused = true;
    fail(Cause.CONNECTION_TERMINATED);
  }

  /** The origin reset the stream. */
  void resetByOrigin() {
    silent = false;
    broken();
  }

  /** The stream is over, and nobody said that it went well. */
  void broken() {
    fail(state == State.ANSWERING ? Cause.ORIGIN_CUT_SHORT : Cause.CONNECTION_TERMINATED);
  }

  /** What came on the stream is no answer. */
  void malformed() {
    resetFor(Cause.ORIGIN_MALFORMED, OriginWriter.PROTOCOL_ERROR);
  }

  /** Told first: with the reset the stream is closed, for whatever reason. */
  private void resetFor(Cause cause, long code) {
    fail(cause);
    session.reset(id, code);
  }

  // What the clock says.

  private void owe(long nanos) {
    owed = true;
    deadlineNanos = session.watch().now() + nanos;
    session.watch().noLaterThan(nanos);
  }

  private void oweBytes() {
    owe(session.settings().originRead().toNanos());
  }

  /** How long from {@code now} until it is due; {@link Long#MAX_VALUE} where nothing is owed. */
  long dueIn(long now) {
    return owed ? deadlineNanos - now : Long.MAX_VALUE;
  }

  void due() {
    timedOut();
    session.reset(id, OriginWriter.CANCEL);
  }

  /** What is owed will not come any more. */
  void timedOut() {
    fail(state == State.ANSWERING ? Cause.ORIGIN_READ_TIMEOUT : Cause.ORIGIN_RESPONSE_TIMEOUT);
  }

  // The end.

  private void end(Trailers trailers) {
    Body done = body;
    if (announced != UNANNOUNCED && received != announced) {
      // Its length lied: never a tidy end.
      fail(Cause.ORIGIN_CUT_SHORT);
      return;
    }
    OriginEvents listener = events;
    over();
    if (!written) {
      // The answer came before the request's end: what is left of the upload goes nowhere.
      session.reset(id, OriginWriter.NO_ERROR);
    }
    if (done != null) {
      done.complete(trailers);
    }
    session.freed(this);
    if (listener != null) {
      listener.ended(Cause.COMPLETE);
    }
  }

  /** The attempt failed, for {@code cause}; the connection goes on. */
  void fail(Cause cause) {
    if (state == State.OVER) {
      return;
    }
    OriginEvents listener = events;
    Body cut = body;
    over();
    if (cut != null) {
      cut.abort(cause);
    }
    session.freed(this);
    if (listener != null) {
      listener.ended(cause);
    }
  }

  private void over() {
    int held = unconsumed;
    state = State.OVER;
    owed = false;
    events = null;
    body = null;
    unconsumed = 0;
    upload.stop();
    if (held > 0) {
      session.consumed(id, held);
    }
  }
}
