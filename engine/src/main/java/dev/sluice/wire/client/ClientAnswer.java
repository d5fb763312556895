package dev.sluice.wire.client;

import dev.sluice.flow.StoredBody;
import dev.sluice.flow.Trailers;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.wire.ResponseOut;
import dev.sluice.wire.http1.BodyEncoder;
import dev.sluice.wire.http1.Heads;
import dev.sluice.wire.http1.RequestParser;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of one client connection in HTTP/1.1's form, one after the other, and decides
 * with each head whether the connection outlives it (RFC 9112 9.3). Confined to the connection's
 * loop.
 */
final class ClientAnswer {

  private static final int HEAD_ESTIMATE = 512;

  /** What a stored head grows by on its way out: Age, Connection, the empty line. */
  private static final int HEAD_ROOM = 64;

  /** Up to here copying a stored body is cheaper than one more buffer to write. */
  private static final int COPIED_BODY = 2048;

  /** What is written here, or must not cross this connection. */
  private static final long OWN_FIELDS = Heads.OF_THE_CONNECTION;

  private final ChannelHandlerContext ctx;
  private final DateLine date;
  private final BodyEncoder encoder;
  private @Nullable RequestHead asked;
  private boolean keepAlive;
  private boolean started;
  private boolean done;
  private boolean delivered;

  ClientAnswer(ChannelHandlerContext ctx, DateLine date) {
    this.ctx = ctx;
    this.date = date;
    this.encoder = new BodyEncoder(ctx);
  }

  /** The answer to come is {@code head}'s. */
  void expect(RequestHead head) {
    asked = head;
    keepAlive = RequestParser.wantsKeepAlive(head);
    started = false;
    done = false;
    delivered = false;
    encoder.start(false, false);
  }

  /** The answer to come is to no request: nothing well-formed came. */
  void expectNone() {
    asked = null;
    keepAlive = false;
    started = false;
    done = false;
    delivered = false;
  }

  /** No request will be answered behind this one. */
  void isLast() {
    keepAlive = false;
  }

  boolean keepsAlive() {
    return keepAlive;
  }

  /** Whether a final head was written. */
  boolean isStarted() {
    return started;
  }

  /** Whether all of the answer was written, to the channel if not yet to the socket. */
  boolean isDone() {
    return done;
  }

  /** All of the answer is in the socket. */
  void delivered() {
    delivered = true;
  }

  /** Whether a head went out and the answer's end is not in the socket yet. */
  boolean isUnfinished() {
    return started && !delivered;
  }

  /** Whether only the connection's end tells the client that the body is whole. */
  boolean endsWithConnection() {
    return asked != null && asked.minorVersion() == 0;
  }

  /** Body bytes written to the channel. */
  long bytes() {
    return encoder.bytes();
  }

  /** Whether the socket has all that was written; never so once it takes nothing any more. */
  boolean isSent() {
    return ctx.channel().unsafe().outboundBuffer() != null && unsent() == 0;
  }

