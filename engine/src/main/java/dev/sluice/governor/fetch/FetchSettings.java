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
 * @param loadBalancing which of them a flight goes to (ORG-02 to ORG-04)
 * @param health how they are probed; null = not at all (ORG-06, ORG-07)
 * @param identity how a new connection's other end proves to be the origin; null = nobody asks
 *     (H12)
 * @param maxEjectedPercent of them; beyond it ejection is ignored (ORG-16)
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
    LoadBalancing loadBalancing,
    @Nullable HealthSettings health,
    @Nullable Identity identity,
    int maxEjectedPercent,
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

  /** Which upstream a flight goes to. */
  public enum LoadBalancing {
    /** One after the other. */
    ROUND_ROBIN,
    /** One path always to the same one. */
    HASH_BY_PATH,
    /** The least product of flights in flight and observed latency. */
    LEAST_LOADED
  }

  /**
   * How upstreams are probed: {@code unhealthyAfter} failures in a row take one out of use, {@code
   * healthyAfter} successes bring it back.
   */
  public record HealthSettings(
      String path, Duration interval, Duration timeout, int unhealthyAfter, int healthyAfter) {}

  /** The same before these upstreams, which nobody probes. */
  public FetchSettings before(List<Upstream> others) {
    return new FetchSettings(
        others,
        loadBalancing,
        null,
        identity,
        maxEjectedPercent,
        via,
        finishTimeout,
        abandonHold,
        maxConnections,
        maxIdle,
        discardMax,
        breaker,
        retry);
  }

  /** One address of the origin's pool: a name or an IP literal without brackets, and a port. */
  public record Upstream(String host, int port) {

    /** Whether it is an address and no name. */
    boolean isLiteral() {
      return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }

    /** As in the configuration, logs and metrics: {@code host:port}, IPv6 in brackets. */
    public String label() {
      return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
  }
}
