package dev.sluice.wire.http2;

import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Judges frames by the states of their streams (RFC 9113 5.1, 6), in either role, and hands them
 * on: what belongs to a stream, what is late, and what is an error of which kind. Confined to its
 * connection's loop.
 */
final class FrameRouter<S extends LinkStream> implements FrameSink {

  private final Http2Link<S> link;
  private final LinkEnd<S> end;
  private final Role role;
  private final StreamTable<S> table;
  private final FloodGuard guard;
  private final ReceivedFields fields;

  /** Field sections of {@code maxFields} bytes at most. */
  FrameRouter(Http2Link<S> link, LinkEnd<S> end, Role role, int maxFields) {
    this.link = link;
    this.end = end;
    this.role = role;
    this.table = link.table();
    this.guard = link.guard();
    this.fields = new ReceivedFields(maxFields);
  }

  // Messages.

  @Override
  public void headers(int id, ByteBuf block, int dependency, boolean endStream) {
    Decoded decoded = fields.decode(id, block);
    S stream = table.get(id);
    if (decoded == Decoded.BROKEN) {
      connectionError(ErrorCode.COMPRESSION_ERROR, "not a header block");
    } else if (stream != null) {
      headers(stream, decoded, endStream);
    } else if ((id & 1) == 0) {
      connectionError(ErrorCode.PROTOCOL_ERROR, "a client's stream has an odd number");
    } else if (id <= table.last()) {
      late(id, true);
    } else {
      end.begun(id, fields, decoded, dependency, endStream);
    }
    fields.clear();
  }

  private void headers(S stream, Decoded decoded, boolean endStream) {
    if (!stream.isReceiving()) {
      streamError(stream.id(), ErrorCode.STREAM_CLOSED);
      return;
    }
    link.touched(stream);
    error(stream, stream.headers(fields, decoded, endStream));
  }

  @Override
  public void data(int id, ByteBuf payload, int flowLength, boolean endStream) {
    if (!link.received(flowLength)) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "more than the connection's window");
      return;
    }
    S stream = table.get(id);
    if (stream == null) {
      late(id, false);
    } else if (!stream.isReceiving()) {
      streamError(id, ErrorCode.STREAM_CLOSED);
    } else {
      if (!payload.isReadable() && !endStream) {
        idleFrame();
      }
      link.touched(stream);
      error(stream, stream.data(payload, flowLength, endStream));
    }
  }

  private void error(S stream, @Nullable ErrorCode wrong) {
    if (wrong != null) {
      streamError(stream.id(), wrong);
    }
  }

  /** A frame for a stream that is not open (RFC 9113 5.1). */
  private void late(int id, boolean isHeaders) {
    switch (table.past(id)) {
      case IDLE -> connectionError(ErrorCode.PROTOCOL_ERROR, "a frame on an idle stream");
      case OUR_RESET -> {
        if (guard.lateFrame()) {
          calm(GoAwayReason.IDLE_FRAMES);
        }
      }
      case PEER_RESET -> streamError(id, ErrorCode.STREAM_CLOSED);
      case ENDED -> connectionError(ErrorCode.STREAM_CLOSED, "a frame behind a stream's end");
      case FORGOTTEN -> {
        // RFC 9113 5.1.1; of a stream that we began it may be the late answer.
        if (isHeaders && role == Role.SERVER) {
          connectionError(ErrorCode.PROTOCOL_ERROR, "a new stream with a lower number");
        } else {
          streamError(id, ErrorCode.STREAM_CLOSED);
        }
      }
    }
  }

  // Leaving.

  @Override
  public void reset(int id, int code) {
    S stream = table.get(id);
    if (stream == null) {
      notOpen(id);
      return;
    }
    end.resetByPeer(stream, code);
    if (guard.reset()) {
      calm(GoAwayReason.RESETS);
    }
  }

  /** A frame that does no harm behind a stream's end, and has no place before its beginning. */
  private void notOpen(int id) {
    if (table.past(id) == StreamTable.Past.IDLE) {
      connectionError(ErrorCode.PROTOCOL_ERROR, "a frame on an idle stream");
    } else {
      idleFrame();
    }
  }

  @Override
  public void goAway(int last) {
    end.goneAway(last);
  }

  // The connection's own.

  @Override
  public void setting(int id, long value) {
    long window = link.peer().initialWindow();
    PeerSettings.Fault fault = link.peer().take(id, value);
    if (fault != null) {
      connectionError(fault.code(), fault.sentence());
      return;
    }
    if (id == PeerSettings.HEADER_TABLE_SIZE) {
      link.writer().tableSize(value);
    }
    long change = link.peer().initialWindow() - window;
    if (change != 0 && !creditAll(change)) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "a stream's window of more than 2^31-1");
    }
  }

  /** RFC 9113 6.9.2: what changes the windows to come changes those that stand. */
  private boolean creditAll(long change) {
    boolean fits = true;
    for (S stream : table.all()) {
      fits &= stream.outlet().credit(change);
    }
    return fits;
  }

  @Override
  public void settingsEnd() {
    link.writer().settingsAck();
    end.settingsCame();
    idleFrame();
  }

  @Override
  public void settingsAcknowledged() {
    idleFrame();
  }

  @Override
  public void ping(long opaque, boolean ack) {
    if (ack) {
      end.pingAcknowledged(opaque);
    } else {
      link.writer().ping(opaque, true);
    }
    idleFrame();
  }

  @Override
  public void windowUpdate(int id, int increment) {
    if (id == 0) {
      connectionWindow(increment);
      return;
    }
    S stream = table.get(id);
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

  private void connectionWindow(int increment) {
    if (increment == 0) {
      connectionError(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE by 0");
    } else if (!link.outlets().credit(increment)) {
      connectionError(ErrorCode.FLOW_CONTROL_ERROR, "a window of more than 2^31-1");
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
    end.fail(ErrorCode.ENHANCE_YOUR_CALM, reason, reason.code());
  }

  @Override
  public void streamError(int id, ErrorCode code) {
    S stream = table.get(id);
    if (stream != null) {
      end.reset(stream, code);
    } else {
      end.resetClosed(id, code);
    }
    if (guard.provoked()) {
      calm(GoAwayReason.RESETS);
    }
  }

  @Override
  public void connectionError(ErrorCode code, String what) {
    end.fail(code, GoAwayReason.PROTOCOL, what);
  }
}
