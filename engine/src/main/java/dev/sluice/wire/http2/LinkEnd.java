package dev.sluice.wire.http2;

import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.http2.ReceivedFields.Decoded;

/** What the two roles do each in its own way with what {@link FrameRouter} found. */
interface LinkEnd<S extends LinkStream> {

  /** HEADERS with the number of a stream that was not begun yet. */
  void begun(int stream, ReceivedFields fields, Decoded decoded, int dependency, boolean end);

  /** The peer reset {@code stream}. */
  void resetByPeer(S stream, int code);

  /** All parameters of one SETTINGS frame are taken. */
  void settingsCame();

  /** Our ping came back. */
  void pingAcknowledged(long opaque);

  /** The peer takes, or begins, no stream above {@code last} (RFC 9113 6.8). */
  void goneAway(int last);

  /** So many bytes of frames and header blocks that are not whole are held now. */
  void held(int bytes);

  /** Whether the connection's window may be refilled now; if not, this end sees to it later. */
  boolean mayRefill();

  /** Ends an open stream for an error of its own. */
  void reset(S stream, ErrorCode code);

  /** Says that a frame on a stream that is not open was an error of that stream only. */
  void resetClosed(int stream, ErrorCode code);

  /** Ends the connection for an error of the peer. */
  void fail(ErrorCode code, GoAwayReason reason, String what);
}
