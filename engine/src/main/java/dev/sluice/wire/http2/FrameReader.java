package dev.sluice.wire.http2;

import static dev.sluice.wire.http2.FrameType.HEAD;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames out of a connection's bytes and checks their syntax: sizes, padding, which frames
 * may be on stream 0, header blocks that nothing interrupts (RFC 9113 3.4, 4, 6). Confined to its
 * connection's loop.
 */
final class FrameReader {

  /** What an HTTP/2 connection begins with (RFC 9113 3.4). */
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int SETTING = 6;
  private static final int NO_DEPENDENCY = -1;

  private enum Phase {
    /** The client's preface is awaited. */
    PREFACE,
    /** Its first frame, which is SETTINGS, is. */
    FIRST,
    FRAMES,
    STOPPED
  }

  private final ChannelHandlerContext ctx;
  private final FrameSink sink;
  private final int maxBlock;
  private Phase phase = Phase.PREFACE;
  private @Nullable ByteBuf in;
  private boolean processing;

  // The frame under way.
  private int flags;
  private int stream;

  // The header block under way.
  private @Nullable ByteBuf block;
  private int blockStream;
  private int blockDependency;
  private boolean blockEnds;
  private int continuations;

  /** Header blocks of {@code maxBlock} bytes at most. */
  FrameReader(ChannelHandlerContext ctx, FrameSink sink, int maxBlock) {
    this.ctx = ctx;
    this.sink = sink;
    this.maxBlock = maxBlock;
  }

