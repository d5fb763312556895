package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.attempts.BreakerSettings;
import dev.sluice.governor.fetch.attempts.RetrySettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the origin is reached. Immutable.
 *
 * @param upstreams each {@code host:port}, at least one
 * @param via the pseudonym for {@code Via}: null = none (DEC-46); {@code auto} is resolved at start
 * @param finishTimeout how long an answer that nobody follows is read on (DEC-28)
 * @param abandonHold how long a permit outlives an attempt that was torn down; null = auto: the
 *     median of completed service times within 1 s and 10 s (DEC-29)
 * @param maxConnections per upstream and process; 0 = no bound (DEC-37)
 * @param maxIdle idle connections kept per process, as resolved from {@code auto}
 * @param discardMax bytes discarded at most when nobody follows and nothing will be stored
 * @param breaker when an upstream that fails real traffic is left alone
 * @param retry whether there are further attempts, and how many
 */
public record FetchSettings(
    List<Upstream> upstreams,
    @Nullable String via,
    Duration finishTimeout,
    @Nullable Duration abandonHold,
    int maxConnections,
    int maxIdle,
    long discardMax,
    BreakerSettings breaker,
    RetrySettings retry) {

  public FetchSettings {
    upstreams = List.copyOf(upstreams);
  }

  /** One address of the origin's pool: a name or an IP literal without brackets, and a port. */
  public record Upstream(String host, int port) {

    /** As in the configuration, logs and metrics: {@code host:port}, IPv6 in brackets. */
    public String label() {
      return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
  }
}
