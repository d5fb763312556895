package dev.sluice.wire;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's HTTP/1.1 connection: one exchange at a time, in the order of the requests (RFC 9112
 * 9). Confined to its event loop.
 *
 * <p>Reading goes on while a request waits, until {@code server.read_ahead} bytes are held, because
 * a client that leaves is only noticed by reading (DEC-27).
 */
final class ClientConnection extends ChannelInboundHandlerAdapter
    implements ClientStream, Body.Reader {

  /** What the connection does with bytes, with the client's FIN and at a timeout. */
  private enum State {
    /** Between exchanges, or a head is under way. */
    HEAD,
    /** A request's body is under way; its answer may be, too. */
    BODY,
    /** The request is whole, its answer is not. */
    ANSWERING,
    /** The last answer is written; what still comes is read and dropped for a while. */
    LINGERING,
    CLOSED
  }

  private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);

  /** What an upload that nobody wants may still send before the connection is cut (DEC-32). */
  private static final int LINGER_BYTES = 256 * 1024;

  private final ClientContext context;
  private final WireSettings settings;
  private final HeadScanner scanner;
  private final LazyTimer timer;
  private final ClientPace pace;
  private ChannelHandlerContext ctx;
  private ClientAnswer answer;
  private Peer peer;
  private State state = State.HEAD;
  private @Nullable ByteBuf in;
  private boolean processing;
  private boolean inputClosed;
  private boolean served;
  private int lingered;

  // The exchange under way.
  private @Nullable RequestEvents events;
  private @Nullable Body requestBody;
  private @Nullable BodyDecoder decoder;
  private @Nullable Body answerBody;
  private boolean isReady;

  // ctx, answer and peer are set in channelActive, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  ClientConnection(ClientContext context) {
    this.context = context;
    this.settings = context.settings();
    this.scanner = new HeadScanner(settings.maxHeader(), context.maxFirstLine());
    this.timer = new LazyTimer(context.loop(), context.ticker(), this::onTimer);
    this.pace = new ClientPace(settings, context.ticker());
  }

  // Netty's side.

  @Override
  public void channelActive(ChannelHandlerContext active) {
    ctx = active;
    answer = new ClientAnswer(active, context.date());
    peer = context.peerOf(active.channel());
    context.opened(this);
    timer.in(settings.clientHeader().toNanos());
  }

  @Override
  public void channelRead(ChannelHandlerContext unused, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (state == State.LINGERING || state == State.CLOSED) {
      linger(bytes);
      return;
    }
    if (state == State.BODY) {
      pace.moved(bytes.readableBytes());
    }
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    process();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext unused) {
    if (requestBody != null && state == State.BODY) {
      requestBody.flush();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext unused) {
    if (answerBody != null && ctx.channel().isWritable()) {
      answerBody.resume();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext unused, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      onFin();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext unused) {
    closed(Cause.CLIENT_LEFT);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext unused, Throwable failure) {
    if (failure instanceof IOException) {
      cut(Cause.CLIENT_LEFT);
    } else {
      log.error("client connection failed", failure);
      cut(Cause.INTERNAL_ERROR);
    }
  }

  // Requests.

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    try {
      boolean more = true;
      while (more && in != null) {
        more =
            switch (state) {
              case HEAD -> head(in);
              case BODY -> body(in);
              case ANSWERING, LINGERING, CLOSED -> false;
            };
      }
    } finally {
      processing = false;
    }
    if (in != null && !in.isReadable()) {
      in.release();
      in = null;
    }
    if (inputClosed && (state == State.HEAD || state == State.BODY)) {
      // What is here is all there will be, and it is not a whole request.
      cut(Cause.CLIENT_LEFT);
      return;
    }
    regulateReads();
  }

  private boolean head(ByteBuf bytes) {
    if (scanner.isUntouched()) {
      skipEmptyLine(bytes);
      if (!bytes.isReadable()) {
        return false;
      }
      timer.in(settings.clientHeader().toNanos());
    }
    return switch (scanner.scan(bytes)) {
      case PARTIAL -> false;
      case BARE_LF -> refuse(Cause.BAD_REQUEST);
      case TOO_LARGE -> refuse(Cause.HEADER_TOO_LARGE);
      case FIRST_LINE_TOO_LARGE -> refuse(Cause.URI_TOO_LONG);
      case WHOLE -> whole(bytes);
    };
  }

  /** RFC 9112 2.2: one empty line before a request line is forgiven, behind an earlier request. */
  private void skipEmptyLine(ByteBuf bytes) {
    int at = bytes.readerIndex();
    if (served && bytes.readableBytes() >= 2 && bytes.getShort(at) == (short) Heads.CRLF) {
      bytes.skipBytes(2);
    }
  }

  private boolean whole(ByteBuf bytes) {
    byte[] head = new byte[scanner.length()];
    bytes.readBytes(head);
    int lines = scanner.lines();
    scanner.reset();
    timer.off();
    RequestParser.Parsed parsed = RequestParser.parse(head, lines, settings.maxTarget());
    if (parsed instanceof RequestParser.Request request) {
      begin(request.head());
      return true;
    }
    return refuse(((RequestParser.Refusal) parsed).cause());
  }

  private void begin(RequestHead head) {
    served = true;
    isReady = false;
    answer.expect(head);
    pace.begin();
    if (head.hasBody()) {
      Body body = new Body(this::resumeReading, settings.readAhead(), context.requestMemory());
      requestBody = body;
      decoder = new BodyDecoder(body, head.framing(), settings.maxHeader());
      pace.startReading();
      state = State.BODY;
    } else {
      state = State.ANSWERING;
    }
    RequestEvents exchange = context.sink().begin(this, head);
    events = exchange;
    if (answer.isDone()) {
      flushAnswer();
    } else if (!head.hasBody() || waitsForContinue(head)) {
      ready(exchange);
    }
  }

  /** RFC 9110 10.1.1: an HTTP/1.0 client's expectation is ignored. */
  private static boolean waitsForContinue(RequestHead head) {
    return head.minorVersion() == 1 && head.headers().has(FieldName.EXPECT);
  }

  private boolean body(ByteBuf bytes) {
    Body body = requestBody;
    BodyDecoder from = decoder;
    if (body == null || from == null) {
      throw new IllegalStateException("client connection: BODY without a body");
    }
    switch (from.decode(bytes)) {
      case MALFORMED -> {
        uploadFailed(Cause.CLIENT_BODY_ABORTED);
        return false;
      }
      case DONE -> {
        state = State.ANSWERING;
        decoder = null;
        body.complete(from.trailers());
      }
      case MORE -> {}
    }
    if (!isReady && events != null && (body.isComplete() || body.isFull())) {
      ready(events);
    }
    return bytes.isReadable();
  }

  private void ready(RequestEvents exchange) {
    isReady = true;
    exchange.ready();
  }

  /** A body that broke off or is malformed: the origin never sees its end (DEC-28). */
  private void uploadFailed(Cause cause) {
    boolean answering = answer.isStarted();
    if (requestBody != null) {
      // Where the origin is being asked already, its flight fails and answers here.
      requestBody.abort(cause);
    }
    if (answering) {
      cut(cause);
    } else if (!answer.isStarted()) {
      refuse(cause);
    }
  }

  /** Turns a request away before its exchange got anywhere; what else comes is not looked at. */
  private boolean refuse(Cause cause) {
    RequestEvents exchange = events;
    events = null;
    if (exchange == null) {
      answer.expectNone();
    }
    answer.isLast();
    answer.whole(cause.status(), PLAIN, Heads.ascii(cause.sentence() + "\n"));
    if (exchange == null) {
      context.sink().refused(peer, cause, answer.bytes());
    } else {
      exchange.refused(cause, answer.bytes());
    }
    flushAnswer();
    return false;
  }

  private static final Headers PLAIN =
      FieldList.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store");

  // The client's FIN, and reading.

  private void onFin() {
    inputClosed = true;
    switch (state) {
      case HEAD, BODY -> cut(Cause.CLIENT_LEFT);
      case ANSWERING -> {
        if (!answer.isStarted() && in == null) {
          answer.isLast();
        }
        if (events != null && !settings.halfCloseServes()) {
          events.halfClosed();
        }
      }
      case LINGERING -> cut(Cause.CLIENT_LEFT);
      case CLOSED -> {}
    }
  }

  private void regulateReads() {
    if (state == State.CLOSED) {
      return;
    }
    boolean wanted =
        switch (state) {
          case HEAD, LINGERING -> true;
          case BODY -> decoder == null || !decoder.isPaused();
          case ANSWERING -> in == null || hasReadAhead(in);
          case CLOSED -> false;
        };
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    watch();
  }

  private boolean hasReadAhead(ByteBuf held) {
    return held.readableBytes() < settings.readAhead() && !context.requestMemory().isSpent();
  }

  private void resumeReading() {
    if (decoder != null && decoder.isPaused()) {
      decoder.resumed();
      pace.startReading();
      regulateReads();
    }
  }

  // Answers: ClientStream.

  @Override
  public Loop loop() {
    return context.loop();
  }

  @Override
  public Peer peer() {
    return peer;
  }

  @Override
  public @Nullable Body requestBody() {
    return requestBody;
  }

  @Override
  public void interim(ResponseHead head) {
    if (state != State.CLOSED) {
      answer.interim(head);
    }
  }

  @Override
  public void respond(
      ResponseHead head, long drop, List<String> dropNames, byte[] added, Body body) {
    if (!mayAnswer()) {
      body.desert();
      return;
    }
    answer.head(head, drop, dropNames, added);
    answerBody = body;
    body.follow(this);
  }

  @Override
  public void respond(int status, Headers fields, byte[] body) {
    if (!mayAnswer()) {
      return;
    }
    if (requestBody != null) {
      requestBody.desert();
    }
    answer.whole(status, fields, body);
    if (events != null) {
      flushAnswer();
    }
  }

  @Override
  public void abandon(Cause cause) {
    cut(cause);
  }

  private boolean mayAnswer() {
    if (state == State.CLOSED || state == State.LINGERING || answer.isStarted()) {
      return false;
    }
    // RFC 9112 9.6: an answer before the request's end is the connection's last.
    boolean early = requestBody != null && !requestBody.isComplete();
    boolean noMore = inputClosed && in == null;
    if (early || noMore || context.isDraining()) {
      answer.isLast();
    }
    return true;
  }

  // The answer's body: Body.Reader.

  @Override
  public boolean chunk(ByteBuf chunk) {
    if (state == State.CLOSED) {
      chunk.release();
      return true;
    }
    return answer.chunk(chunk);
  }

  @Override
  public void flush() {
    ctx.flush();
    watch();
  }

  @Override
  public void complete(Trailers trailers) {
    if (state == State.CLOSED) {
      return;
    }
    answerBody = null;
    answer.finish(trailers);
    flushAnswer();
  }

  @Override
  public void aborted(Cause cause) {
    answerBody = null;
    if (state == State.CLOSED) {
      return;
    }
    ctx.flush();
    if (answer.endsWithConnection()) {
      // Without length or chunks only a reset tells a cut body from a whole one.
      ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
    cut(cause);
  }

  // The end of an exchange.

  /** The answer is written; the exchange is over once the socket has it. */
  private void flushAnswer() {
    ctx.flush();
    if (answer.unsent() == 0) {
      finished();
      return;
    }
    watch();
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            sent -> {
              if (sent.isSuccess()) {
                finished();
              }
            });
  }

  private void finished() {
    if (state == State.CLOSED) {
      return;
    }
    boolean mayComeMore = state != State.ANSWERING || in != null;
    end(Cause.COMPLETE);
    if (!answer.keepsAlive() || inputClosed && in == null) {
      stopServing(mayComeMore);
      return;
    }
    state = State.HEAD;
    timer.in(settings.clientIdle().toNanos());
    if (context.isDraining()) {
      cut(Cause.SHUTDOWN);
    } else if (in != null) {
      process();
    } else {
      regulateReads();
    }
  }

  private void end(Cause cause) {
    RequestEvents exchange = events;
    Body upload = requestBody;
    events = null;
    requestBody = null;
    decoder = null;
    answerBody = null;
    if (exchange != null) {
      exchange.ended(cause, answer.bytes());
    }
    if (upload != null) {
      upload.abort(cause == Cause.COMPLETE ? Cause.CLIENT_BODY_ABORTED : cause);
    }
  }

  /** RFC 9112 9.6: half-close, read on for a while so that the answer is not reset away, close. */
  private void stopServing(boolean mayComeMore) {
    if (inputClosed || !mayComeMore || !(ctx.channel() instanceof DuplexChannel duplex)) {
      cut(Cause.CLIENT_LEFT);
      return;
    }
    state = State.LINGERING;
    if (in != null) {
      in.release();
      in = null;
    }
    duplex.shutdownOutput();
    timer.in(ClientContext.LINGER_NANOS);
    regulateReads();
  }

  private void linger(ByteBuf bytes) {
    lingered += bytes.readableBytes();
    bytes.release();
    if (lingered > LINGER_BYTES) {
      cut(Cause.CLIENT_LEFT);
    }
  }

  /** Ends the exchange, if there is one, for {@code cause}, and the connection. */
  private void cut(Cause cause) {
    if (state != State.CLOSED) {
      ctx.close();
      closed(cause);
    }
  }

  private void closed(Cause cause) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    timer.close();
    if (in != null) {
      in.release();
      in = null;
    }
    end(cause);
    context.closed(this);
  }

  /** The process stops: an idle connection goes at once, a busy one behind its answer. */
  void drain() {
    if (state == State.HEAD && scanner.isUntouched() && in == null) {
      cut(Cause.SHUTDOWN);
    }
  }

  /** The process stops now. */
  void kill() {
    cut(Cause.SHUTDOWN);
  }

  // Time.

  /**
   * The timer runs only while the client owes something: bytes of its upload, or reading (DEC-32).
   */
  private void watch() {
    if (state != State.BODY && state != State.ANSWERING) {
      return;
    }
    long unsent = answer.unsent();
    if (unsent > 0) {
      pace.watchWriting(answer.bytes() - unsent);
    } else {
      pace.stopWriting();
    }
    if (unsent > 0 || owesBody()) {
      // A byte now and then must not put the next look off for ever.
      if (!timer.isArmed()) {
        timer.in(ClientPace.TICK_NANOS);
      }
    } else {
      timer.off();
    }
  }

  private boolean owesBody() {
    return state == State.BODY && decoder != null && !decoder.isPaused();
  }

  private void onTimer() {
    switch (state) {
      case HEAD -> {
        if (scanner.isUntouched()) {
          cut(Cause.CLIENT_HEADER_TIMEOUT);
        } else {
          refuse(Cause.CLIENT_HEADER_TIMEOUT);
        }
      }
      case BODY, ANSWERING -> onPace();
      case LINGERING -> cut(Cause.CLIENT_LEFT);
      case CLOSED -> {}
    }
  }

  private void onPace() {
    boolean judged = events != null && events.holdsCapacity();
    long unsent = answer.unsent();
    if (unsent > 0) {
      judge(pace.writeTick(answer.bytes() - unsent, judged), Cause.SLOW_CLIENT);
    } else if (owesBody()) {
      judge(pace.readTick(judged), Cause.CLIENT_BODY_TIMEOUT);
    }
  }

  private void judge(ClientPace.Verdict verdict, Cause whenStill) {
    switch (verdict) {
      case FINE -> timer.in(ClientPace.TICK_NANOS);
      case STILL -> slow(whenStill);
      case TOO_SLOW -> slow(Cause.SLOW_CLIENT);
    }
  }

  /** 408 and close for an upload, cut for a download (DEC-32). */
  private void slow(Cause cause) {
    if (state == State.BODY && !answer.isStarted()) {
      uploadFailed(cause);
    } else {
      cut(cause);
    }
  }
}
