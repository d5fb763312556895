package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.FetchSettings.LoadBalancing;
import dev.sluice.governor.fetch.FetchSettings.Upstream;
import dev.sluice.governor.fetch.attempts.BreakerSettings;
import dev.sluice.governor.fetch.attempts.RetrySettings;
import dev.sluice.time.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Settings of upstreams on port 1, with defaults that most tests want. Confined to the test. */
final class Fetching {

  private final List<Upstream> upstreams;
  private int maxConnections;

  private Fetching(List<Upstream> upstreams) {
    this.upstreams = upstreams;
  }

  static Fetching of(String... hosts) {
    return new Fetching(Arrays.stream(hosts).map(host -> new Upstream(host, 1)).toList());
  }

  Fetching maxConnections(int most) {
    maxConnections = most;
    return this;
  }

  FetchSettings settings() {
    return new FetchSettings(
        upstreams,
        LoadBalancing.ROUND_ROBIN,
        null,
        null,
        50,
        null,
        Duration.ofSeconds(30),
        null,
        maxConnections,
        64,
        1 << 20,
        BreakerSettings.OFF,
        RetrySettings.OFF);
  }

  /** Every name means this machine. */
  Upstreams upstreams(Ticker ticker) {
    return new Upstreams(settings(), ticker, host -> List.of(InetAddress.getLoopbackAddress()));
  }
}
