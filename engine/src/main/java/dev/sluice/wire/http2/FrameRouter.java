package dev.sluice.wire.http2;

import dev.sluice.flow.Trailers;
import dev.sluice.http.RequestHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.outcome.Protocol;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import dev.sluice.wire.http2.StreamTable.Past;
import io.netty.buffer.ByteBuf;

/**
 * Judges frames by the states of their streams (RFC 9113 5.1, 6) and hands them on: what opens a
 * stream, what belongs to one, what is late, and what is an error of which kind. Confined to its
 * connection's loop.
 */
final class FrameRouter implements FrameSink {

  // Parameters (RFC 9113 6.5.2, RFC 8441 3).
  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;

  private static final int LARGEST_MAX_FRAME_SIZE = (1 << 24) - 1;

  private final Http2Connection connection;
  private final StreamTable table;
  private final FloodGuard guard;
  private final Http2Census census;
  private final ReceivedFields fields;
  private final WireSettings settings;
  private long initialWindow = Outlets.DEFAULT_WINDOW;
  private int left;

  FrameRouter(
      Http2Connection connection,
      StreamTable table,
      FloodGuard guard,
      Http2Census census,
      WireSettings settings) {
    this.connection = connection;
    this.table = table;
    this.guard = guard;
    this.census = census;
    this.settings = settings;
    this.fields = new ReceivedFields(settings.maxHeader());
  }

  /** So many more flights, or fewer, go on without their client (DEC-28). */
  void left(int more) {
    left += more;
  }

  // Requests.

  @Override
  public void headers(int id, ByteBuf block, int dependency, boolean endStream) {
    Decoded decoded = fields.decode(id, block);
    if (decoded == Decoded.BROKEN) {
      connectionError(ErrorCode.COMPRESSION_ERROR, "not a header block");
      return;
    }
    Http2Stream stream = table.get(id);
    if (stream != null) {
      trailers(stream, decoded, endStream);
    } else if ((id & 1) == 0) {
      connectionError(ErrorCode.PROTOCOL_ERROR, "a client's stream has an odd number");
    } else if (id <= table.last()) {
      late(id, true);
    } else {
      table.began(id);
      open(id, decoded, dependency, endStream);
    }
    fields.clear();
  }

  private void open(int id, Decoded decoded, int dependency, boolean endStream) {
    guard.requested();
    if (connection.isTakingNoMore()) {
      // RFC 9113 6.8: it was told, and asks again elsewhere.
      table.remove(id, Past.OUR_RESET);
    } else if (dependency == id) {
      streamError(id, ErrorCode.PROTOCOL_ERROR);
    } else if (table.size() >= Http2Limits.STREAMS || left >= Http2Limits.LEFT_FLIGHTS) {
      census.streamRefused();
      streamError(id, ErrorCode.REFUSED_STREAM);
    } else if (decoded == Decoded.TOO_LARGE) {
      refuse(id, Cause.HEADER_TOO_LARGE, endStream);
    } else {
      read(id, endStream);
    }
  }

  private void read(int id, boolean endStream) {
    RequestFields.Read read = RequestFields.of(fields, endStream, settings.maxTarget());
    if (read instanceof RequestFields.Request request) {
      begin(id, request.head(), endStream);
    } else if (read instanceof RequestFields.Refused refused) {
      refuse(id, refused.cause(), endStream);
    } else {
      connection.sink().refused(connection.peer(), Protocol.HTTP_2, Cause.BAD_REQUEST, 0);
      streamError(id, ErrorCode.PROTOCOL_ERROR);
    }
  }

  private void begin(int id, RequestHead head, boolean endStream) {
    Intake intake =
        new Intake(
            connection, id, head, endStream, settings.readAhead(), connection.requestMemory());
    var stream = new Http2Stream(connection, id, head, intake, initialWindow);
    table.add(stream);
    census.streamOpened();
    stream.begin();
  }

  /** A status without a body, and without an exchange. */
  private void refuse(int id, Cause cause, boolean endStream) {
    FrameWriter writer = connection.writer();
    writer.headers(
        id, connection.fields().response(cause.status()).putLines(connection.date()), true);
    if (endStream) {
      table.remove(id, Past.ENDED);
    } else {
      writer.reset(id, ErrorCode.NO_ERROR);
      table.remove(id, Past.OUR_RESET);
    }
    connection.sink().refused(connection.peer(), Protocol.HTTP_2, cause, 0);
  }

  private void trailers(Http2Stream stream, Decoded decoded, boolean endStream) {
    if (!stream.intake().isOpen()) {
      streamError(stream.id(), ErrorCode.STREAM_CLOSED);
      return;
    }
    Trailers trailers =
        endStream && decoded == Decoded.FIELDS ? RequestFields.trailers(fields) : null;
    // RFC 9113 8.1: a field section behind the head is the end, or malformed.
    if (trailers == null || !stream.inputEnded(trailers)) {
      streamError(stream.id(), ErrorCode.PROTOCOL_ERROR);
    }
  }

