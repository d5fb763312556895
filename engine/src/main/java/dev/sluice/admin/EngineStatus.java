package dev.sluice.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /status} tells, at one moment. Immutable.
 *
 * @param reloadRefused why the last reload changed nothing; null where none was refused since
 * @param admissions by class of permit: render, static, streaming, upgrade
 * @param application the one that is started with the proxy; null = none is
 * @param tls whose engine does TLS, used or not
 * @param connectionsPerLoop client connections
 */
public record EngineStatus(
    String version,
    long generation,
    String fingerprint,
    @Nullable String reloadRefused,
    boolean ready,
    boolean draining,
    long uptimeMillis,
    String transport,
    String tls,
    List<Listener> listeners,
    Arrivals arrivals,
    Map<String, Admission> admissions,
    Work work,
    List<Upstream> upstreams,
    @Nullable Application application,
    List<Integer> connectionsPerLoop,
    Http2 http2,
    Cache cache,
    Memory memory) {

  /** A bound socket by its purpose; {@code host} as configured. */
  public record Listener(String name, String host, int port) {}

  /**
   * What became of new connections before their first request, counted since the start.
   *
   * @param handshakes of TLS that were completed
   * @param faults of those that were not, by their word
   * @param proxyRefusals connections closed for want of a sound PROXY header from a trusted proxy
   */
  public record Arrivals(long handshakes, Map<String, Long> faults, long proxyRefusals) {}

  /**
   * One ceiling with what stands under it.
   *
   * @param tiers by their word, {@code routes} by their id
   * @param sheds by their cause's word
   */
  public record Admission(
      Scope global,
      Map<String, Scope> tiers,
      Map<String, Scope> routes,
      long grants,
      Map<String, Long> sheds,
      long longestDrainNanos) {}

  /** In units and waiting flights; {@code limit} is Integer.MAX_VALUE where there is none. */
  public record Scope(int limit, int inFlight, int waiting) {

    /** Whether it has a ceiling of its own. */
    public boolean isLimited() {
      return limit < Integer.MAX_VALUE;
    }
  }

  /**
   * What is under way.
   *
   * @param exchanges requests that were read and not answered to their end
   * @param flights those for the origin, waiting or there; one may outlive its exchange
   * @param boardable those of them that take further passengers
   * @param refreshes those of them that renew a stored answer in the background
   */
  public record Work(long exchanges, long flights, int boardable, int refreshes) {}

  /**
   * The store; sizes in bytes, the last three counted since the start.
   *
   * @param variants entries that are one of several of their URL
   * @param pinned of answers that were let go and are still being read
   * @param purges asked for, and those that writes brought with them
   * @param purged entries that purges touched
   */
  public record Cache(
      long entries,
      long variants,
      long bytes,
      long max,
      long pinned,
      long evictions,
      long purges,
      long purged) {}

  /**
   * The clients' HTTP/2.
   *
   * @param connections open now, {@code streams} too; the others are counted since the start
   * @param refused streams beyond what one connection may have
   * @param goAways connections that were told to go away, by the reason's word
   */
  public record Http2(
      long connections,
      long streams,
      long refused,
      long clientResets,
      long ourResets,
      Map<String, Long> goAways) {}

  /** The application that is started with the proxy; {@code lastExit}: null = it never ended. */
  public record Application(String state, long pid, long restarts, @Nullable Integer lastExit) {}

  /**
   * One upstream, as configured.
   *
   * @param addresses what its name means now
   * @param latencyMicros how long it took to answer, on average and of late; -1 = not known yet
   * @param units charged to it against {@code per_upstream}; null where there is none
   * @param breaker what real traffic says of it
   */
  public record Upstream(
      String address,
      List<String> addresses,
      Fitness fitness,
      int connections,
      int idle,
      int inFlight,
      long latencyMicros,
      @Nullable Scope units,
      Breaker breaker) {}

  /**
   * What keeps an upstream in use or out of it; health and ejection are told apart (ORG-09).
   *
   * @param inUse whether flights go there now (ORG-08, ORG-16)
   * @param removed whether a reload took it, and only what was under way there goes on
   * @param lastProbe {@code passed} or why not; null where nobody probes
   * @param failedProbes in a row
   */
  public record Fitness(
      boolean inUse,
      boolean removed,
      boolean healthy,
      boolean ejected,
      @Nullable String lastProbe,
      int failedProbes) {}

  /**
   * An upstream's breaker.
   *
   * @param failures of the {@code attempts} within the window
   * @param trips how often it opened since the start
   */
  public record Breaker(String state, long failures, long attempts, long trips) {}

  /**
   * In bytes.
   *
   * @param spoolHeld of answers under way that are kept for who reads them: spooled, shared, about
   *     to be stored
   */
  public record Memory(
      long heapUsed,
      long heapMax,
      long directUsed,
      long requestBytesHeld,
      long spoolHeld,
      long spoolMax) {}
}
