package dev.sluice.wire.http2;

import dev.sluice.flow.ByteBudget;
import dev.sluice.http.Headers;
import dev.sluice.time.Loop;
import dev.sluice.wire.Caller;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientPace;

/**
 * Whom a connection serves, and by which settings: what its streams ask for. Confined to its loop.
 *
 * @param settings those in force when the connection began
 */
record ServedClient(ClientContext context, WireSettings settings, Caller caller) {

  Loop loop() {
    return context.loop();
  }

  /** Who is at the connection's other end, whatever requests say. */
  Peer peer() {
    return caller.direct();
  }

  /** For whom a request with these fields is. */
  Peer peerOf(Headers headers) {
    // As trust stands now: a proxy may have been added, or taken away.
    return caller.peer(context.settings().trust(), headers);
  }

  RequestSink sink() {
    return context.sink();
  }

  ByteBudget requestMemory() {
    return context.requestMemory();
  }

  /** The Date line of now, in HTTP/1.1's form. */
  byte[] date() {
    return context.date().now();
  }

  ClientPace newPace() {
    var pace = new ClientPace(settings, context.ticker());
    pace.begin();
    return pace;
  }
}
