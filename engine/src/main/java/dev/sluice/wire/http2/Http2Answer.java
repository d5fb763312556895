package dev.sluice.wire.http2;

import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.wire.ResponseOut;
import io.netty.buffer.Unpooled;

/**
 * Writes a client's stream its answer: the head at once, the body through the stream's {@link
 * Outlet}. Confined to the connection's loop.
 */
final class Http2Answer {

  private final LinkStream stream;
  private final Http2Link<?> link;
  private final ServedClient client;
  private final boolean toHead;
  private boolean started;

  /** {@code toHead}: whether the request was HEAD. */
  Http2Answer(LinkStream stream, Http2Link<?> link, ServedClient client, boolean toHead) {
    this.stream = stream;
    this.link = link;
    this.client = client;
    this.toHead = toHead;
  }

  /** Whether its final head was written. */
  boolean isStarted() {
    return started;
  }

  void interim(ResponseHead interim) {
    link.writer().headers(stream.id(), ResponseFields.interim(link.fields(), interim), false);
  }

  /** An origin's; {@code body} as it comes. */
  void relay(ResponseOut out, ReadableBody body) {
    head(ResponseFields.relayed(link.fields(), out, client.date()), false);
    stream.outlet().follow(body, out.head().framing() instanceof Framing.None);
  }

  /** A stored one, {@code ageSeconds} old. */
  void stored(EncodedHead head, long ageSeconds, byte[] added, StoredBody body) {
    boolean bodiless = toHead || body.length() == 0;
    head(ResponseFields.stored(link.fields(), head, ageSeconds, added), bodiless);
    if (!bodiless) {
      stream.outlet().whole(body.whole());
    }
  }

  /** Ours. */
  void own(int status, Headers fields, byte[] body) {
    boolean measured = status != 204 && status != 304;
    int length = measured ? body.length : -1;
    boolean bodiless = length <= 0 || toHead;
    head(ResponseFields.own(link.fields(), status, fields, length, client.date()), bodiless);
    if (!bodiless) {
      stream.outlet().whole(Unpooled.wrappedBuffer(body));
    }
  }

  private void head(SentFields fields, boolean end) {
    started = true;
    link.writer().headers(stream.id(), fields, end);
    if (end) {
      stream.outlet().endedWithHead();
      stream.sent();
    }
  }
}
