package dev.sluice.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /status} tells, at one moment. Immutable.
 *
 * @param reloadRefused why the last reload changed nothing; null where none was refused since
 * @param admissions by class of permit: render, static, streaming
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
    int port,
    Map<String, Admission> admissions,
    Work work,
    List<Upstream> upstreams,
    List<Integer> connectionsPerLoop,
    Memory memory) {

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
   */
  public record Work(long exchanges, long flights) {}

  /** One upstream's counts. */
  public record Upstream(String address, int connections, int inFlight) {}

  /** In bytes. */
  public record Memory(long heapUsed, long heapMax, long directUsed, long requestBytesHeld) {}
}