  /** Takes {@code bytes}. */
  void read(ByteBuf bytes) {
    in = in == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, bytes);
    if (processing) {
      return;
    }
    processing = true;
    try {
      while (phase != Phase.STOPPED && step(in)) {
        // Frame by frame.
      }
    } finally {
      processing = false;
    }
    releaseSpent();
  }

  /** Reads nothing any more; what is held is dropped. */
  void stop() {
    phase = Phase.STOPPED;
    releaseSpent();
  }

  /** Whether a header block began and did not end. */
  boolean isInHeaders() {
    return block != null;
  }

  private void releaseSpent() {
    boolean stopped = phase == Phase.STOPPED && !processing;
    if (in != null && !processing && (stopped || !in.isReadable())) {
      in.release();
      in = null;
    }
    if (block != null && stopped) {
      block.release();
      block = null;
    }
  }

  private boolean step(ByteBuf bytes) {
    return phase == Phase.PREFACE ? preface(bytes) : frame(bytes);
  }

  private boolean preface(ByteBuf bytes) {
    int length = Math.min(PREFACE.length, bytes.readableBytes());
    for (int i = 0; i < length; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != PREFACE[i]) {
        return broken(ErrorCode.PROTOCOL_ERROR, "not a connection preface");
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
    if (bytes.readableBytes() < HEAD) {
      return false;
    }
    int at = bytes.readerIndex();
    int length = bytes.getUnsignedMedium(at);
    int type = bytes.getUnsignedByte(at + 3);
    if (length > FrameType.MAX_PAYLOAD) {
      return broken(ErrorCode.FRAME_SIZE_ERROR, "frame larger than SETTINGS_MAX_FRAME_SIZE");
    }
    flags = bytes.getUnsignedByte(at + 4);
    stream = bytes.getInt(at + 5) & Integer.MAX_VALUE;
    if (phase == Phase.FIRST && (type != FrameType.SETTINGS || has(FrameType.ACK))) {
      return broken(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
    }
    if (block != null && (type != FrameType.CONTINUATION || stream != blockStream)) {
      return broken(ErrorCode.PROTOCOL_ERROR, "a header block was interrupted");
    }
    if (bytes.readableBytes() < HEAD + length) {
      return false;
    }
    phase = Phase.FRAMES;
    bytes.skipBytes(HEAD);
    ByteBuf payload = bytes.readSlice(length);
    return payload(type, payload);
  }

  private boolean payload(int type, ByteBuf payload) {
    return switch (type) {
      case FrameType.DATA -> data(payload);
      case FrameType.HEADERS -> headers(payload);
      case FrameType.PRIORITY -> priority(payload);
      case FrameType.RST_STREAM -> reset(payload);
      case FrameType.SETTINGS -> settings(payload);
      case FrameType.PUSH_PROMISE -> broken(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE from a client");
      case FrameType.PING -> ping(payload);
      case FrameType.GOAWAY -> goAway(payload);
      case FrameType.WINDOW_UPDATE -> windowUpdate(payload);
      case FrameType.CONTINUATION -> continuation(payload);
      default -> {
        sink.unknown();
        yield true;
      }
    };
  }

  private boolean data(ByteBuf payload) {
    int flowLength = payload.readableBytes();
    if (!onStream("DATA") || !unpad(payload, 0)) {
      return false;
    }
    sink.data(stream, payload, flowLength, has(FrameType.END_STREAM));
    return true;
  }

  private boolean headers(ByteBuf payload) {
    boolean prioritized = has(FrameType.HAS_PRIORITY);
    if (!onStream("HEADERS") || !unpad(payload, prioritized ? 5 : 0)) {
      return false;
    }
    blockStream = stream;
    blockEnds = has(FrameType.END_STREAM);
    blockDependency = NO_DEPENDENCY;
    continuations = 0;
    if (prioritized) {
      blockDependency = payload.readInt() & Integer.MAX_VALUE;
      payload.skipBytes(1);
    }
    if (has(FrameType.END_HEADERS)) {
      sink.headers(stream, payload, blockDependency, blockEnds);
    } else {
      block = ctx.alloc().buffer(2 * FrameType.MAX_PAYLOAD).writeBytes(payload);
    }
    return true;
  }

  private boolean continuation(ByteBuf payload) {
    ByteBuf under = block;
    if (under == null) {
      return broken(ErrorCode.PROTOCOL_ERROR, "CONTINUATION without a header block");
    }
    int most = Http2Limits.CONTINUATIONS + maxBlock / FrameType.MAX_PAYLOAD;
    if (++continuations > most || under.readableBytes() + payload.readableBytes() > maxBlock) {
      phase = Phase.STOPPED;
      sink.headerFlood();
      return false;
    }
    under.writeBytes(payload);
    if (has(FrameType.END_HEADERS)) {
      block = null;
      try {
        sink.headers(blockStream, under, blockDependency, blockEnds);
      } finally {
        under.release();
      }
    }
    return true;
  }

  private boolean priority(ByteBuf payload) {
    if (!onStream("PRIORITY")) {
      return false;
    }
    if (payload.readableBytes() != 5) {
      sink.streamError(stream, ErrorCode.FRAME_SIZE_ERROR);
    } else {
      sink.priority(stream, payload.readInt() & Integer.MAX_VALUE);
    }
    return true;
  }

  private boolean reset(ByteBuf payload) {
    if (!onStream("RST_STREAM") || !hasLength("RST_STREAM", payload, 4)) {
      return false;
    }
    sink.reset(stream);
    return true;
  }

  private boolean settings(ByteBuf payload) {
    if (!onConnection("SETTINGS")) {
      return false;
    }
    if (has(FrameType.ACK)) {
      if (!hasLength("SETTINGS", payload, 0)) {
        return false;
      }
      sink.settingsAcknowledged();
      return true;
    }
    if (payload.readableBytes() % SETTING != 0) {
      return broken(ErrorCode.FRAME_SIZE_ERROR, "SETTINGS of a size that is not a multiple of 6");
    }
    while (payload.isReadable() && phase != Phase.STOPPED) {
      sink.setting(payload.readUnsignedShort(), payload.readUnsignedInt());
    }
    if (phase != Phase.STOPPED) {
      sink.settingsEnd();
    }
    return true;
  }

  private boolean ping(ByteBuf payload) {
    if (!onConnection("PING") || !hasLength("PING", payload, 8)) {
      return false;
    }
    sink.ping(payload.readLong(), has(FrameType.ACK));
    return true;
  }

  private boolean goAway(ByteBuf payload) {
    if (!onConnection("GOAWAY")) {
      return false;
    }
    if (payload.readableBytes() < 8) {
      return broken(ErrorCode.FRAME_SIZE_ERROR, "GOAWAY of less than 8 bytes");
    }
    sink.goAway();
    return true;
  }

  private boolean windowUpdate(ByteBuf payload) {
    if (!hasLength("WINDOW_UPDATE", payload, 4)) {
      return false;
    }
    sink.windowUpdate(stream, payload.readInt() & Integer.MAX_VALUE);
    return true;
  }

  // What several frames have in common.

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private boolean onStream(String frame) {
    return stream != 0 || broken(ErrorCode.PROTOCOL_ERROR, frame + " on stream 0");
  }

  private boolean onConnection(String frame) {
    return stream == 0 || broken(ErrorCode.PROTOCOL_ERROR, frame + " on a stream");
  }

  private boolean hasLength(String frame, ByteBuf payload, int length) {
    return payload.readableBytes() == length
        || broken(ErrorCode.FRAME_SIZE_ERROR, frame + " of a wrong size");
  }

  /** Takes the padding off; {@code fixed} bytes of fields stand behind the padding's length. */
  private boolean unpad(ByteBuf payload, int fixed) {
    int padding = 0;
    if (has(FrameType.PADDED)) {
      if (!payload.isReadable()) {
        return broken(ErrorCode.FRAME_SIZE_ERROR, "padded frame without its padding's length");
      }
      padding = payload.readUnsignedByte();
    }
    int left = payload.readableBytes() - fixed;
    if (left < 0) {
      return broken(ErrorCode.FRAME_SIZE_ERROR, "frame too short for its flags");
    }
    // RFC 9113 6.1: padding of the payload's length or more.
    if (padding > left) {
      return broken(ErrorCode.PROTOCOL_ERROR, "padding longer than its frame");
    }
    payload.writerIndex(payload.writerIndex() - padding);
    return true;
  }

  private boolean broken(ErrorCode code, String what) {
    phase = Phase.STOPPED;
    sink.connectionError(code, what);
    return false;
  }
}
