package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames out of a connection's bytes, one whole frame after the other (RFC 9113 3.4, 4.1).
 * What is in them, {@link FrameParser} reads. Confined to its connection's loop.
 */
final class FrameReader {

  /** What a client begins with (RFC 9113 3.4). */
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private enum Phase {
    /** The client's preface is awaited. */
    PREFACE,
    /** The peer's first frame, which is SETTINGS, is. */
    FIRST,
    FRAMES
  }

  /** What was read of a buffer may stay before its frames in part, at most. */
  private static final int SPENT = 64 * 1024;

  private final ChannelHandlerContext ctx;
  private final FrameParser parser;
  private Phase phase;
  private @Nullable ByteBuf in;
  private boolean processing;

  /** Reads what comes to us in {@code role}. */
  FrameReader(ChannelHandlerContext ctx, FrameParser parser, Role role) {
    this.ctx = ctx;
    this.parser = parser;
    this.phase = role == Role.SERVER ? Phase.PREFACE : Phase.FIRST;
  }

  /** Takes {@code bytes}. */
  void read(ByteBuf bytes) {
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    if (processing) {
      return;
    }
    processing = true;
    try {
      while (!parser.isStopped() && step(in)) {
        // Frame by frame.
      }
    } finally {
      processing = false;
    }
    releaseSpent();
  }

  /** Reads nothing any more; what is held is dropped. */
  void stop() {
    parser.stop();
    releaseSpent();
  }

  /** Whether a header block began and did not end. */
  boolean isInHeaders() {
    return parser.isInHeaders();
  }

  /** Bytes of a frame, and of a header block, that are not whole. */
  int held() {
    return parser.held() + (in == null ? 0 : in.readableBytes());
  }

  private void releaseSpent() {
    if (processing) {
      return;
    }
    if (parser.isStopped()) {
      parser.release();
    }
    if (in != null && (parser.isStopped() || !in.isReadable())) {
      in.release();
      in = null;
    } else if (in != null && in.readerIndex() > SPENT) {
      // Else a peer whose reads all end inside a frame would have all it ever sent held here.
      ByteBuf rest = ctx.alloc().ioBuffer(in.readableBytes()).writeBytes(in);
      in.release();
      in = rest;
    }
  }

  private boolean step(ByteBuf bytes) {
    return phase == Phase.PREFACE ? preface(bytes) : frame(bytes);
  }

  private boolean preface(ByteBuf bytes) {
    int length = Math.min(PREFACE.length, bytes.readableBytes());
    for (int i = 0; i < length; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != PREFACE[i]) {
        return parser.broken(ErrorCode.PROTOCOL_ERROR, "not a connection preface");
      }
    }
    if (length < PREFACE.length) {
      return false;
    }
    bytes.skipBytes(length);
    phase = Phase.FIRST;
    return true;
  }

  private boolean frame(ByteBuf bytes) {
    if (bytes.readableBytes() < FrameType.HEAD) {
      return false;
    }
    int at = bytes.readerIndex();
    int length = bytes.getUnsignedMedium(at);
    int type = bytes.getUnsignedByte(at + 3);
    int flags = bytes.getUnsignedByte(at + 4);
    int stream = bytes.getInt(at + 5) & Integer.MAX_VALUE;
    if (length > FrameType.MAX_PAYLOAD) {
      return parser.broken(ErrorCode.FRAME_SIZE_ERROR, "frame larger than SETTINGS_MAX_FRAME_SIZE");
    }
    boolean isSettings = type == FrameType.SETTINGS && (flags & FrameType.ACK) == 0;
    if (phase == Phase.FIRST && !isSettings) {
      return parser.broken(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
    }
    if (!parser.begins(type, flags, stream) || bytes.readableBytes() < FrameType.HEAD + length) {
      return false;
    }
    phase = Phase.FRAMES;
    bytes.skipBytes(FrameType.HEAD);
    return parser.payload(type, bytes.readSlice(length));
  }
}
