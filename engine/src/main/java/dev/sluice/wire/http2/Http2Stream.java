package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.flow.Trailers;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 connection and its answer: {@link Intake} takes the one's body, {@link
 * Outlet} sends the other's. Confined to the connection's loop.
 */
final class Http2Stream implements ClientStream {

  static final Headers PLAIN =
      FieldList.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store");

  private final Http2Connection connection;
  private final int id;
  private final RequestHead head;
  private final Peer peer;
  private final Intake intake;
  private final Outlet outlet;
  private @Nullable RequestEvents events;
  private @Nullable ClientPace pace;
  private boolean isReady;
  private boolean started;
  private @Nullable Cause over;

  Http2Stream(Http2Connection connection, int id, RequestHead head, Intake intake, long window) {
    this.connection = connection;
    this.id = id;
    this.head = head;
    this.peer = connection.peerOf(head.headers());
    this.intake = intake;
    this.outlet = new Outlet(this, connection.outlets(), connection.writer(), window);
  }

  // Its request.

  /** Its exchange begins. */
  void begin() {
    if (intake.isOpen()) {
      pace().startReading();
    }
    RequestEvents exchange = connection.sink().begin(this, head);
    if (over != null) {
      exchange.ended(over, outlet.sent());
      return;
    }
    events = exchange;
    if (!outlet.isDone() && (intake.body() == null || head.headers().has(FieldName.EXPECT))) {
      ready(exchange);
    }
    connection.watch(this);
  }

  /** Bytes of the body; what is wrong with them, or null. */
  @Nullable ErrorCode data(ByteBuf payload, int flowLength) {
    if (pace != null) {
      pace.moved(flowLength);
    }
    ErrorCode wrong = intake.data(payload, flowLength);
    if (wrong == null) {
      uploadMoved();
    }
    return wrong;
  }

  /** The client ended its side; false where that is too early. */
  boolean inputEnded(Trailers trailers) {
    if (!intake.end(trailers)) {
      return false;
    }
    uploadMoved();
    return true;
  }

  /** What was received in this turn should be on its way. */
  void flushUpload() {
    Body body = intake.body();
    if (body != null) {
      body.flush();
    }
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
    connection.watch(this);
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
    if (!intake.isOpen() || body == null || started) {
      connection.reset(this, ErrorCode.CANCEL, cause);
      return;
    }
    // Where the origin is being asked already, its flight fails and answers here.
    body.abort(cause);
    if (!started && over == null) {
      refuse(cause);
    }
  }

  private void refuse(Cause cause) {
    RequestEvents exchange = events;
    events = null;
    whole(cause.status(), PLAIN, Heads.ascii(cause.sentence() + "\n"));
    if (exchange != null) {
      exchange.refused(cause, outlet.sent());
    }
    flush();
  }

  // Its answer.

  @Override
  public Loop loop() {
    return connection.loop();
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
    if (over == null && !started) {
      SentFields fields = connection.fields().response(interim.status());
      putAll(fields, interim.headers(), SentFields.OF_THE_CONNECTION);
      connection.writer().headers(id, fields, false);
      flush();
    }
  }

  @Override
  public void respond(ResponseOut out, ReadableBody body) {
    if (!mayAnswer()) {
      body.desert();
      return;
    }
    ResponseHead answer = out.head();
    long drop = SentFields.OF_THE_CONNECTION | out.drop();
    boolean bodiless = answer.framing() instanceof Framing.None;
    if (bodiless && answer.status() != 204) {
      // RFC 9110 8.6: an answer to HEAD and a 304 may tell the length of what they stand for.
      drop &= ~FieldName.CONTENT_LENGTH.bit();
    }
    SentFields fields = connection.fields().response(answer.status());
    fields.putAll(answer.headers(), drop, out.dropNames(), out.internal());
    fields.putLines(out.added());
    if (answer.framing() instanceof Framing.Length length) {
      fields.put(FieldName.CONTENT_LENGTH, length.bytes());
    }
    headers(fields, answer.headers().has(FieldName.DATE), false);
    outlet.follow(body, bodiless);
  }