  @Override
  public void data(int id, ByteBuf payload, int flowLength, boolean endStream) {
    if (!connection.received(flowLength)) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "more than the connection's window");
      return;
    }
    Http2Stream stream = table.get(id);
    if (stream == null) {
      late(id, false);
      return;
    }
    if (!stream.intake().isOpen()) {
      streamError(id, ErrorCode.STREAM_CLOSED);
      return;
    }
    if (!payload.isReadable() && !endStream) {
      idleFrame();
    }
    connection.touched(stream);
    ErrorCode wrong = stream.data(payload, flowLength);
    if (wrong == null && endStream && !stream.isOver() && !stream.inputEnded(Trailers.NONE)) {
      wrong = ErrorCode.PROTOCOL_ERROR;
    }
    if (wrong != null) {
      streamError(id, wrong);
    }
  }

  /** A frame for a stream that is not open (RFC 9113 5.1). */
  private void late(int id, boolean isHeaders) {
    switch (table.past(id)) {
      case IDLE -> connectionError(ErrorCode.PROTOCOL_ERROR, "a frame on an idle stream");
      case OUR_RESET -> idleFrame();
      case CLIENT_RESET -> streamError(id, ErrorCode.STREAM_CLOSED);
      case ENDED -> connectionError(ErrorCode.STREAM_CLOSED, "a frame behind a stream's end");
      case FORGOTTEN -> {
        if (isHeaders) {
          connectionError(ErrorCode.PROTOCOL_ERROR, "a new stream with a lower number");
        } else {
          streamError(id, ErrorCode.STREAM_CLOSED);
        }
      }
    }
  }

  // Leaving.

  @Override
  public void reset(int id) {
    Http2Stream stream = table.get(id);
    if (stream == null) {
      notOpen(id);
      return;
    }
    boolean oneTooMany = left >= Http2Limits.LEFT_FLIGHTS;
    census.clientReset();
    connection.removed(stream, Past.CLIENT_RESET);
    stream.end(Cause.CLIENT_LEFT);
    if (oneTooMany) {
      calm(GoAwayReason.LEFT_FLIGHTS);
    } else if (guard.reset()) {
      calm(GoAwayReason.RESETS);
    }
  }

  /** A frame that does no harm behind a stream's end, and has no place before its beginning. */
  private void notOpen(int id) {
    if (table.past(id) == Past.IDLE) {
      connectionError(ErrorCode.PROTOCOL_ERROR, "a frame on an idle stream");
    } else {
      idleFrame();
    }
  }

  @Override
  public void goAway() {
    connection.clientLeaves();
  }

  // The connection's own.

  @Override
  public void setting(int id, long value) {
    switch (id) {
      case HEADER_TABLE_SIZE -> connection.writer().tableSize(value);
      case ENABLE_PUSH -> {
        if (value > 1) {
          connectionError(ErrorCode.PROTOCOL_ERROR, "SETTINGS_ENABLE_PUSH is neither 0 nor 1");
        }
      }
      case INITIAL_WINDOW_SIZE -> initialWindow(value);
      case MAX_FRAME_SIZE -> {
        if (value < FrameType.MAX_PAYLOAD || value > LARGEST_MAX_FRAME_SIZE) {
          connectionError(ErrorCode.PROTOCOL_ERROR, "SETTINGS_MAX_FRAME_SIZE out of range");
        }
      }
      default -> {
        // We push nothing, send small heads, and ignore what is unknown (RFC 9113 6.5.2).
      }
    }
  }

  private void initialWindow(long value) {
    if (value > Integer.MAX_VALUE) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE out of range");
      return;
    }
    long change = value - initialWindow;
    initialWindow = value;
    boolean fits = true;
    for (Http2Stream stream : table.all()) {
      fits &= stream.outlet().credit(change);
    }
    if (!fits) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "a stream's window of more than 2^31-1");
    }
  }

  @Override
  public void settingsEnd() {
    connection.writer().settingsAck();
    connection.prefaceCame();
    idleFrame();
  }

  @Override
  public void settingsAcknowledged() {
    idleFrame();
  }

  @Override
  public void ping(long opaque, boolean ack) {
    if (ack) {
      connection.pingAcknowledged(opaque);
    } else {
      connection.writer().ping(opaque, true);
    }
    idleFrame();
  }

  @Override
  public void windowUpdate(int id, int increment) {
    if (id == 0) {
      if (increment == 0) {
        connectionError(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE by 0");
      } else if (!connection.outlets().credit(increment)) {
        connectionError(ErrorCode.FLOW_CONTROL_ERROR, "a window of more than 2^31-1");
      }
      idleFrame();
      return;
    }
    Http2Stream stream = table.get(id);
    if (stream == null) {
      notOpen(id);
      return;
    }
    if (increment == 0) {
      streamError(id, ErrorCode.PROTOCOL_ERROR);
    } else if (!stream.outlet().credit(increment)) {
      streamError(id, ErrorCode.FLOW_CONTROL_ERROR);
    }
    idleFrame();
  }

  @Override
  public void priority(int id, int dependency) {
    if (dependency == id) {
      streamError(id, ErrorCode.PROTOCOL_ERROR);
    }
    idleFrame();
  }

  @Override
  public void unknown() {
    idleFrame();
  }

  // Errors.

  private void idleFrame() {
    if (guard.idleFrame()) {
      calm(GoAwayReason.IDLE_FRAMES);
    }
  }

  @Override
  public void headerFlood() {
    calm(GoAwayReason.HEADER_BLOCK);
  }

  private void calm(GoAwayReason reason) {
    connection.fail(ErrorCode.ENHANCE_YOUR_CALM, reason, reason.code());
  }

  @Override
  public void streamError(int id, ErrorCode code) {
    Http2Stream stream = table.get(id);
    if (stream != null) {
      connection.reset(stream, code, Cause.CLIENT_PROTOCOL);
    } else {
      connection.resetClosed(id, code);
    }
    // Whoever makes us reset does what resetting itself would (CVE-2025-8671).
    if (guard.reset()) {
      calm(GoAwayReason.RESETS);
    }
  }

  @Override
  public void connectionError(ErrorCode code, String what) {
    connection.fail(code, GoAwayReason.PROTOCOL, what);
  }
}
