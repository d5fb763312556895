package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.flow.Trailers;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Protocol;
import dev.sluice.time.Loop;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestEvents;
import dev.sluice.wire.ResponseOut;
import dev.sluice.wire.client.ClientPace;
import dev.sluice.wire.http1.Heads;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 connection and its answer: {@link Intake} takes the one's body, {@link
 * Outlet} sends the other's. Confined to the connection's loop.
 */
final class Http2Stream implements ClientStream, LinkStream {

  static final Headers PLAIN =
      FieldList.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store");

  private final ServedStreams streams;
  private final ServedClient client;
  private final int id;
  private final RequestHead head;
  private final Peer peer;
  private final Intake intake;
  private final Outlet outlet;
  private final Http2Answer answer;
  private @Nullable RequestEvents events;
  private @Nullable ClientPace pace;
  private boolean isReady;
  private boolean invited;
  private @Nullable Cause over;

  /** {@code ended}: the request's head was its end. */
  Http2Stream(
      ServedStreams streams,
      Http2Link<Http2Stream> link,
      ServedClient client,
      int id,
      RequestHead head,
      boolean ended) {
    this.streams = streams;
    this.client = client;
    this.id = id;
    this.head = head;
    this.peer = client.peerOf(head.headers());
    this.intake =
        Intake.ofRequest(
            this, link, head, ended, client.settings().readAhead(), client.requestMemory());
    this.outlet = new Outlet(this, link.outlets(), link.writer(), link.peer().initialWindow());
    this.answer = new Http2Answer(this, link, client, head.isHead());
  }

  // Its request.

  /** Its exchange begins. */
  void begin() {
    if (!head.headers().has(FieldName.EXPECT)) {
      continued();
    }
    RequestEvents exchange = client.sink().begin(this, head);
    if (over != null) {
      exchange.ended(over, outlet.sent());
      return;
    }
    events = exchange;
    if (!outlet.isDone() && (intake.body() == null || head.headers().has(FieldName.EXPECT))) {
      ready(exchange);
    }
    streams.watch(this);
  }

  @Override
  public boolean isReceiving() {
    return intake.isOpen();
  }

  @Override
  public @Nullable ErrorCode headers(ReceivedFields fields, Decoded decoded, boolean end) {
    Trailers trailers = end && decoded == Decoded.FIELDS ? RequestFields.trailers(fields) : null;
    // RFC 9113 8.1: a field section behind the head is the end, or malformed.
    return trailers == null ? ErrorCode.PROTOCOL_ERROR : inputEnded(trailers);
  }

  @Override
  public @Nullable ErrorCode data(ByteBuf payload, int flowLength, boolean end) {
    continued();
    if (pace != null) {
      pace.moved(flowLength);
    }
    ErrorCode wrong = intake.data(payload, flowLength, end);
    if (wrong != null) {
      return wrong;
    }
    uploadMoved();
    return end && !isOver() ? inputEnded(Trailers.NONE) : null;
  }

  /** From now on the client owes its body: it was told to go on, or did unasked (DEC-32). */
  private void continued() {
    if (!invited && intake.isOpen()) {
      pace().startReading();
      streams.watch(this);
    }
    invited = true;
  }

  private @Nullable ErrorCode inputEnded(Trailers trailers) {
    if (!intake.end(trailers)) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    uploadMoved();
    return null;
  }

  @Override
  public void flushReceived() {
    Body body = intake.body();
    if (body != null) {
      body.flush();
    }
  }

  @Override
  public void receivingResumed() {
    streams.intakeResumed(this);
  }

  /** The body is whole, or cannot grow before it is read: admission is asked (DEC-32). */
  void uploadMoved() {
    Body body = intake.body();
    RequestEvents exchange = events;
    if (body != null
        && exchange != null
        && !isReady
        && (body.isComplete() || body.isFull() || intake.isExhausted())) {
      ready(exchange);
    }
    streams.watch(this);
  }

  private void ready(RequestEvents exchange) {
    isReady = true;
    exchange.ready();
  }

  boolean holdsCapacity() {
    return events != null && events.holdsCapacity();
  }