  /** Bytes that wait for the socket. */
  long unsent() {
    var buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  void interim(ResponseHead head) {
    if (started || asked == null || asked.minorVersion() == 0) {
      return;
    }
    ByteBuf out = ctx.alloc().ioBuffer(HEAD_ESTIMATE);
    Heads.statusLine(out, head.status(), head.reason());
    Heads.fields(out, head.headers(), OWN_FIELDS, List.of());
    out.writeShort(Heads.CRLF);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  /** The origin's head; {@link #chunk} and {@link #finish} follow. */
  void head(ResponseOut answer) {
    started = true;
    ResponseHead head = answer.head();
    boolean chunked = isChunked(head.framing());
    ByteBuf out = ctx.alloc().ioBuffer(HEAD_ESTIMATE + answer.added().length);
    Heads.statusLine(out, head.status(), head.reason());
    long own = OWN_FIELDS | answer.drop();
    if (head.framing() instanceof Framing.None && head.status() != 204) {
      // RFC 9110 8.6: an answer to HEAD and a 304 may tell the length of what they stand for.
      own &= ~FieldName.CONTENT_LENGTH.bit();
    }
    Heads.fields(out, head.headers(), own, answer.dropNames(), answer.internal());
    out.writeBytes(answer.added());
    if (head.framing() instanceof Framing.Length length) {
      Heads.contentLength(out, length.bytes());
    } else if (chunked) {
      Heads.chunked(out);
    }
    endHead(out, head.headers().has(FieldName.DATE));
    ctx.write(out, ctx.voidPromise());
    encoder.start(chunked, head.framing() instanceof Framing.None);
  }

  /** The origin's 101; bytes of a tunnel follow, told by {@link #carried}. */
  void switching(ResponseOut answer) {
    started = true;
    keepAlive = false;
    ResponseHead head = answer.head();
    ByteBuf out = ctx.alloc().ioBuffer(HEAD_ESTIMATE + answer.added().length);
    Heads.statusLine(out, head.status(), head.reason());
    long own = OWN_FIELDS | answer.drop();
    Heads.fields(out, head.headers(), own, answer.dropNames(), answer.internal());
    out.writeBytes(answer.added());
    Heads.webSocket(out);
    out.writeShort(Heads.CRLF);
    ctx.writeAndFlush(out, ctx.voidPromise());
    encoder.start(false, false);
  }

  /** So many bytes of a tunnel were written. */
  void carried(int bytes) {
    encoder.counted(bytes);
  }

  /** A stored answer; its head has a Date and a length. */
  void stored(EncodedHead head, long ageSeconds, byte[] added, StoredBody body) {
    started = true;
    done = true;
    boolean bodiless = asked != null && asked.isHead();
    int length = bodiless ? 0 : body.length();
    boolean inOne = length <= COPIED_BODY;
    ByteBuf out =
        ctx.alloc().ioBuffer(head.length() + HEAD_ROOM + added.length + (inOne ? length : 0));
    out.writeBytes(head.bytes(), 0, head.length());
    Heads.age(out, ageSeconds);
    out.writeBytes(added);
    endHead(out, true);
    encoder.start(false, false);
    encoder.counted(length);
    if (inOne) {
      if (length > 0) {
        body.copyTo(out);
      }
      ctx.write(out, ctx.voidPromise());
    } else {
      ctx.write(out, ctx.voidPromise());
      ctx.write(body.whole(), ctx.voidPromise());
    }
  }

  /** A whole message of our own. */
  void whole(int status, Headers fields, byte[] body) {
    started = true;
    done = true;
    boolean bodiless = status == 204 || status == 304;
    ByteBuf out = ctx.alloc().ioBuffer(HEAD_ESTIMATE + body.length);
    Heads.statusLine(out, status, StatusPhrase.of(status));
    Heads.fields(out, fields, OWN_FIELDS, List.of());
    if (!bodiless) {
      Heads.contentLength(out, body.length);
    }
    endHead(out, fields.has(FieldName.DATE));
    encoder.start(false, false);
    if (!bodiless && (asked == null || !asked.isHead())) {
      out.writeBytes(body);
      encoder.wrote(body.length);
    }
    ctx.write(out, ctx.voidPromise());
  }

  /** Takes {@code chunk}; false asks for a pause. */
  boolean chunk(ByteBuf chunk) {
    encoder.write(chunk);
    return ctx.channel().isWritable();
  }

  void finish(Trailers trailers) {
    encoder.finish(trailers);
    done = true;
  }

  /** HTTP/1.0 knows no chunks: there the connection's end is the body's (RFC 9112 6.3). */
  private boolean isChunked(Framing framing) {
    boolean unknownLength =
        framing instanceof Framing.Chunked || framing instanceof Framing.UntilClose;
    if (unknownLength && endsWithConnection()) {
      keepAlive = false;
      return false;
    }
    return unknownLength;
  }

  private void endHead(ByteBuf out, boolean hasDate) {
    if (!hasDate) {
      out.writeBytes(date.now());
    }
    if (!keepAlive) {
      Heads.close(out);
    } else if (endsWithConnection()) {
      Heads.keepAlive(out);
    }
    out.writeShort(Heads.CRLF);
  }
}
