package dev.sluice.wire.origin;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.ConnectionOptions;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.WebSocketHandshake;
import dev.sluice.net.LazyTimer;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.http1.BodyDecoder;
import dev.sluice.wire.http1.HeadScanner;
import dev.sluice.wire.http1.ResponseParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Takes the answer to one request at a time out of an upstream's bytes: interim heads, the final
 * one, the body. While the answer's reader pauses, so do the socket and its timer, because it is
 * the reader who owes (DEC-32). Confined to the connection's loop.
 */
final class ResponseReader implements Body.Source {

  private enum Phase {
    /** Nothing is asked, or nothing is read any more. */
    OVER,
    /** The head has not come. */
    HEAD,
    /** The body is under way. */
    BODY
  }

  /** RFC 9110 15.2 sets no bound on interim responses; we do (DEC-35). */
  private static final int INTERIM_MAX = 16;

  private static final int INTERIM_BYTES_MAX = 64 * 1024;

  private final ChannelHandlerContext ctx;
  private final OriginConnection connection;
  private final LazyTimer timer;
  private final OriginContext context;
  private final HeadScanner scanner;
  private Phase phase = Phase.OVER;
  private @Nullable ByteBuf in;
  private boolean processing;

  // The answer under way.
  private @Nullable Body body;
  private @Nullable BodyDecoder decoder;
  private boolean toHead;
  private @Nullable Headers handshake;
  private boolean silent = true;
  private boolean persists;
  private int interims;
  private int interimBytes;

  ResponseReader(
      ChannelHandlerContext ctx,
      OriginConnection connection,
      LazyTimer timer,
      OriginContext context) {
    this.ctx = ctx;
    this.connection = connection;
    this.timer = timer;
    this.context = context;
    int maxHeader = context.settings().maxHeader();
    this.scanner = new HeadScanner(maxHeader, maxHeader);
  }

  /** What comes from now on answers {@code request}. */
  void expect(RequestOut request) {
    phase = Phase.HEAD;
    toHead = request.head().isHead();
    handshake = request.upgrade() ? request.head().headers() : null;
    silent = true;
    persists = false;
    interims = 0;
    interimBytes = 0;
  }

  /** Takes {@code bytes}. */
  void read(ByteBuf bytes) {
    silent = false;
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    process();
  }

  /** Nothing more is there to read for now. */
  void flush() {
    if (body != null) {
      body.flush();
    }
  }

  /** The upstream closed its side: true where that is how the body ends, which it then did. */
  boolean endsHere() {
    if (phase != Phase.BODY || decoder == null || !decoder.endsWithConnection()) {
      return false;
    }
    end(Trailers.NONE);
    return true;
  }

  /** Reads nothing any more; a body under way is cut, for {@code cause}. */
  void stop(Cause cause) {
    Body cut = body;
    phase = Phase.OVER;
    body = null;
    decoder = null;
    releaseSpent();
    if (cut != null) {
      cut.abort(cause);
    }
  }

  boolean isAwaiting() {
    return phase == Phase.HEAD;
  }

  boolean isStreaming() {
    return phase == Phase.BODY;
  }

  /** Whether not one byte came since the request. */
  boolean isSilent() {
    return silent;
  }

