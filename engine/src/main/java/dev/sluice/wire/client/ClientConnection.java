package dev.sluice.wire.client;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.net.tls.TlsEnd;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.Caller;
import dev.sluice.wire.WireSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's HTTP/1.1 connection from its first byte to its close: one exchange at a time, in the
 * order of the requests (RFC 9112 9). {@link RequestReader} takes requests out of its bytes, {@link
 * ClientRequest} is the one under way, {@link ClientAnswer} writes the answers. Confined to its
 * event loop.
 */
final class ClientConnection implements ServedConnection {

  /** What becomes of bytes that come. */
  private enum State {
    /** They are requests. */
    SERVING,
    /** They are the origin's business: a tunnel. */
    TUNNELLING,
    /** The last answer is written; what still comes is dropped for a while. */
    LINGERING,
    CLOSED
  }

  private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);

  private final ChannelHandlerContext ctx;
  private final ClientContext context;
  private final ClientAnswer answer;
  private final ClientTimeouts timeouts;
  private final ClientRequest request;
  private final RequestReader reader;
  private final LingeringClose lingering;
  private State state = State.SERVING;
  private @Nullable ClientTunnel tunnel;

  ClientConnection(ChannelHandlerContext ctx, ClientContext context, Caller caller) {
    WireSettings settings = context.settings();
    this.ctx = ctx;
    this.context = context;
    this.answer = new ClientAnswer(ctx, context.date());
    this.timeouts = new ClientTimeouts(this, answer, context, settings);
    this.request = new ClientRequest(ctx, this, answer, timeouts, context, caller);
    this.reader = new RequestReader(ctx, this, request, timeouts, context, settings);
    this.lingering = new LingeringClose(ctx.channel());
  }

  // What the channel says.

  void opened() {
    context.opened(this);
    timeouts.head();
  }

  void read(ByteBuf bytes) {
    if (state == State.SERVING) {
      reader.read(bytes);
    } else if (tunnel != null && state == State.TUNNELLING) {
      tunnel.end().read(bytes);
    } else if (!lingering.drop(bytes)) {
      cut(Cause.CLIENT_LEFT);
    }
  }

  void readComplete() {
    reader.flush();
    if (tunnel != null) {
      tunnel.end().readComplete();
    }
  }

  void writable() {
    request.writable();
    if (tunnel != null) {
      tunnel.end().writable();
    }
  }

  /** The client's FIN. */
  void inputEnded() {
    if (state == State.SERVING) {
      reader.inputEnded();
    } else if (tunnel == null || state != State.TUNNELLING || !tunnel.end().finCame()) {
      cut(Cause.CLIENT_LEFT);
    }
  }

  /** The client's close_notify, where it can be answered still or needs no answer. */
  void secureEnd() {
    if (tunnel != null && state == State.TUNNELLING) {
      tunnel.end().inputEnded();
    } else {
      inputEnded();
    }
  }

  void lost() {
    cut(Cause.CLIENT_LEFT);
  }

  void failed(Throwable failure) {
    if (failure instanceof IOException || failure.getCause() instanceof IOException) {
      cut(Cause.CLIENT_LEFT);
    } else {
      log.error("client connection failed", failure);
      cut(Cause.INTERNAL_ERROR);
    }
  }

  // What the operator says.

  /** The process stops: an idle connection goes at once, a busy one behind its answer. */
  @Override
  public void drain() {
    if (reader.isIdle()) {
      cut(Cause.SHUTDOWN);
    }
  }

  /** The process stops now. */
  @Override
  public void kill() {
    cut(Cause.SHUTDOWN);
  }

  // What the clock says.

  /** No whole head came in time. */
  void headTimedOut() {
    if (reader.isIdle()) {
      cut(Cause.CLIENT_HEADER_TIMEOUT);
    } else {
      request.refuse(Cause.CLIENT_HEADER_TIMEOUT);
    }
  }

  /** 408 and close for an upload, cut for a download (DEC-32). */
  void tooSlow(Cause cause) {
    if (reader.isInBody() && !answer.isStarted()) {
      request.uploadFailed(cause);
    } else {
      cut(cause);
    }
  }

  /** Whether the client's pace is judged. */
  boolean holdsCapacity() {
    return request.holdsCapacity();
  }

  /** The client was told to send the body that it holds back. */
  void continued() {
    reader.continued();
  }

  // A tunnel.

  /** Whether each direction has an end of its own. */
  boolean isTunnel() {
    return state == State.TUNNELLING;
  }

  /** The request was a handshake, and the origin agreed: returns what the client says. */
  Body tunnel(ReadableBody fromOrigin) {
    var made = new ClientTunnel(ctx, this, answer, timeouts);
    state = State.TUNNELLING;
    tunnel = made;
    timeouts.tunnel();
    reader.handOver(made.end());
    made.end().follow(fromOrigin);
    return made.end().input();
  }

  // The end of an exchange, and of the connection.

  /** The socket has all of the answer: the next request, or the end. */
  void answered() {
    if (state == State.CLOSED) {
      return;
    }
    answer.delivered();
    if (!answer.keepsAlive() || reader.isAtEnd()) {
      answeredLast();
      return;
    }
    request.end(Cause.COMPLETE);
    timeouts.idle();
    if (context.isDraining()) {
      cut(Cause.SHUTDOWN);
    } else {
      reader.next();
    }
  }

  private void answeredLast() {
    boolean mayComeMore = reader.mayComeMore();
    reader.stop();
    request.end(Cause.COMPLETE);
    if (mayComeMore && lingering.begin()) {
      state = State.LINGERING;
      timeouts.linger();
    } else {
      cut(Cause.CLIENT_LEFT);
    }
  }

  /** Ends the exchange, if there is one, for {@code cause}, and the connection. */
  void cut(Cause cause) {
    if (state == State.CLOSED) {
      return;
    }
    // First: what cannot be written any more fails while the channel closes, and comes back here.
    state = State.CLOSED;
    boolean tunnelOver = tunnel != null && cause == Cause.COMPLETE;
    if (answer.isUnfinished() && !tunnelOver) {
      TlsEnd.cut(ctx.channel());
    } else {
      ctx.close();
    }
    timeouts.close();
    reader.stop();
    if (tunnel != null) {
      tunnel.end().close(cause);
    }
    request.end(cause);
    context.closed(this);
  }
}
