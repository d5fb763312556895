package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/** What is written on one HTTP/2 connection to an upstream. Confined to its event loop. */
final class OriginWriter {

  static final long NO_ERROR = Http2Error.NO_ERROR.code();
  static final long PROTOCOL_ERROR = Http2Error.PROTOCOL_ERROR.code();
  static final long CANCEL = Http2Error.CANCEL.code();

  private final OriginSessionHandler handler;
  private final ChannelHandlerContext ctx;

  OriginWriter(OriginSessionHandler handler, ChannelHandlerContext ctx) {
    this.handler = handler;
    this.ctx = ctx;
  }

  ChannelFuture headers(int id, Http2Headers fields, boolean last) {
    return handler.encoder().writeHeaders(ctx, id, fields, 0, last, ctx.newPromise());
  }

  void data(int id, ByteBuf bytes, boolean last) {
    var unused = handler.encoder().writeData(ctx, id, bytes, 0, last, ctx.newPromise());
  }

  /** Whether the upstream's windows and the socket take more of this stream. */
  boolean isWritable(int id) {
    Http2Stream stream = handler.connection().stream(id);
    return stream != null && handler.encoder().flowController().isWritable(stream);
  }

  /** So many bytes of a body have been taken: its stream's window opens again. */
  void consumed(int id, int bytes) throws Http2Exception {
    Http2Stream stream = handler.connection().stream(id);
    if (stream != null && handler.decoder().flowController().consumeBytes(stream, bytes)) {
      flush();
    }
  }

  void reset(int id, long code) {
    if (handler.connection().stream(id) != null) {
      var unused = handler.resetStream(ctx, id, code, ctx.newPromise());
      flush();
    }
  }

  void ping(long opaque) {
    var unused = handler.encoder().writePing(ctx, false, opaque, ctx.newPromise());
    flush();
  }

  void goAway() {
    var unused = handler.goAway(ctx, 0, NO_ERROR, Unpooled.EMPTY_BUFFER, ctx.newPromise());
    flush();
  }

  void flush() {
    handler.flush(ctx);
  }

  void close() {
    ctx.close();
  }

  /** The number of a new stream. */
  int nextStream() {
    return handler.connection().local().incrementAndGetNextStreamId();
  }

  /** Whether another stream may be begun, up to {@code most} at once. */
  boolean hasRoom(int most) {
    var local = handler.connection().local();
    return local.numActiveStreams() < Math.min(most, local.maxActiveStreams())
        // There are 2^30 (RFC 9113 5.1.1).
        && local.lastStreamCreated() < Integer.MAX_VALUE - 4;
  }
}
