package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;

/** Who takes frames whose syntax is right, or hears that it is not. Called on one loop. */
interface FrameSink {

  /**
   * DATA.
   *
   * @param payload without the padding; the reader's
   * @param flowLength what flow control counts: padding too (RFC 9113 6.9.1)
   */
  void data(int stream, ByteBuf payload, int flowLength, boolean endStream);

  /**
   * A whole header block.
   *
   * @param block the reader's
   * @param dependency the stream it is said to depend on, or -1
   */
  void headers(int stream, ByteBuf block, int dependency, boolean endStream);

  void priority(int stream, int dependency);

  void reset(int stream, int code);

  /** One parameter; {@link #settingsEnd} follows the last. */
  void setting(int id, long value);

  void settingsEnd();

  void settingsAcknowledged();

  void ping(long opaque, boolean ack);

  /** {@code last}: the highest stream that the peer looks at. */
  void goAway(int last);

  void windowUpdate(int stream, int increment);

  /** A frame of a type that RFC 9113 does not know: ignored (RFC 9113 4.1). */
  void unknown();

  /** What came is an error of one stream; the next frame may follow. */
  void streamError(int stream, ErrorCode code);

  /** What came is an error of the connection; no frame follows. */
  void connectionError(ErrorCode code, String what);

  /** A header block of more, or of smaller, frames than any peer needs; no frame follows. */
  void headerFlood();
}
