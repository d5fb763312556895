package dev.sluice.wire.client;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Protocol;
import dev.sluice.time.Loop;
import dev.sluice.wire.Caller;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestEvents;
import dev.sluice.wire.ResponseOut;
import dev.sluice.wire.http1.Heads;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The request under way on a client's connection: its exchange, its upload, the one answer that it
 * gets. One object for all requests of the connection. Confined to the connection's loop.
 */
final class ClientRequest implements ClientStream {

  private static final Headers PLAIN =
      FieldList.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store");

  /** RFC 9110 15.5.6 wants the methods listed. */
  private static final Headers PLAIN_WITH_METHODS =
      FieldList.of(
          "Content-Type",
          "text/plain; charset=utf-8",
          "Cache-Control",
          "no-store",
          "Allow",
          "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");

  private final ChannelHandlerContext ctx;
  private final ClientConnection connection;
  private final ClientAnswer answer;
  private final ClientTimeouts timeouts;
  private final ClientContext context;
  private final Download download;
  private final Caller caller;
  private Peer peer;
  private boolean open;
  private boolean isReady;
  private @Nullable RequestEvents events;
  private @Nullable Body upload;

  ClientRequest(
      ChannelHandlerContext ctx,
      ClientConnection connection,
      ClientAnswer answer,
      ClientTimeouts timeouts,
      ClientContext context,
      Caller caller) {
    this.ctx = ctx;
    this.connection = connection;
    this.answer = answer;
    this.timeouts = timeouts;
    this.context = context;
    this.download = new Download(ctx, this, answer, timeouts);
    this.caller = caller;
    this.peer = caller.direct();
  }

  // Its beginning.

  /** A head came; {@code body} is what follows it, null where nothing does. */
  void begin(RequestHead head, @Nullable Body body) {
    open = true;
    isReady = false;
    upload = body;
    answer.expect(head);
    peer = caller.peer(context.settings().trust(), head.headers());
    RequestEvents exchange = context.sink().begin(this, head);
    events = exchange;
    if (answer.isDone()) {
      flushAnswer();
    } else if (body == null || waitsForContinue(head)) {
      ready(exchange);
    }
  }

  /** RFC 9110 10.1.1: an HTTP/1.0 client's expectation is ignored. */
  static boolean waitsForContinue(RequestHead head) {
    return head.minorVersion() == 1 && head.headers().has(FieldName.EXPECT);
  }

  /** Bytes of the upload came, or its end. */
  void uploadMoved() {
    Body body = upload;
    RequestEvents exchange = events;
    if (body != null && exchange != null && !isReady && (body.isComplete() || body.isFull())) {
      ready(exchange);
    }
  }

  private void ready(RequestEvents exchange) {
    isReady = true;
    exchange.ready();
  }

  /** The client closed its side behind the request. */
  void halfClosed() {
    if (events != null) {
      events.halfClosed();
    }
  }

  /** No other request will follow; an answer under way has told its client what it could. */
  void isLast() {
    if (!answer.isStarted()) {
      answer.isLast();
    }
  }

  boolean holdsCapacity() {
    return events != null && events.holdsCapacity();
  }

  // Turned away by this side.

  /** A body that broke off or is malformed: the origin never sees its end (DEC-28). */
  void uploadFailed(Cause cause) {
    boolean answering = answer.isStarted();
    if (upload != null) {
      // Where the origin is being asked already, its flight fails and answers here.
      upload.abort(cause);
    }
    if (answering) {
      connection.cut(cause);
    } else if (!answer.isStarted()) {
      refuse(cause);
    }
  }

  /** Turns a request away before its exchange got anywhere; what else comes is not looked at. */
  void refuse(Cause cause) {
    RequestEvents exchange = events;
    events = null;
    if (exchange == null) {
      // Whoever does not read even this is not waited for without end.
      timeouts.begin();
      answer.expectNone();
    }
    answer.isLast();
    Headers fields = cause == Cause.METHOD_NOT_ALLOWED ? PLAIN_WITH_METHODS : PLAIN;
    answer.whole(cause.status(), fields, Heads.ascii(cause.sentence() + "\n"));
    if (exchange == null) {
      context.sink().refused(caller.direct(), Protocol.HTTP_1_1, cause, answer.bytes());
    } else {
      exchange.refused(cause, answer.bytes());
    }
    flushAnswer();
  }

  // Answered by the exchange.

  @Override
  public Loop loop() {
    return context.loop();
  }

  @Override
  public Peer peer() {
    return peer;
  }

  @Override
  public Protocol protocol() {
    return answer.endsWithConnection() ? Protocol.HTTP_1_0 : Protocol.HTTP_1_1;
  }

  @Override
  public @Nullable Body requestBody() {
    return upload;
  }

  @Override
  public void interim(ResponseHead head) {
    if (open) {
      answer.interim(head);
      if (head.isContinue()) {
        connection.continued();
      }
    }
  }

  @Override
  public void respond(ResponseOut out, ReadableBody body) {
    if (!mayAnswer()) {
      body.desert();
      return;
    }
    answer.head(out);
    download.start(body);
  }

  @Override
  public void respond(EncodedHead head, long ageSeconds, byte[] added, StoredBody body) {
    if (!mayAnswer()) {
      return;
    }
    if (upload != null) {
      upload.desert();
    }
    answer.stored(head, ageSeconds, added, body);
    if (events != null) {
      flushAnswer();
    }
  }

  @Override
  public void respond(int status, Headers fields, byte[] body) {
    if (!mayAnswer()) {
      return;
    }
    if (upload != null) {
      upload.desert();
    }
    answer.whole(status, fields, body);
    if (events != null) {
      flushAnswer();
    }
  }

  @Override
  public Body tunnel(ResponseOut out, ReadableBody fromOrigin) {
    if (!open || answer.isStarted()) {
      throw new IllegalStateException("client request: a tunnel behind an answer");
    }
    answer.switching(out);
    return connection.tunnel(fromOrigin);
  }

  @Override
  public void abandon(Cause cause) {
    connection.cut(cause);
  }

  @Override
  public void leftUnderWay() {
    // The connection went with it.
  }

  @Override
  public void leftEnded() {
    // Nobody counted it.
  }

  private boolean mayAnswer() {
    if (!open || answer.isStarted()) {
      return false;
    }
    // RFC 9112 9.6: an answer before the request's end is the connection's last.
    boolean early = upload != null && !upload.isComplete();
    if (early || context.isDraining()) {
      answer.isLast();
    }
    return true;
  }

  // Its end.

  void writable() {
    download.writable();
  }

  /** The answer is written; the exchange is over once the socket has it. */
  void flushAnswer() {
    ctx.flush();
    if (answer.isSent()) {
      connection.answered();
      return;
    }
    timeouts.watch();
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            sent -> {
              if (sent.isSuccess()) {
                connection.answered();
              } else {
                connection.lost();
              }
            });
  }

  /** The answer was cut short behind its head, for {@code cause}. */
  void answerCut(Cause cause) {
    connection.cut(cause);
  }

  /** The exchange is over, for {@code cause}; nothing happens where there is none. */
  void end(Cause cause) {
    RequestEvents exchange = events;
    Body body = upload;
    open = false;
    events = null;
    upload = null;
    download.stop();
    if (exchange != null) {
      exchange.ended(cause, answer.bytes());
    }
    if (body != null) {
      body.abort(cause == Cause.COMPLETE ? Cause.CLIENT_BODY_ABORTED : cause);
    }
  }
}
