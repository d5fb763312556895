package dev.sluice.wire.client;

import dev.sluice.flow.ByteBudget;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the client connections of one loop share. Confined to the loop. */
public final class ClientContext {

  /** Room for a method and a version around the longest target. */
  private static final int FIRST_LINE_SLACK = 128;

  private final Loop loop;
  private final Ticker ticker;
  private final DateLine date;
  private final Supplier<WireSettings> settings;
  private final ByteBudget requestMemory;
  private final RequestSink sink;
  private final BooleanSupplier draining;
  private final Set<ServedConnection> connections =
      Collections.newSetFromMap(new IdentityHashMap<>());

  public ClientContext(
      Loop loop,
      Clocks clocks,
      Supplier<WireSettings> settings,
      ByteBudget requestMemory,
      RequestSink sink,
      BooleanSupplier draining) {
    this.loop = loop;
    this.ticker = clocks.ticker();
    this.date = new DateLine(clocks.wall());
    this.settings = settings;
    this.requestMemory = requestMemory;
    this.sink = sink;
    this.draining = draining;
  }

  /** The two clocks that wire reads. */
  public record Clocks(Ticker ticker, WallClock wall) {}

  public Loop loop() {
    return loop;
  }

  public Ticker ticker() {
    return ticker;
  }

  public DateLine date() {
    return date;
  }

  /** Those in force now; a connection keeps the ones it began with. */
  public WireSettings settings() {
    return settings.get();
  }

  public int maxFirstLine() {
    return settings().maxTarget() + FIRST_LINE_SLACK;
  }

  public ByteBudget requestMemory() {
    return requestMemory;
  }

  public RequestSink sink() {
    return sink;
  }

  public boolean isDraining() {
    return draining.getAsBoolean();
  }

  public void opened(ServedConnection connection) {
    connections.add(connection);
  }

  public void closed(ServedConnection connection) {
    connections.remove(connection);
  }

  public void drain() {
    new ArrayList<>(connections).forEach(ServedConnection::drain);
  }

  public void kill() {
    new ArrayList<>(connections).forEach(ServedConnection::kill);
  }
}
