package dev.sluice.wire;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.ConnectionOptions;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelProgressivePromise;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 connection to an upstream: one attempt at a time, never a pipelined one, so an answer
 * can belong to one request only (RFC 9112 9.2). Confined to its event loop.
 */
final class OriginConnection extends ChannelInboundHandlerAdapter implements OriginStream {

  private enum State {
    /** Nothing is asked; any byte that comes is a reason to close. */
    IDLE,
    /** Asked; the head has not come. */
    AWAITING,
    /** The body is under way. */
    STREAMING,
    CLOSED
  }

  private static final Logger log = LoggerFactory.getLogger(OriginConnection.class);
  private static final int HEAD_ESTIMATE = 1024;

  /** RFC 9110 15.2 sets no bound on interim responses; we do (DEC-35). */
  private static final int MAX_INTERIM = 16;

  private static final int MAX_INTERIM_BYTES = 64 * 1024;

  private static final long OWN_FIELDS =
      FieldName.setOf(
          FieldName.HOST,
          FieldName.CONTENT_LENGTH,
          FieldName.TRANSFER_ENCODING,
          FieldName.CONNECTION,
          FieldName.KEEP_ALIVE,
          FieldName.PROXY_CONNECTION,
          FieldName.UPGRADE);

  private final OriginContext context;
  private final OriginOwner owner;
  private final HeadScanner scanner;
  private final LazyTimer timer;
  private ChannelHandlerContext ctx;
  private Upload upload;
  private State state = State.IDLE;
  private @Nullable ByteBuf in;
  private boolean processing;
  private boolean reused;
  private long idleSinceNanos;

  // The attempt under way.
  private @Nullable OriginEvents events;
  private @Nullable RequestHead request;
  private @Nullable Body answer;
  private @Nullable BodyDecoder decoder;
  private boolean requestWritten;
  private boolean untouched;
  private boolean silent = true;
  private boolean reusable;
  private boolean outputFailed;
  private int interims;
  private int interimBytes;

  // ctx and upload are set in handlerAdded, before anything else can happen here.
  @SuppressWarnings("NullAway.Init")
  OriginConnection(OriginContext context, OriginOwner owner) {
    this.context = context;
    this.owner = owner;
    int maxHeader = context.settings().maxHeader();
    this.scanner = new HeadScanner(maxHeader, maxHeader);
    this.timer = new LazyTimer(context.loop(), context.ticker(), this::onTimer);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    upload = new Upload(context, this);
  }

  // OriginStream.

  @Override
  public boolean isReused() {
    return reused;
  }

  @Override
  public boolean isUntouched() {
    return untouched;
  }

  @Override
  public boolean isSilent() {
    return silent;
  }

  @Override
  public long idleSinceNanos() {
    return idleSinceNanos;
  }

  @Override
  public void send(RequestOut out, @Nullable Body body, OriginEvents listener) {
    if (state != State.IDLE) {
      throw new IllegalStateException("origin connection: send in " + state);
    }
    state = State.AWAITING;
    events = listener;
    request = out.head();
    requestWritten = false;
    untouched = true;
    silent = true;
    reusable = false;
    interims = 0;
    interimBytes = 0;
    writeHead(out);
    if (state == State.CLOSED) {
      return;
    }
    if (body == null) {
      requestWritten();
    } else {
      upload.start(body, out.head().framing() instanceof Framing.Chunked);
    }
  }

  @Override
  public void cancel() {
    events = null;
    close();
  }

  private void writeHead(RequestOut out) {
    RequestHead head = out.head();
    ByteBuf buffer = ctx.alloc().ioBuffer(HEAD_ESTIMATE);
    Heads.requestLine(buffer, head.method(), head.target().raw());
    Heads.field(buffer, "Host", head.authority());
    Heads.fields(buffer, head.headers(), OWN_FIELDS | out.drop(), out.dropNames(), out.internal());
    buffer.writeBytes(out.added());
    if (head.framing() instanceof Framing.Length length) {
      Heads.contentLength(buffer, length.bytes());
    } else if (head.framing() instanceof Framing.Chunked) {
      Heads.chunked(buffer);
    }
    buffer.writeShort(Heads.CRLF);
    if (reused) {
      // Only here must we know later whether one byte left (DEC-29).
      ChannelProgressivePromise promise = ctx.newProgressivePromise();
      promise.addListener(new FirstByte());
      ctx.writeAndFlush(buffer, promise);
    } else {
      untouched = false;
      ctx.writeAndFlush(buffer, ctx.voidPromise());
    }
  }

