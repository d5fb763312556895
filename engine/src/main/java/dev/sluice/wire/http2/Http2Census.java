package dev.sluice.wire.http2;

import dev.sluice.outcome.GoAwayReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the HTTP/2 connections of a process's clients count. Thread-safe. */
public final class Http2Census {

  private final LongAdder connections = new LongAdder();
  private final LongAdder streams = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder clientResets = new LongAdder();
  private final LongAdder ourResets = new LongAdder();
  private final Map<GoAwayReason, LongAdder> goAways = new EnumMap<>(GoAwayReason.class);

  public Http2Census() {
    for (GoAwayReason reason : GoAwayReason.values()) {
      goAways.put(reason, new LongAdder());
    }
  }

  /** Connections that are open now. */
  public long connections() {
    return connections.sum();
  }

  /** Streams that are open now. */
  public long streams() {
    return streams.sum();
  }

  /** Streams that were refused for want of room on their connection. */
  public long refused() {
    return refused.sum();
  }

  /** Streams that their client reset. */
  public long clientResets() {
    return clientResets.sum();
  }

  /** Streams that we reset, refused ones included. */
  public long ourResets() {
    return ourResets.sum();
  }

  /** Connections that were told to go away, for {@code reason}. */
  public long goAways(GoAwayReason reason) {
    return counter(reason).sum();
  }

  void connectionOpened() {
    connections.increment();
  }

  void connectionClosed() {
    connections.decrement();
  }

  void streamOpened() {
    streams.increment();
  }

  void streamClosed() {
    streams.decrement();
  }

  void streamRefused() {
    refused.increment();
  }

  void clientReset() {
    clientResets.increment();
  }

  void ourReset() {
    ourResets.increment();
  }

  void goneAway(GoAwayReason reason) {
    counter(reason).increment();
  }

  private LongAdder counter(GoAwayReason reason) {
    LongAdder counter = goAways.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + reason);
    }
    return counter;
  }
}
