package dev.sluice.wire.client;

import dev.sluice.flow.Body;
import dev.sluice.flow.ByteBudget;
import dev.sluice.http.RequestHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.http1.BodyDecoder;
import dev.sluice.wire.http1.HeadScanner;
import dev.sluice.wire.http1.Heads;
import dev.sluice.wire.http1.RequestParser;
import dev.sluice.wire.http1.TunnelEnd;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests out of a client's bytes, a head and then its body; the next one only once the one
 * before is answered (RFC 9112 9.3.2). Confined to its connection's loop.
 *
 * <p>Reading goes on while a request waits, until {@code server.read_ahead} bytes are held, because
 * a client that leaves is only noticed by reading (DEC-27).
 */
final class RequestReader implements Body.Source {

  private enum Phase {
    /** Between requests, or a head is under way. */
    HEAD,
    /** A body is under way; the request's answer may be, too. */
    BODY,
    /** The request is whole; what comes is held until it is answered. */
    WHOLE,
    /** Nothing is read any more. */
    STOPPED
  }

  /** What was read of a buffer may stay before the rest of it, at most. */
  private static final int SPENT = 64 * 1024;

  private final ChannelHandlerContext ctx;
  private final ClientConnection connection;
  private final ClientRequest request;
  private final ClientTimeouts timeouts;
  private final WireSettings settings;
  private final ByteBudget memory;
  private final HeadScanner scanner;
  private Phase phase = Phase.HEAD;
  private @Nullable ByteBuf in;
  private @Nullable Body body;
  private @Nullable BodyDecoder decoder;
  private boolean processing;
  private boolean inputEnded;
  private boolean served;
  private boolean invited;
  private int charged;

  RequestReader(
      ChannelHandlerContext ctx,
      ClientConnection connection,
      ClientRequest request,
      ClientTimeouts timeouts,
      ClientContext context,
      WireSettings settings) {
    this.ctx = ctx;
    this.connection = connection;
    this.request = request;
    this.timeouts = timeouts;
    this.settings = settings;
    this.memory = context.requestMemory();
    this.scanner = new HeadScanner(settings.maxHeader(), context.maxFirstLine());
  }

  /** Takes {@code bytes}. */
  void read(ByteBuf bytes) {
    if (phase == Phase.BODY) {
      timeouts.moved(bytes.readableBytes());
    }
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    process();
  }

  /** Nothing more is there to read for now. */
  void flush() {
    if (body != null) {
      body.flush();
    }
  }

  /** The client's FIN. */
  void inputEnded() {
    inputEnded = true;
    judgeEnd();
  }

  /** The request is answered: the one behind it may begin. */
  void next() {
    phase = Phase.HEAD;
    if (in == null) {
      regulate();
    } else {
      process();
    }
  }

  /** Reads nothing any more; what is held is dropped. */
  void stop() {
    phase = Phase.STOPPED;
    body = null;
    decoder = null;
    settle();
  }

  /**
   * What comes from now on is no request's: {@code end} gets it, the bytes that were held back
   * first.
   */
  void handOver(TunnelEnd end) {
    ByteBuf held = in;
    in = null;
    phase = Phase.STOPPED;
    settle();
    if (held != null) {
      end.read(held);
    }
    if (inputEnded) {
      end.inputEnded();
    }
  }

  /** Whether no byte of a next request came. */
  boolean isIdle() {
    return phase == Phase.HEAD && scanner.isUntouched() && in == null;
  }

  boolean isInBody() {
    return phase == Phase.BODY;
  }

  /** Whether there can be no further request. */
  boolean isAtEnd() {
    return inputEnded && in == null;
  }

  /** Whether the client may be sending still, or sent more than was asked for. */
  boolean mayComeMore() {
    return !inputEnded && (phase != Phase.WHOLE || in != null);
  }

