package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.attempts.Breaker;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the process knows of one upstream: its addresses, its counts, how fast it answers, whether
 * it passes its probes and whether it failed real traffic. Thread-safe.
 */
public final class UpstreamState {

  private final FetchSettings.Upstream upstream;
  private final long seed;
  private final Runnable changed;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger idle = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Endpoints endpoints = new Endpoints();
  private final Latency latency = new Latency();
  private final Breaker breaker = new Breaker();
  private volatile boolean healthy = true;
  private volatile boolean ejected;
  private volatile boolean removed;
  private volatile @Nullable Identity identity;
  private volatile boolean answers;
  private volatile long answeredNanos;
  private volatile @Nullable String lastProbe;
  private volatile int failedProbes;

  /**
   * @param changed told when it became healthy, unhealthy, ejected or not ejected any more
   */
  UpstreamState(FetchSettings.Upstream upstream, Runnable changed) {
    this.upstream = upstream;
    this.seed = HashByPath.hash(upstream.label());
    this.changed = changed;
  }

  /** As configured: {@code host:port}. */
  public String label() {
    return upstream.label();
  }

  String host() {
    return upstream.host();
  }

  int port() {
    return upstream.port();
  }

  long seed() {
    return seed;
  }

  // Its state.

  /** Whether it passes its probes; true where there are none. */
  public boolean isHealthy() {
    return healthy;
  }

  /** What the probes say; any thread. */
  void healthy(boolean passes) {
    if (healthy != passes) {
      healthy = passes;
      changed.run();
    }
  }

  /** Whether real traffic failed there, so that it is left out for a while. */
  public boolean isEjected() {
    return ejected;
  }

  /** Leaves it out, or takes it back, as far as ORG-16 lets; any thread. */
  public void eject(boolean out) {
    if (ejected != out) {
      ejected = out;
      changed.run();
    }
  }

  /** What real traffic says of it. */
  public Breaker breaker() {
    return breaker;
  }

  /**
   * Leaves it out, or takes it back, as its breaker says; any thread. Of two that follow at once
   * the later looks again, so the last word is the breaker's.
   */
  void followBreaker() {
    boolean out;
    do {
      out = breaker.isEjected();
      eject(out);
    } while (out != breaker.isEjected());
  }

  /** Whether a reload took it out of the configuration; what is under way there goes on. */
  public boolean isRemoved() {
    return removed;
  }

  void removed(boolean gone) {
    removed = gone;
  }

  /** How it proves who it is on a new connection; null = nobody asks. */
  @Nullable Identity identity() {
    return identity;
  }

  void identity(@Nullable Identity proof) {
    identity = proof;
  }

  // Its addresses.

  /** Those of its name; empty until it resolved once. */
  public List<InetSocketAddress> addresses() {
    return endpoints.all();
  }

  Endpoints endpoints() {
    return endpoints;
  }

  /** Whether its name means these and others, or always this one. */
  boolean isLiteral() {
    return upstream.isLiteral();
  }

  /** Whether a connection to {@code address} may be kept for the next flight. */
  boolean keeps(InetSocketAddress address) {
    return !removed && endpoints.has(address);
  }

  /** What its name means now; whether that is another set than before. */
  boolean resolved(List<InetSocketAddress> found) {
    return endpoints.replace(found);
  }

  // Its counts.

  /** Open connections of the whole process, those under way included. */
  public int connections() {
    return connections.get();
  }

  /** Those of them that carry nothing. */
  public int idle() {
    return idle.get();
  }

  /** Attempts under way. */
  public int inFlight() {
    return inFlight.get();
  }

  /** How long it took to answer, on average and of late; -1 before its first answer. */
  public long latencyNanos() {
    return latency.averageNanos();
  }

  long latencyNanos(long nowNanos) {
    return latency.nanos(nowNanos);
  }

  /** Counts a connection to be opened; false: {@code max} are open, 0 is no bound. */
  boolean open(int max) {
    if (connections.incrementAndGet() > max && max > 0) {
      connections.decrementAndGet();
      return false;
    }
    return true;
  }

  void closed() {
    connections.decrementAndGet();
  }

  void idled() {
    idle.incrementAndGet();
  }

  void idleTaken() {
    idle.decrementAndGet();
  }

  void began() {
    inFlight.incrementAndGet();
  }

  void ended() {
    inFlight.decrementAndGet();
  }

  /** An attempt that began at {@code sinceNanos} has its head. */
  void answered(long sinceNanos, long nowNanos) {
    latency.record(nowNanos - sinceNanos, nowNanos);
    answeredNanos = nowNanos;
    if (!answers) {
      answers = true;
    }
  }

  /** An attempt got no answer: who fails fast must not look fast. */
  void unanswered(long sinceNanos, long nowNanos) {
    latency.record(Math.max(Latency.FAILURE_NANOS, nowNanos - sinceNanos), nowNanos);
  }

  /** Whether an attempt had its head since then. */
  boolean answeredSince(long sinceNanos) {
    return answers && answeredNanos - sinceNanos >= 0;
  }

  // Its probes.

  /** How the last one ended, or null: none did. */
  void probed(@Nullable String how, int failedInARow) {
    lastProbe = how;
    failedProbes = failedInARow;
  }

  /** How the last probe ended: {@code passed} or why not; null where none did. */
  public @Nullable String lastProbe() {
    return lastProbe;
  }

  /** How many failed since one passed. */
  public int failedProbes() {
    return failedProbes;
  }
}