  /** 408 for an upload, a reset for a download (DEC-32). */
  void tooSlow(Cause cause) {
    Body body = intake.body();
    if (!intake.isOpen() || body == null || answer.isStarted()) {
      streams.reset(this, ErrorCode.CANCEL, cause);
      return;
    }
    // Where the origin is being asked already, its flight fails and answers here.
    body.abort(cause);
    if (mayAnswer()) {
      refuse(cause);
    }
  }

  private void refuse(Cause cause) {
    RequestEvents exchange = events;
    events = null;
    answer.own(cause.status(), PLAIN, Heads.ascii(cause.sentence() + "\n"));
    if (exchange != null) {
      exchange.refused(cause, outlet.sent());
    }
    flush();
  }

  // Its answer.

  @Override
  public Loop loop() {
    return client.loop();
  }

  @Override
  public Peer peer() {
    return peer;
  }

  @Override
  public Protocol protocol() {
    return Protocol.HTTP_2;
  }

  @Override
  public @Nullable Body requestBody() {
    return intake.body();
  }

  @Override
  public void interim(ResponseHead interim) {
    if (mayAnswer()) {
      answer.interim(interim);
      if (interim.isContinue()) {
        continued();
      }
      flush();
    }
  }

  @Override
  public void respond(ResponseOut out, ReadableBody body) {
    if (mayAnswer()) {
      answer.relay(out, body);
    } else {
      body.desert();
    }
  }

  @Override
  public void respond(EncodedHead stored, long ageSeconds, byte[] added, StoredBody body) {
    if (mayAnswer()) {
      desertUpload();
      answer.stored(stored, ageSeconds, added, body);
      flush();
    }
  }

  @Override
  public void respond(int status, Headers fields, byte[] body) {
    if (mayAnswer()) {
      desertUpload();
      answer.own(status, fields, body);
      flush();
    }
  }

  private boolean mayAnswer() {
    return over == null && !answer.isStarted();
  }

  private void desertUpload() {
    if (intake.body() != null) {
      intake.body().desert();
    }
  }

  /** All of the answer is written; it is over once the socket has it. */
  @Override
  public void sent() {
    streams.answered(this);
  }

  @Override
  public void sendingCut(Cause cause) {
    streams.reset(this, codeOf(cause), cause);
  }

  @Override
  public void abandon(Cause cause) {
    streams.reset(this, codeOf(cause), cause);
  }

  private static ErrorCode codeOf(Cause cause) {
    return switch (cause.party()) {
      case CLIENT -> ErrorCode.CANCEL;
      case SLUICE, ORIGIN -> ErrorCode.INTERNAL_ERROR;
    };
  }

  @Override
  public void leftUnderWay() {
    streams.left(1);
  }

  @Override
  public void leftEnded() {
    streams.left(-1);
  }

  @Override
  public void flush() {
    streams.flush();
    streams.watch(this);
  }

  // Its end.

  /** The exchange is over, for {@code cause}; once. */
  void end(Cause cause) {
    if (over != null) {
      return;
    }
    over = cause;
    RequestEvents exchange = events;
    events = null;
    outlet.close();
    intake.close();
    if (exchange != null) {
      exchange.ended(cause, outlet.sent());
    }
    Body upload = intake.body();
    if (upload != null) {
      upload.abort(cause == Cause.COMPLETE ? Cause.CLIENT_BODY_ABORTED : cause);
    }
  }

  // What others ask.

  @Override
  public int id() {
    return id;
  }

  boolean isOver() {
    return over != null;
  }

  Intake intake() {
    return intake;
  }

  @Override
  public Outlet outlet() {
    return outlet;
  }

  /** Whether somebody reads what its client sends, and wants more. */
  boolean isRead() {
    return intake.isOwed() && intake.isFollowed();
  }

  /** Whether its client owes something now: bytes of the request, or taking the answer's. */
  boolean isOwed() {
    return over == null && (outlet.isWaiting() || (invited && intake.isOwed()));
  }

  /** How fast its client is; made when it first owes. */
  ClientPace pace() {
    if (pace == null) {
      pace = client.newPace();
    }
    return pace;
  }

  /** Whether it was ever asked how fast its client is. */
  boolean isPaced() {
    return pace != null;
  }
}