  // From bytes to requests.

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    try {
      boolean more = true;
      while (more && in != null) {
        more =
            switch (phase) {
              case HEAD -> head(in);
              case BODY -> body(in);
              case WHOLE, STOPPED -> false;
            };
      }
    } finally {
      processing = false;
    }
    settle();
    if (inputEnded) {
      judgeEnd();
    }
    regulate();
  }

  private boolean head(ByteBuf bytes) {
    if (scanner.isUntouched()) {
      skipEmptyLine(bytes);
      if (!bytes.isReadable()) {
        return false;
      }
      timeouts.head();
    }
    return switch (scanner.scan(bytes)) {
      case PARTIAL -> false;
      case BARE_LF -> refuse(Cause.BAD_REQUEST);
      case TOO_LARGE -> refuse(Cause.HEADER_TOO_LARGE);
      case FIRST_LINE_TOO_LARGE -> refuse(Cause.URI_TOO_LONG);
      case WHOLE -> parse(bytes);
    };
  }

  /** RFC 9112 2.2: one empty line before a request line is forgiven, behind an earlier request. */
  private void skipEmptyLine(ByteBuf bytes) {
    int at = bytes.readerIndex();
    if (served && bytes.readableBytes() >= 2 && bytes.getShort(at) == (short) Heads.CRLF) {
      bytes.skipBytes(2);
    }
  }

  private boolean parse(ByteBuf bytes) {
    byte[] head = new byte[scanner.length()];
    bytes.readBytes(head);
    int lines = scanner.lines();
    scanner.reset();
    timeouts.headEnded();
    RequestParser.Parsed parsed = RequestParser.parse(head, lines, settings.maxTarget());
    if (parsed instanceof RequestParser.Request whole) {
      begin(whole.head());
      return true;
    }
    return refuse(((RequestParser.Refusal) parsed).cause());
  }

  private boolean refuse(Cause cause) {
    request.refuse(cause);
    return false;
  }

  private void begin(RequestHead head) {
    served = true;
    timeouts.begin();
    if (!head.hasBody()) {
      phase = Phase.WHOLE;
      request.begin(head, null);
      return;
    }
    var upload = new Body(this, settings.readAhead(), memory);
    body = upload;
    decoder = new BodyDecoder(upload, head.framing(), settings.maxHeader());
    phase = Phase.BODY;
    invited = false;
    if (!ClientRequest.waitsForContinue(head)) {
      continued();
    }
    request.begin(head, upload);
  }

  private boolean body(ByteBuf bytes) {
    Body to = body;
    BodyDecoder from = decoder;
    if (to == null || from == null) {
      throw new IllegalStateException("request reader: BODY without a body");
    }
    if (bytes.isReadable()) {
      continued();
    }
    BodyDecoder.Result result = from.decode(bytes);
    if (phase != Phase.BODY) {
      // Whoever took the bytes ended the exchange.
      return false;
    }
    if (result == BodyDecoder.Result.MALFORMED) {
      request.uploadFailed(Cause.CLIENT_BODY_ABORTED);
      return false;
    }
    if (result == BodyDecoder.Result.DONE) {
      phase = Phase.WHOLE;
      body = null;
      decoder = null;
      to.complete(from.trailers());
    }
    request.uploadMoved();
    // In the body still: what is left are the first bytes of a trailer section, which needs more.
    return phase != Phase.BODY && bytes.isReadable();
  }

  /** Behind a FIN, what is here is all there will be. */
  private void judgeEnd() {
    switch (phase) {
      case HEAD, BODY -> connection.cut(Cause.CLIENT_LEFT);
      case WHOLE -> {
        if (in == null) {
          request.isLast();
        }
        if (!settings.halfCloseServes()) {
          // DEC-27: the client may have left, also before a request that was behind another.
          request.halfClosed();
        }
      }
      case STOPPED -> {}
    }
  }

  /** Nothing is held that was read, and what is held is in the account. */
  private void settle() {
    if (processing) {
      return;
    }
    ByteBuf held = in;
    if (held != null && (phase == Phase.STOPPED || !held.isReadable())) {
      held.release();
      in = null;
    } else if (held != null && held.readerIndex() > SPENT) {
      // Else a client whose reads all end inside a head would have all it ever sent held here.
      in = ctx.alloc().ioBuffer(held.readableBytes()).writeBytes(held);
      held.release();
    }
    // DEC-32: pipelined bytes, and those of a head under way, are held request bytes, too.
    charged = memory.charge(charged, in == null ? 0 : in.readableBytes());
  }

  // When to read on.

  /** From now on the client owes its body: it was told to go on, or did unasked (DEC-32). */
  void continued() {
    if (!invited) {
      invited = true;
      timeouts.startReading();
      regulate();
    }
  }

  @Override
  public void resume() {
    if (decoder != null && decoder.isPaused()) {
      decoder.resumed();
      timeouts.startReading();
      regulate();
    }
  }

  private void regulate() {
    if (phase == Phase.STOPPED) {
      return;
    }
    boolean bodyWanted = decoder != null && !decoder.isPaused();
    boolean wanted =
        switch (phase) {
          case HEAD -> true;
          case BODY -> bodyWanted;
          case WHOLE -> in == null || hasReadAhead(in);
          case STOPPED -> false;
        };
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    timeouts.watch(bodyWanted && invited);
  }

  private boolean hasReadAhead(ByteBuf held) {
    return held.readableBytes() < settings.readAhead() && !memory.isSpent();
  }
}
