package dev.sluice.wire.http2;

/** The frames' types, flags and sizes as numbers (RFC 9113 4.1, 6). Stateless. */
final class FrameType {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 0x1;
  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int HAS_PRIORITY = 0x20;

  /** Bytes of each frame's own head. */
  static final int HEAD = 9;

  /** The largest payload that anybody must take, and that we take and send. */
  static final int MAX_PAYLOAD = 16 * 1024;

  private FrameType() {}
}
