package dev.sluice.wire;

import dev.sluice.flow.Body;
import dev.sluice.flow.ReadableBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Protocol;
import dev.sluice.time.Loop;
import org.jspecify.annotations.Nullable;

/** One request's way back to its client. Confined to the connection's loop. */
public interface ClientStream {

  /** Where it lives. */
  Loop loop();

  /** Who asks. */
  Peer peer();

  /** What the client speaks. */
  Protocol protocol();

  /** The request's body, or null where it has none. */
  @Nullable Body requestBody();

  /** Sends a 1xx on; nothing happens for HTTP/1.0 clients, which do not know them. */
  void interim(ResponseHead head);

  /** Answers with a head and, as it comes, its body. */
  void respond(ResponseOut out, ReadableBody body);

  /**
   * Answers with a stored answer, whole; to HEAD without the body.
   *
   * @param ageSeconds its Age (RFC 9111 5.1)
   * @param added field lines in wire form
   * @param body pinned until {@link RequestEvents#ended}
   */
  void respond(EncodedHead head, long ageSeconds, byte[] added, StoredBody body);

  /** Answers with a message of our own; its Content-Length is written here. */
  void respond(int status, Headers fields, byte[] body);

  /**
   * Answers a WebSocket's handshake with the origin's 101 and makes a tunnel of the connection;
   * only HTTP/1.1 can. Returns what the client says, held-back bytes first.
   */
  default Body tunnel(ResponseOut out, ReadableBody fromOrigin) {
    throw new IllegalStateException("client stream: a tunnel that nobody can have asked for");
  }

  /**
   * Ends it at once, for {@code cause}, and where the protocol has no other way its connection;
   * {@link RequestEvents#ended} follows.
   */
  void abandon(Cause cause);

  /** The flight that its exchange left goes on, and no other exchange is aboard (DEC-28). */
  void leftUnderWay();

  /** That flight is over. */
  void leftEnded();
}
