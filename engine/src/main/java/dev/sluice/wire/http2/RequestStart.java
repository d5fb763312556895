package dev.sluice.wire.http2;

import dev.sluice.http.RequestHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Protocol;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import dev.sluice.wire.http2.StreamTable.Past;

/**
 * What becomes of HEADERS that begin a client's stream: a request, a status without one, a refusal
 * or an error. Confined to its connection's loop.
 */
final class RequestStart {

  private final ServedStreams streams;
  private final Http2Link<Http2Stream> link;
  private final Http2Census census;
  private final ServedClient client;
  private int left;

  RequestStart(
      ServedStreams streams, Http2Link<Http2Stream> link, Http2Census census, ServedClient client) {
    this.streams = streams;
    this.link = link;
    this.census = census;
    this.client = client;
  }

  /** So many more flights, or fewer, go on without their client (DEC-28). */
  void left(int more) {
    left += more;
  }

  /** Whether as many of them go on as may. */
  boolean isSpent() {
    return left >= Http2Limits.LEFT_FLIGHTS;
  }

  /** The client begins {@code stream}, and may. */
  void begun(int stream, ReceivedFields fields, Decoded decoded, int dependency, boolean end) {
    if (dependency == stream) {
      link.streamError(stream, ErrorCode.PROTOCOL_ERROR);
    } else if (link.table().size() >= Http2Limits.STREAMS || isSpent()) {
      census.streamRefused();
      link.streamError(stream, ErrorCode.REFUSED_STREAM);
    } else if (decoded == Decoded.TOO_LARGE) {
      refuse(stream, Cause.HEADER_TOO_LARGE, end);
    } else {
      read(stream, fields, end);
    }
  }

  private void read(int stream, ReceivedFields fields, boolean end) {
    RequestFields.Read read = RequestFields.of(fields, end, client.settings().maxTarget());
    if (read instanceof RequestFields.Request request) {
      begin(stream, request.head(), end);
    } else if (read instanceof RequestFields.Refused refused) {
      refuse(stream, refused.cause(), end);
    } else {
      client.sink().refused(client.peer(), Protocol.HTTP_2, Cause.BAD_REQUEST, 0);
      link.streamError(stream, ErrorCode.PROTOCOL_ERROR);
    }
  }

  private void begin(int id, RequestHead head, boolean end) {
    var stream = new Http2Stream(streams, link, client, id, head, end);
    link.table().add(stream);
    census.streamOpened();
    stream.begin();
  }

  /** A status without a body, and without an exchange. */
  private void refuse(int stream, Cause cause, boolean end) {
    FrameWriter writer = link.writer();
    writer.headers(stream, link.fields().response(cause.status()).putLines(client.date()), true);
    if (!end) {
      writer.reset(stream, ErrorCode.NO_ERROR);
    }
    link.table().remove(stream, end ? Past.ENDED : Past.OUR_RESET);
    client.sink().refused(client.peer(), Protocol.HTTP_2, cause, 0);
  }
}
