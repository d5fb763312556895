package dev.sluice;

import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.fetch.HealthChecks;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.net.EventLoops;
import dev.sluice.net.NetLoop;
import dev.sluice.net.Transport;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The probes' own loop and what runs on it; neither is there before a configuration asks for
 * probes. Guarded by its own lock, which is held for starts and reloads.
 */
final class UpstreamHealth implements AutoCloseable {

  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  /** Makes the connections of one loop; the same for flights and for probes. */
  interface Connectors {
    OriginConnector on(EventLoops loops, NetLoop loop);
  }

  private final Transport transport;
  private final Ticker ticker;
  private final Connectors connectors;
  private final Upstreams upstreams;
  private @Nullable EventLoops loops;
  private @Nullable HealthChecks checks;

  UpstreamHealth(Transport transport, Ticker ticker, Connectors connectors, Upstreams upstreams) {
    this.transport = transport;
    this.ticker = ticker;
    this.connectors = connectors;
    this.upstreams = upstreams;
  }

  /** From now on like this. */
  synchronized void follow(FetchSettings settings) {
    if (checks == null) {
      if (settings.health() == null) {
        return;
      }
      loops = new EventLoops(transport, 1, "sluice-probe");
      NetLoop loop = loops.all().get(0);
      checks = new HealthChecks(loop, ticker, connectors.on(loops, loop), RANDOM);
    }
    checks.follow(upstreams.all(), settings.health());
  }

  @Override
  public synchronized void close() {
    if (loops != null) {
      loops.close();
    }
  }
}
