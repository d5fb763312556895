package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to one connection. Small ones gather in one buffer, so that a turn's answers leave
 * in few writes; the bytes of bodies go as they are. Confined to the connection's loop.
 */
final class FrameWriter {

  private static final int GATHERED = 8 * 1024;

  /** Up to here copying is cheaper than one more buffer to write. */
  private static final int COPIED = 1024;

  /** The compression table that we use of what a peer offers (RFC 7541 4.2). */
  private static final int TABLE = 4096;

  private static final int UNCHANGED = -1;

  private static final AsciiString SET_COOKIE = AsciiString.cached("set-cookie");
  private static final AsciiString COOKIE = AsciiString.cached("cookie");
  private static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");

  private final ChannelHandlerContext ctx;

  private final DefaultHttp2HeadersEncoder hpack =
      new DefaultHttp2HeadersEncoder((name, value) -> isSecret(name), true, 16);

  private @Nullable ByteBuf gathered;
  private int lastHeadersFlags = -1;
  private int lastHeadersStream;

  /** What the peer's table became since the last header block: the least of it, and the last. */
  private long leastTable = UNCHANGED;

  private long lastTable = UNCHANGED;

  FrameWriter(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** RFC 7541 7.1.3: what is worth guessing is not put where a guess could be tried. */
  private static boolean isSecret(CharSequence name) {
    return SET_COOKIE.contentEquals(name)
        || COOKIE.contentEquals(name)
        || AUTHORIZATION.contentEquals(name);
  }

  /** What a client begins with. */
  void preface() {
    gathered = ctx.alloc().ioBuffer(GATHERED).writeBytes(FrameReader.PREFACE);
  }

  /** Whether the socket takes more. */
  boolean isWritable() {
    return ctx.channel().isWritable();
  }

  /** A field section; split where a frame does not hold it (RFC 9113 6.10). */
  void headers(int stream, SentFields fields, boolean endStream) {
    ByteBuf block = ctx.alloc().buffer();
    try {
      sizeTable();
      hpack.encodeHeaders(stream, fields, block);
    } catch (Http2Exception e) {
      block.release();
      throw new IllegalStateException("http2: a field section that cannot be encoded", e);
    }
    int end = endStream ? FrameType.END_STREAM : 0;
    int type = FrameType.HEADERS;
    do {
      int length = Math.min(block.readableBytes(), FrameType.MAX_PAYLOAD);
      boolean last = length == block.readableBytes();
      ByteBuf out = head(length, type, end | (last ? FrameType.END_HEADERS : 0), stream, length);
      if (type == FrameType.HEADERS) {
        lastHeadersFlags = out.writerIndex() - 5;
        lastHeadersStream = stream;
      }
      out.writeBytes(block, length);
      type = FrameType.CONTINUATION;
      end = 0;
    } while (block.isReadable());
    block.release();
  }

  /** Makes the stream's HEADERS its last frame, where nothing was written behind it yet. */
  boolean endWithHeaders(int stream) {
    if (gathered == null || lastHeadersFlags < 0 || lastHeadersStream != stream) {
      return false;
    }
    int flags = gathered.getByte(lastHeadersFlags) | FrameType.END_STREAM;
    gathered.setByte(lastHeadersFlags, flags);
    lastHeadersFlags = -1;
    return true;
  }

  /** The head of a DATA frame; {@code length} bytes of {@link #payload} follow. */
  void dataHead(int stream, int length, boolean endStream) {
    int copied = length <= COPIED ? length : 0;
    head(length, FrameType.DATA, endStream ? FrameType.END_STREAM : 0, stream, copied);
    lastHeadersFlags = -1;
  }

  /** Takes bytes of a DATA frame. */
  void payload(ByteBuf bytes) {
    ByteBuf out = gathered;
    if (out != null && bytes.readableBytes() <= COPIED && isRoom(out, bytes.readableBytes())) {
      out.writeBytes(bytes);
      bytes.release();
    } else {
      push();
      ctx.write(bytes, ctx.voidPromise());
    }
  }

  void reset(int stream, ErrorCode code) {
    head(4, FrameType.RST_STREAM, 0, stream, 4).writeInt(code.number());
  }

  void windowUpdate(int stream, int increment) {
    head(4, FrameType.WINDOW_UPDATE, 0, stream, 4).writeInt(increment);
  }

  /** Parameters as id, value, id, value, … */
  void settings(int... parameters) {
    int length = parameters.length * 3;
    ByteBuf out = head(length, FrameType.SETTINGS, 0, 0, length);
    for (int i = 0; i < parameters.length; i += 2) {
      out.writeShort(parameters[i]).writeInt(parameters[i + 1]);
    }
  }

  void settingsAck() {
    head(0, FrameType.SETTINGS, FrameType.ACK, 0, 0);
  }

  void ping(long opaque, boolean ack) {
    head(8, FrameType.PING, ack ? FrameType.ACK : 0, 0, 8).writeLong(opaque);
  }

  void goAway(int lastStream, ErrorCode code, String debug) {
    int length = 8 + debug.length();
    ByteBuf out = head(length, FrameType.GOAWAY, 0, 0, length);
    out.writeInt(lastStream).writeInt(code.number());
    out.writeBytes(debug.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  /** From now on the peer keeps a compression table of {@code size} bytes. */
  void tableSize(long size) {
    lastTable = Math.min(size, TABLE);
    leastTable = leastTable == UNCHANGED ? lastTable : Math.min(leastTable, lastTable);
  }

  /** RFC 7541 4.2: the next block says at most two of all the sizes that there were. */
  private void sizeTable() throws Http2Exception {
    if (lastTable == UNCHANGED) {
      return;
    }
    hpack.maxHeaderTableSize(leastTable);
    if (leastTable != lastTable) {
      hpack.maxHeaderTableSize(lastTable);
    }
    lastTable = UNCHANGED;
    leastTable = UNCHANGED;
  }

  void flush() {
    push();
    ctx.flush();
  }

  /** Nothing more is written. */
  void close() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
    hpack.close();
  }

  private ByteBuf head(int length, int type, int flags, int stream, int room) {
    ByteBuf out = gathered;
    if (out != null && !isRoom(out, FrameType.HEAD + room)) {
      push();
      out = null;
    }
    if (out == null) {
      out = ctx.alloc().ioBuffer(Math.max(GATHERED, FrameType.HEAD + room));
      gathered = out;
    }
    out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    return out;
  }

  private static boolean isRoom(ByteBuf out, int bytes) {
    return out.writableBytes() >= bytes;
  }

  private void push() {
    ByteBuf out = gathered;
    if (out != null) {
      gathered = null;
      lastHeadersFlags = -1;
      ctx.write(out, ctx.voidPromise());
    }
  }
}
