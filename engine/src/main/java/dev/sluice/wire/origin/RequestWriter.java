package dev.sluice.wire.origin;

import dev.sluice.flow.Body;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.net.tls.TlsEnd;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.RequestOut;
import dev.sluice.wire.http1.Heads;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.channel.ChannelProgressivePromise;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to one upstream in HTTP/1.1's form, one after the other, and knows how far each
 * one got. Confined to the connection's loop.
 */
final class RequestWriter {

  private static final int HEAD_ESTIMATE = 1024;

  private static final long OWN_FIELDS = Heads.OF_THE_CONNECTION | FieldName.HOST.bit();

  private final ChannelHandlerContext ctx;
  private final OriginConnection connection;
  private final Upload upload;
  private final FirstByte firstByte = new FirstByte();
  private boolean untouched;
  private boolean written;

  RequestWriter(ChannelHandlerContext ctx, OriginConnection connection) {
    this.ctx = ctx;
    this.connection = connection;
    this.upload = new Upload(ctx, this);
  }

  /** Writes the head; {@link #body} follows. */
  void head(RequestOut out, boolean reused) {
    untouched = true;
    written = false;
    ByteBuf buffer = encode(out);
    if (reused) {
      // Only here must we know later whether one byte left (DEC-29).
      ChannelProgressivePromise promise = ctx.newProgressivePromise();
      promise.addListener(firstByte);
      ctx.writeAndFlush(buffer, promise);
      if (!promise.isDone() && TlsEnd.isSecure(ctx.channel())) {
        // Between here and the socket's count lies TLS: a part of it may have left.
        untouched = false;
      }
    } else {
      untouched = false;
      ctx.writeAndFlush(buffer, ctx.voidPromise());
    }
  }

  /** Writes {@code body} as it comes; null where there is none. */
  void body(Framing framing, @Nullable Body body) {
    if (body == null) {
      written();
    } else {
      upload.start(body, framing instanceof Framing.Chunked);
    }
  }

  /** Whether not one byte of the request reached the socket. */
  boolean isUntouched() {
    return untouched;
  }

  /** Whether the whole request was handed to the socket. */
  boolean isWritten() {
    return written;
  }

  boolean isUploading() {
    return upload.isActive();
  }

  /** Nobody at the other end reads on. */
  void stop() {
    upload.stop();
  }

  void writable() {
    upload.writable();
  }

  /** The upload, if there is one, was written to its end. */
  void written() {
    written = true;
    connection.requestWritten();
  }

  void uploadMoved() {
    connection.continued();
  }

  void uploadAborted(Cause cause) {
    connection.uploadAborted(cause);
  }

  private ByteBuf encode(RequestOut out) {
    RequestHead head = out.head();
    ByteBuf buffer = ctx.alloc().ioBuffer(HEAD_ESTIMATE);
    Heads.requestLine(buffer, head.method(), head.target().raw());
    Heads.field(buffer, "Host", head.authority());
    Heads.fields(buffer, head.headers(), OWN_FIELDS | out.drop(), out.dropNames(), out.internal());
    buffer.writeBytes(out.added());
    if (out.upgrade()) {
      Heads.webSocket(buffer);
    }
    if (head.framing() instanceof Framing.Length length) {
      Heads.contentLength(buffer, length.bytes());
    } else if (head.framing() instanceof Framing.Chunked) {
      Heads.chunked(buffer);
    }
    buffer.writeShort(Heads.CRLF);
    return buffer;
  }

  /** Learns that bytes of the request left, from the channel's own count. */
  private final class FirstByte implements ChannelProgressiveFutureListener {
    @Override
    public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
      untouched &= progress == 0;
    }

    @Override
    public void operationComplete(ChannelProgressiveFuture future) {
      if (future.isSuccess()) {
        untouched = false;
      } else {
        connection.headUnwritten();
      }
    }
  }
}
