package dev.sluice.admin;

import dev.sluice.governor.admit.Snapshot;
import java.util.List;
import java.util.Map;

/**
 * What {@code /status} tells, at one moment. Immutable.
 *
 * @param admissions by class of permit: render, static, streaming
 * @param connectionsPerLoop client connections
 */
public record EngineStatus(
    String version,
    long generation,
    String fingerprint,
    boolean ready,
    boolean draining,
    long uptimeMillis,
    String transport,
    int port,
    Map<String, Snapshot> admissions,
    List<Upstream> upstreams,
    List<Integer> connectionsPerLoop,
    Memory memory) {

  /** One upstream's counts. */
  public record Upstream(String address, int connections, int inFlight) {}

  /** In bytes. */
  public record Memory(long heapUsed, long heapMax, long directUsed, long requestBytesHeld) {}
}