  // From bytes to the answer.

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    try {
      boolean more = true;
      while (more && in != null && in.isReadable()) {
        more =
            switch (phase) {
              case HEAD -> head(in);
              case BODY -> body(in);
              case OVER -> false;
            };
      }
    } finally {
      processing = false;
    }
    releaseSpent();
  }

  private boolean head(ByteBuf bytes) {
    return switch (scanner.scan(bytes)) {
      case PARTIAL -> false;
      case WHOLE -> parse(bytes);
      case TOO_LARGE, FIRST_LINE_TOO_LARGE -> fail(Cause.ORIGIN_HEADER_TOO_LARGE);
      case BARE_LF -> fail(Cause.ORIGIN_MALFORMED);
    };
  }

  private boolean fail(Cause cause) {
    connection.fail(cause);
    return false;
  }

  private boolean parse(ByteBuf bytes) {
    byte[] head = new byte[scanner.length()];
    bytes.readBytes(head);
    int lines = scanner.lines();
    scanner.reset();
    ResponseParser.Response response = ResponseParser.parse(head, lines, toHead);
    if (response == null) {
      return fail(Cause.ORIGIN_MALFORMED);
    }
    return response.head().isInterim()
        ? interim(response.head(), head.length)
        : begin(response, bytes);
  }

  private boolean interim(ResponseHead head, int length) {
    if (head.status() == 101) {
      return switching(head);
    }
    interimBytes += length;
    if (++interims > INTERIM_MAX || interimBytes > INTERIM_BYTES_MAX) {
      return fail(Cause.ORIGIN_MALFORMED);
    }
    connection.interim(head);
    return phase == Phase.HEAD;
  }

  /** Field case W01: a tunnel is opened by the answer to the handshake, and by nothing less. */
  private boolean switching(ResponseHead head) {
    if (handshake == null) {
      return fail(Cause.ORIGIN_UNASKED_UPGRADE);
    }
    if (!WebSocketHandshake.isAgreedTo(handshake, head.headers())) {
      return fail(Cause.ORIGIN_UPGRADE_MALFORMED);
    }
    ByteBuf behind = in;
    in = null;
    phase = Phase.OVER;
    timer.off();
    connection.switched(head, behind == null ? Unpooled.EMPTY_BUFFER : behind);
    return false;
  }

  private boolean begin(ResponseParser.Response response, ByteBuf bytes) {
    ResponseHead head = response.head();
    phase = Phase.BODY;
    // What an origin made of a handshake that it refused is its secret: no other request meets it.
    boolean ordinary = handshake == null && response.minorVersion() == 1;
    persists = ordinary && !ConnectionOptions.of(head.headers()).close();
    var answer = new Body(this, Integer.MAX_VALUE, null);
    body = answer;
    boolean bodiless = isBodiless(head.framing());
    decoder =
        bodiless ? null : new BodyDecoder(answer, head.framing(), context.settings().maxHeader());
    awaitBytes();
    connection.head(head, answer);
    if (phase != Phase.BODY) {
      return false;
    }
    if (bodiless) {
      end(Trailers.NONE);
      return false;
    }
    return bytes.isReadable();
  }

  private static boolean isBodiless(Framing framing) {
    return framing instanceof Framing.None
        || framing instanceof Framing.Length length && length.bytes() == 0;
  }

  private boolean body(ByteBuf bytes) {
    BodyDecoder from = decoder;
    if (from == null) {
      return false;
    }
    awaitBytes();
    BodyDecoder.Result result = from.decode(bytes);
    if (phase != Phase.BODY) {
      return false;
    }
    switch (result) {
      case MALFORMED -> connection.fail(Cause.ORIGIN_MALFORMED);
      case DONE -> end(from.trailers());
      case MORE -> regulate(from);
    }
    return false;
  }

  private void end(Trailers trailers) {
    Body done = body;
    body = null;
    decoder = null;
    timer.off();
    // Bytes behind a complete answer were never asked for: the connection is not used again.
    persists &= in == null || !in.isReadable();
    if (done != null) {
      done.complete(trailers);
    }
    phase = Phase.OVER;
    connection.answered(persists);
  }

  private void releaseSpent() {
    if (in != null && !processing && (phase == Phase.OVER || !in.isReadable())) {
      in.release();
      in = null;
    }
  }

  // When to read on, and for how long.

  private void awaitBytes() {
    timer.in(context.settings().originRead().toNanos());
  }

  private void regulate(BodyDecoder from) {
    if (from.isPaused()) {
      ctx.channel().config().setAutoRead(false);
      timer.off();
    }
  }

  @Override
  public void resume() {
    if (decoder != null && decoder.isPaused()) {
      decoder.resumed();
      awaitBytes();
      ctx.channel().config().setAutoRead(true);
    }
  }
}
