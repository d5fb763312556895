package dev.sluice.wire.http2;

import org.jspecify.annotations.Nullable;

/** What the peer said of itself in SETTINGS (RFC 9113 6.5.2). Confined to its connection's loop. */
final class PeerSettings {

  // Parameters.
  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;

  private static final int LARGEST_MAX_FRAME_SIZE = (1 << 24) - 1;

  /** A value that is out of its parameter's range. */
  enum Fault {
    PUSH(ErrorCode.PROTOCOL_ERROR, "SETTINGS_ENABLE_PUSH out of range"),
    WINDOW(ErrorCode.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE out of range"),
    FRAME_SIZE(ErrorCode.PROTOCOL_ERROR, "SETTINGS_MAX_FRAME_SIZE out of range");

    private final ErrorCode code;
    private final String sentence;

    Fault(ErrorCode code, String sentence) {
      this.code = code;
      this.sentence = sentence;
    }

    ErrorCode code() {
      return code;
    }

    String sentence() {
      return sentence;
    }
  }

  private final Role role;
  private long initialWindow = Outlets.DEFAULT_WINDOW;
  private long maxStreams = Long.MAX_VALUE;
  private long maxHeaderList = Long.MAX_VALUE;

  /** Nothing was said yet; {@code role}: ours. */
  PeerSettings(Role role) {
    this.role = role;
  }

  /** Takes one parameter; what is wrong with it, or null. What is unknown is ignored. */
  @Nullable Fault take(int id, long value) {
    switch (id) {
      case ENABLE_PUSH -> {
        // A server may say nothing but that it takes none; we never push, whatever a client says.
        return value > (role == Role.SERVER ? 1 : 0) ? Fault.PUSH : null;
      }
      case MAX_CONCURRENT_STREAMS -> maxStreams = value;
      case INITIAL_WINDOW_SIZE -> {
        if (value > Integer.MAX_VALUE) {
          return Fault.WINDOW;
        }
        initialWindow = value;
      }
      case MAX_FRAME_SIZE -> {
        // Larger frames than all take are never sent.
        boolean valid = value >= FrameType.MAX_PAYLOAD && value <= LARGEST_MAX_FRAME_SIZE;
        return valid ? null : Fault.FRAME_SIZE;
      }
      case MAX_HEADER_LIST_SIZE -> maxHeaderList = value;
      default -> {
        // RFC 9113 6.5.2: ignored.
      }
    }
    return null;
  }

  /** The window that each stream to the peer begins with; bytes. */
  long initialWindow() {
    return initialWindow;
  }

  /** How many streams at once we may begin. */
  long maxStreams() {
    return maxStreams;
  }

  /** The largest field section that it takes, as RFC 9113 6.5.2 counts bytes. */
  long maxHeaderList() {
    return maxHeaderList;
  }
}
