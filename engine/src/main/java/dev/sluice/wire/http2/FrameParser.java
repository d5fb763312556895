package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Reads what is in frames and checks its syntax: sizes, padding, which frames may be on stream 0,
 * header blocks that nothing interrupts (RFC 9113 6). Confined to its connection's loop.
 */
final class FrameParser {

  private static final int SETTING = 6;

  private final FrameSink sink;
  private final HeaderBlock block;
  private boolean stopped;

  // The frame under way.
  private int flags;
  private int stream;

  /** Header blocks of {@code maxBlock} bytes at most. */
  FrameParser(ByteBufAllocator alloc, FrameSink sink, int maxBlock) {
    this.sink = sink;
    this.block = new HeaderBlock(alloc, maxBlock);
  }

  /** Nothing more is read. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Lets go of a header block that will not end. */
  void release() {
    block.release();
  }

  /** Whether a header block began and did not end. */
  boolean isInHeaders() {
    return block.isOpen();
  }

  /** Bytes of a header block that did not end. */
  int held() {
    return block.held();
  }

  /** A frame's own head came; false where the frame may not come here. */
  boolean begins(int type, int frameFlags, int onStream) {
    flags = frameFlags;
    stream = onStream;
    boolean goesOn = type == FrameType.CONTINUATION && block.isOf(onStream);
    return !block.isOpen()
        || goesOn
        || broken(ErrorCode.PROTOCOL_ERROR, "a header block was interrupted");
  }

  /** The rest of it, which is the caller's; false where no frame may follow. */
  boolean payload(int type, ByteBuf payload) {
    return switch (type) {
      case FrameType.DATA -> data(payload);
      case FrameType.HEADERS -> headers(payload);
      case FrameType.PRIORITY -> priority(payload);
      case FrameType.RST_STREAM -> reset(payload);
      case FrameType.SETTINGS -> settings(payload);
      case FrameType.PUSH_PROMISE -> broken(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE");
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
    int dependency = HeaderBlock.NO_DEPENDENCY;
    if (prioritized) {
      dependency = payload.readInt() & Integer.MAX_VALUE;
      payload.skipBytes(1);
    }
    boolean whole = has(FrameType.END_HEADERS);
    block.begin(stream, dependency, has(FrameType.END_STREAM), payload, whole);
    if (whole) {
      block.handTo(sink, payload);
    }
    return true;
  }

  private boolean continuation(ByteBuf payload) {
    if (!block.isOpen()) {
      return broken(ErrorCode.PROTOCOL_ERROR, "CONTINUATION without a header block");
    }
    if (!block.add(payload)) {
      stopped = true;
      sink.headerFlood();
      return false;
    }
    if (has(FrameType.END_HEADERS)) {
      block.end(sink);
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
    sink.reset(stream, payload.readInt());
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
    while (payload.isReadable() && !stopped) {
      sink.setting(payload.readUnsignedShort(), payload.readUnsignedInt());
    }
    if (!stopped) {
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
    sink.goAway(payload.readInt() & Integer.MAX_VALUE);
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

  /** The connection cannot go on; false, for whoever returns it. */
  boolean broken(ErrorCode code, String what) {
    stopped = true;
    sink.connectionError(code, what);
    return false;
  }
}
