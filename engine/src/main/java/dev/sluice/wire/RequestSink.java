package dev.sluice.wire;

import dev.sluice.http.RequestHead;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Protocol;

/** Who takes requests off a client's connection: the governor. Called on the connection's loop. */
public interface RequestSink {

  /** A request's head arrived; the events of its exchange go to what is returned. */
  RequestEvents begin(ClientStream stream, RequestHead head);

  /** A refusal before there was a request: it is counted and logged, its answer is wire's. */
  void refused(Peer peer, Protocol protocol, Cause cause, long bodyBytes);
}