  @Override
  public void respond(EncodedHead stored, long ageSeconds, byte[] added, StoredBody body) {
    if (!mayAnswer()) {
      return;
    }
    desertUpload();
    boolean bodiless = head.isHead() || body.length() == 0;
    SentFields fields = connection.fields().response(stored.plain().status());
    putAll(
        fields,
        stored.plain().headers(),
        SentFields.OF_THE_CONNECTION & ~FieldName.CONTENT_LENGTH.bit());
    fields.put(FieldName.AGE, ageSeconds).putLines(added);
    headers(fields, true, bodiless);
    if (!bodiless) {
      outlet.whole(body.whole());
    }
    flush();
  }

  @Override
  public void respond(int status, Headers fields, byte[] body) {
    if (!mayAnswer()) {
      return;
    }
    desertUpload();
    whole(status, fields, body);
    flush();
  }

  private void whole(int status, Headers own, byte[] body) {
    boolean measured = status != 204 && status != 304;
    boolean bodiless = !measured || head.isHead() || body.length == 0;
    SentFields fields = connection.fields().response(status);
    putAll(fields, own, SentFields.OF_THE_CONNECTION);
    if (measured) {
      fields.put(FieldName.CONTENT_LENGTH, body.length);
    }
    headers(fields, own.has(FieldName.DATE), bodiless);
    if (!bodiless) {
      outlet.whole(Unpooled.wrappedBuffer(body));
    }
  }

  private void headers(SentFields fields, boolean dated, boolean end) {
    started = true;
    if (!dated) {
      fields.putLines(connection.date());
    }
    connection.writer().headers(id, fields, end);
    if (end) {
      outlet.endedWithHead();
      answerWritten();
    }
  }

  private static void putAll(SentFields to, Headers fields, long drop) {
    to.putAll(fields, drop, List.of(), NameSet.EMPTY);
  }

  private boolean mayAnswer() {
    return over == null && !started;
  }

  private void desertUpload() {
    if (intake.body() != null) {
      intake.body().desert();
    }
  }

  void writeTrailers(Trailers trailers) {
    SentFields fields = connection.fields().reset().putLines(trailers.lines());
    connection.writer().headers(id, fields, true);
  }

  /** All of the answer is written; it is over once the socket has it. */
  void answerWritten() {
    connection.answered(this);
  }

  /** The answer was cut short behind its head, for {@code cause}. */
  void answerCut(Cause cause) {
    connection.reset(this, codeOf(cause), cause);
  }

  @Override
  public void abandon(Cause cause) {
    connection.reset(this, codeOf(cause), cause);
  }

  private static ErrorCode codeOf(Cause cause) {
    return switch (cause.party()) {
      case CLIENT -> ErrorCode.CANCEL;
      case SLUICE, ORIGIN -> ErrorCode.INTERNAL_ERROR;
    };
  }

  @Override
  public void leftUnderWay() {
    connection.left(1);
  }

  @Override
  public void leftEnded() {
    connection.left(-1);
  }

  /** What was written should be on its way. */
  void flush() {
    connection.flush();
    connection.watch(this);
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

  int id() {
    return id;
  }

  boolean isOver() {
    return over != null;
  }

  Intake intake() {
    return intake;
  }

  Outlet outlet() {
    return outlet;
  }

  /** Whether its client owes something now: bytes of the request, or taking the answer's. */
  boolean isOwed() {
    return over == null && (outlet.isWaiting() || intake.isOwed());
  }

  /** How fast its client is; made when it first owes. */
  ClientPace pace() {
    if (pace == null) {
      pace = connection.newPace();
    }
    return pace;
  }

  /** Whether it was ever asked how fast its client is. */
  boolean isPaced() {
    return pace != null;
  }
}
