package dev.sluice.wire.http2;

import dev.sluice.flow.Body;
import dev.sluice.flow.Trailers;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an upstream answers to one attempt: interim heads, a head, a body, trailers, in that order
 * and no other (RFC 9113 8.1). Confined to the connection's loop.
 */
final class OriginAnswer {

  /** RFC 9110 15.2 sets no bound on interim responses; we do (DEC-35). */
  private static final int INTERIM_MAX = 16;

  private static final int INTERIM_BYTES_MAX = 64 * 1024;

  private final OriginLane lane;
  private final Http2Link<?> link;
  private final int maxHeader;
  private boolean toHead;
  private int interims;
  private int interimBytes;
  private @Nullable Intake intake;

  /** Heads of {@code maxHeader} bytes at most. */
  OriginAnswer(OriginLane lane, Http2Link<?> link, int maxHeader) {
    this.lane = lane;
    this.link = link;
    this.maxHeader = maxHeader;
  }

  /** {@code head}: whether it is asked for without its body. */
  void expect(boolean head) {
    toHead = head;
  }

  /** A head, interim or final; what is wrong with it, or null. */
  @Nullable ErrorCode head(ReceivedFields fields, Decoded decoded, boolean end) {
    int bytes = OriginResponseFields.bytes(fields);
    if (decoded == Decoded.TOO_LARGE || bytes > maxHeader) {
      lane.resetFor(Cause.ORIGIN_HEADER_TOO_LARGE, ErrorCode.CANCEL);
      return null;
    }
    ResponseHead head = OriginResponseFields.head(fields, toHead, end);
    if (head == null || (head.isInterim() && (end || head.status() == 101))) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    if (head.isInterim()) {
      return interim(head, bytes);
    }
    begin(head, end);
    return null;
  }

  private @Nullable ErrorCode interim(ResponseHead head, int bytes) {
    interimBytes += bytes;
    if (++interims > INTERIM_MAX || interimBytes > INTERIM_BYTES_MAX) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    lane.interim(head);
    return null;
  }

  private void begin(ResponseHead head, boolean end) {
    Intake taking = Intake.ofAnswer(lane, link, head.framing(), end, Http2Limits.ANSWER_WINDOW);
    intake = taking;
    lane.answered(head, Objects.requireNonNull(taking.body()));
    if (end && lane.isAnswering()) {
      ended(taking, Trailers.NONE);
    }
  }

  /** A field section behind the head is the end, or malformed (RFC 9113 8.1). */
  @Nullable ErrorCode trailers(ReceivedFields fields, Decoded decoded, boolean end) {
    Trailers trailers =
        end && decoded == Decoded.FIELDS ? OriginResponseFields.trailers(fields) : null;
    Intake taking = intake;
    if (trailers == null || taking == null) {
      return ErrorCode.PROTOCOL_ERROR;
    }
    ended(taking, trailers);
    return null;
  }

  /** Bytes of the body; what is wrong with them, or null. */
  @Nullable ErrorCode data(ByteBuf payload, int flowLength, boolean end) {
    Intake taking = intake;
    if (taking == null) {
      // Before the head.
      return ErrorCode.PROTOCOL_ERROR;
    }
    ErrorCode wrong = taking.data(payload, flowLength, end);
    if (wrong != null) {
      return wrong;
    }
    if (end && lane.isAnswering()) {
      ended(taking, Trailers.NONE);
    } else {
      lane.oweBytes();
    }
    return null;
  }

  private void ended(Intake taking, Trailers trailers) {
    if (taking.isWhole()) {
      lane.end(trailers);
    } else {
      // Its length lied: never a tidy end.
      lane.resetFor(Cause.ORIGIN_CUT_SHORT, ErrorCode.PROTOCOL_ERROR);
    }
  }

  /** What came should be on its way. */
  void flush() {
    Body body = intake == null ? null : intake.body();
    if (body != null) {
      body.flush();
    }
  }

  /** Whether bytes are wanted, and the upstream may send them. */
  boolean isOwed() {
    return intake != null && intake.isOwed();
  }

  /** It is whole. */
  void complete(Trailers trailers) {
    if (intake != null) {
      intake.end(trailers);
    }
  }

  /** It ended short, for {@code cause}. */
  void abort(Cause cause) {
    Intake taking = intake;
    if (taking != null) {
      taking.close();
      Objects.requireNonNull(taking.body()).abort(cause);
    }
  }
}