  /** Learns that bytes of the request left, from the channel's own count. */
  private final class FirstByte implements io.netty.channel.ChannelProgressiveFutureListener {
    @Override
    public void operationProgressed(
        io.netty.channel.ChannelProgressiveFuture future, long progress, long total) {
      untouched &= progress == 0;
    }

    @Override
    public void operationComplete(io.netty.channel.ChannelProgressiveFuture future) {
      if (future.isSuccess()) {
        untouched = false;
      } else if (state == State.AWAITING) {
        fail(Cause.CONNECTION_TERMINATED);
      }
    }
  }

  /** The whole request was handed to the socket: from now on the origin owes its head. */
  void requestWritten() {
    requestWritten = true;
    if (state == State.AWAITING) {
      timer.in(context.settings().originResponse().toNanos());
    } else if (state == State.IDLE || state == State.CLOSED) {
      return;
    } else if (answer == null) {
      finished();
    }
  }

  /** The client broke its upload off: the origin must not see a complete request (DEC-28). */
  void uploadAborted(Cause cause) {
    fail(cause);
  }

  // Netty's side.

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (state == State.CLOSED) {
      bytes.release();
      return;
    }
    if (state == State.IDLE) {
      // RFC 9112 9.2: bytes that nobody asked for belong to nobody.
      bytes.release();
      close();
      return;
    }
    silent = false;
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    process();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (answer != null) {
      answer.flush();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean writable = context.channel().isWritable();
    if (state == State.AWAITING && upload.isActive()) {
      // An origin that takes no more of its request owes, and one that does may take its time.
      if (writable) {
        timer.off();
      } else {
        timer.in(this.context.settings().originResponse().toNanos());
      }
    }
    if (writable) {
      upload.writable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (state == State.STREAMING && decoder != null && decoder.endsWithConnection()) {
      bodyDone(Trailers.NONE);
    } else {
      fail(state == State.STREAMING ? Cause.ORIGIN_CUT_SHORT : Cause.CONNECTION_TERMINATED);
    }
    closed();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext unused, Throwable cause) {
    if (!(cause instanceof IOException)) {
      log.error("origin connection failed", cause);
      fail(Cause.INTERNAL_ERROR);
      return;
    }
    // A write error does not cancel reading an answer that is on its way (RFC 9112 9.5). A read
    // error closes the channel, and the attempt ends there.
    outputFailed = true;
    upload.stop();
    if (state == State.AWAITING) {
      timer.in(context.settings().originResponse().toNanos());
    }
  }

  // The answer.

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    try {
      boolean more = true;
      while (more && in != null && in.isReadable()) {
        more =
            switch (state) {
              case AWAITING -> head(in);
              case STREAMING -> body(in);
              case IDLE, CLOSED -> false;
            };
      }
    } finally {
      processing = false;
    }
    if (in != null && (!in.isReadable() || state == State.CLOSED)) {
      in.release();
      in = null;
    }
  }

  private boolean head(ByteBuf bytes) {
    return switch (scanner.scan(bytes)) {
      case PARTIAL -> false;
      case WHOLE -> whole(bytes);
      case TOO_LARGE, FIRST_LINE_TOO_LARGE -> malformed(Cause.ORIGIN_HEADER_TOO_LARGE);
      case BARE_LF -> malformed(Cause.ORIGIN_MALFORMED);
    };
  }

  private boolean malformed(Cause cause) {
    fail(cause);
    return false;
  }

  private boolean whole(ByteBuf bytes) {
    byte[] head = new byte[scanner.length()];
    bytes.readBytes(head);
    int lines = scanner.lines();
    scanner.reset();
    ResponseParser.Response response =
        ResponseParser.parse(head, lines, request != null && request.isHead());
    if (response == null) {
      return malformed(Cause.ORIGIN_MALFORMED);
    }
    return response.head().isInterim()
        ? interim(response.head(), head.length)
        : begin(response, bytes);
  }

