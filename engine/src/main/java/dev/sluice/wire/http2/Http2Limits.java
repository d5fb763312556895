package dev.sluice.wire.http2;

import java.util.concurrent.TimeUnit;

/**
 * What one connection may ask for, however it asks (docs/OPERATIONS.md lists what a client's may).
 * Beyond {@link #STREAMS} a stream is refused; beyond any other the connection is told to calm
 * down.
 */
final class Http2Limits {

  /**
   * Streams at once: what RFC 9113 6.5.2 asks for at least, and browsers ever use. As many of ours
   * on a connection to an upstream that allows as many.
   */
  static final int STREAMS = 100;

  /** Flights that a connection may have left and that go on without it (DEC-28). */
  static final int LEFT_FLIGHTS = 8;

  /**
   * Streams that end by a reset, by the client's or by one that the client provoked, in each {@link
   * #RESET_WINDOW_NANOS}.
   */
  static final int RESETS = 200;

  /** Streams that an upstream may reset in the same time (F01). */
  static final int ORIGIN_RESETS = 400;

  static final long RESET_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Frames that move nothing (PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, unknown types,
   * frames for streams that are over) that may come at once; so many more come back in {@link
   * #IDLE_FRAMES_PER_SECOND}, and with what is moved.
   */
  static final int IDLE_FRAMES = 1_000;

  static final int IDLE_FRAMES_PER_SECOND = 100;

  /** Each frame of an answer may be credited twice: its stream's window and the connection's. */
  static final int IDLE_FRAMES_PER_DATA = 2;

  /** A request may set its stream's priority and windows, and take them back. */
  static final int IDLE_FRAMES_PER_REQUEST = 4;

  /** What a long download may earn. */
  static final int IDLE_FRAMES_EARNED = 100_000;

  /** CONTINUATION frames of one header block beyond those that its size needs. */
  static final int CONTINUATIONS = 16;

  /**
   * How much larger than {@code server.max_header} a header block may be and still be read to its
   * end, so that it costs its own stream only and the connection goes on.
   */
  static final int BLOCK_FACTOR = 4;

  /** The connection's own window: it is refilled on receipt, streams hold what they must. */
  static final int CONNECTION_WINDOW = 256 * 1024;

  /** An answer's window is its body's (DEC-26, DEC-50); bytes. */
  static final int ANSWER_WINDOW = 64 * 1024;

  /** Bytes of a message that wait for the peer's window before its source is paced. */
  static final int HELD = 64 * 1024;

  /** Streams that are over and whose late frames are told from errors. */
  static final int REMEMBERED = 128;

  private Http2Limits() {}
}
