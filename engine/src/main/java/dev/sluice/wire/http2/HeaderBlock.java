package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A header block on its way in several frames, which nothing may interrupt (RFC 9113 6.10). Neither
 * its bytes nor its frames are without a bound. Confined to its connection's loop.
 */
final class HeaderBlock {

  static final int NO_DEPENDENCY = -1;

  private final ByteBufAllocator alloc;
  private final int max;
  private @Nullable ByteBuf bytes;
  private int continuations;

  // Of the HEADERS frame that began it.
  private int stream;
  private int dependency;
  private boolean ends;

  /** Blocks of {@code max} bytes at most. */
  HeaderBlock(ByteBufAllocator alloc, int max) {
    this.alloc = alloc;
    this.max = max;
  }

  /** HEADERS came; the block is whole where {@code whole} says so. */
  void begin(int onStream, int dependsOn, boolean endsStream, ByteBuf payload, boolean whole) {
    stream = onStream;
    dependency = dependsOn;
    ends = endsStream;
    continuations = 0;
    if (!whole) {
      bytes = alloc.buffer(2 * FrameType.MAX_PAYLOAD).writeBytes(payload);
    }
  }

  boolean isOpen() {
    return bytes != null;
  }

  /** Its bytes so far. */
  int held() {
    return bytes == null ? 0 : bytes.readableBytes();
  }

  boolean isOf(int otherStream) {
    return stream == otherStream;
  }

  /** Takes a CONTINUATION; false where the block is more than any peer needs. */
  boolean add(ByteBuf payload) {
    ByteBuf to = bytes;
    if (to == null) {
      throw new IllegalStateException("header block: none is open");
    }
    int most = Http2Limits.CONTINUATIONS + max / FrameType.MAX_PAYLOAD;
    if (++continuations > most || to.readableBytes() + payload.readableBytes() > max) {
      return false;
    }
    to.writeBytes(payload);
    return true;
  }

  /** Hands the block that was whole at once, or is now, to {@code sink}. */
  void handTo(FrameSink sink, ByteBuf whole) {
    sink.headers(stream, whole, dependency, ends);
  }

  /** It is whole. */
  void end(FrameSink sink) {
    ByteBuf whole = bytes;
    bytes = null;
    if (whole != null) {
      try {
        handTo(sink, whole);
      } finally {
        whole.release();
      }
    }
  }

  void release() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }
}