  private boolean interim(ResponseHead head, int length) {
    if (head.status() == 101) {
      return malformed(Cause.ORIGIN_UNASKED_UPGRADE);
    }
    interimBytes += length;
    if (++interims > MAX_INTERIM || interimBytes > MAX_INTERIM_BYTES) {
      return malformed(Cause.ORIGIN_MALFORMED);
    }
    if (events != null) {
      events.interim(head);
    }
    return state == State.AWAITING;
  }

  private boolean begin(ResponseParser.Response response, ByteBuf bytes) {
    ResponseHead head = response.head();
    state = State.STREAMING;
    reusable = response.minorVersion() == 1 && !ConnectionOptions.of(head.headers()).close();
    Body body = new Body(this::resumeReading, Integer.MAX_VALUE, null);
    answer = body;
    boolean bodiless =
        head.framing() instanceof Framing.None
            || head.framing() instanceof Framing.Length length && length.bytes() == 0;
    decoder =
        bodiless ? null : new BodyDecoder(body, head.framing(), context.settings().maxHeader());
    timer.in(context.settings().originRead().toNanos());
    if (events != null) {
      events.head(head, body);
    }
    if (state != State.STREAMING) {
      return false;
    }
    if (bodiless) {
      bodyDone(Trailers.NONE);
      return false;
    }
    return bytes.isReadable();
  }

  private boolean body(ByteBuf bytes) {
    BodyDecoder from = decoder;
    if (from == null || answer == null) {
      return false;
    }
    timer.in(context.settings().originRead().toNanos());
    BodyDecoder.Result result = from.decode(bytes);
    if (state != State.STREAMING) {
      return false;
    }
    switch (result) {
      case MALFORMED -> {
        fail(Cause.ORIGIN_MALFORMED);
        return false;
      }
      case DONE -> bodyDone(from.trailers());
      case MORE -> regulateReads(from);
    }
    return false;
  }

  private void bodyDone(Trailers trailers) {
    Body done = answer;
    answer = null;
    decoder = null;
    timer.off();
    // Bytes behind a complete answer were never asked for: the connection is not used again.
    reusable &= !outputFailed && (in == null || !in.isReadable());
    if (done != null) {
      done.complete(trailers);
    }
    if (requestWritten) {
      finished();
    } else {
      // The answer came before the request's end: what is left of the upload goes nowhere.
      upload.stop();
      reusable = false;
      finished();
    }
  }

  private void finished() {
    OriginEvents listener = events;
    events = null;
    request = null;
    if (state == State.CLOSED) {
      return;
    }
    if (reusable && ctx.channel().isActive()) {
      state = State.IDLE;
      reused = true;
      idleSinceNanos = context.ticker().nanos();
      timer.in(context.settings().originIdle().toNanos());
      ctx.channel().config().setAutoRead(true);
      owner.idle(this);
    } else {
      close();
    }
    if (listener != null) {
      listener.ended(Cause.COMPLETE);
    }
  }

  private void regulateReads(BodyDecoder from) {
    if (from.isPaused()) {
      // The reader owes, not the origin: its timer stands still (DEC-32).
      ctx.channel().config().setAutoRead(false);
      timer.off();
    }
  }

  private void resumeReading() {
    if (decoder != null && decoder.isPaused()) {
      decoder.resumed();
      timer.in(context.settings().originRead().toNanos());
      ctx.channel().config().setAutoRead(true);
    }
  }

  // The end.

  private void fail(Cause cause) {
    OriginEvents listener = events;
    Body cut = answer;
    events = null;
    answer = null;
    close();
    if (cut != null) {
      cut.abort(cause);
    }
    if (listener != null) {
      listener.ended(cause);
    }
  }

  private void close() {
    ctx.close();
    closed();
  }

  private void closed() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    timer.close();
    upload.stop();
    if (answer != null) {
      answer.abort(Cause.ORIGIN_CUT_SHORT);
      answer = null;
    }
    if (in != null && !processing) {
      in.release();
      in = null;
    }
    owner.closed(this);
  }

  private void onTimer() {
    switch (state) {
      case IDLE -> close();
      case AWAITING -> fail(Cause.ORIGIN_RESPONSE_TIMEOUT);
      case STREAMING -> fail(Cause.ORIGIN_READ_TIMEOUT);
      case CLOSED -> {}
    }
  }
}
