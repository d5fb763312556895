package dev.sluice.config;

import dev.sluice.config.SettingsProblem.Severity;
import java.util.List;

/**
 * Works out what was left to Sluice, and whether what was written fits. Confined to one reading.
 */
final class Resolver {

  private static final String MAX = "origin.concurrency.max";
  private static final String CONNECTIONS = "server.max_connections";
  private static final String REQUEST_MEMORY = "server.request_memory";
  private static final String CACHE_MEMORY = "cache.max_memory";
  private static final String SPOOL_MEMORY = "spool.max_memory";

  private final Values values;
  private final Machine machine;

  Resolver(Values values, Machine machine) {
    this.values = values;
    this.machine = machine;
  }

  /** Replaces every {@code auto} that has a number; the key paths must all be sound. */
  void resolve() {
    if (values.count("server.event_loops") == 0) {
      put("server.event_loops", machine.cores());
    }
    long max = values.count(MAX);
    auto("origin.concurrency.queue.max", Math.min(2 * max, OriginKeys.MOST_UNITS));
    auto("origin.concurrency.static", Math.min(Math.max(64, 4 * max), OriginKeys.MOST_UNITS));
    auto("origin.max_idle", Math.min(max, 64));
    auto(CONNECTIONS, connections(machine));
    if (!values.at(REQUEST_MEMORY).isWritten()) {
      put(REQUEST_MEMORY, budget().requestMemory());
    }
    keptMemory();
    if (values.text("server.via").equals("auto")) {
      String via = "sluice-" + machine.viaHex();
      values.put(values.at("server.via").resolved(via, via));
    }
  }

  /** DEC-38: what is not written shrinks, and leaves room for what is. */
  private void keptMemory() {
    boolean cacheIsWritten = values.at(CACHE_MEMORY).isWritten();
    if (!routesCache()) {
      put(CACHE_MEMORY, 0L);
    } else if (!cacheIsWritten) {
      put(CACHE_MEMORY, budget().keptMemory(values.bytes(REQUEST_MEMORY), written(SPOOL_MEMORY)));
    }
    if (!values.at(SPOOL_MEMORY).isWritten()) {
      long beside = cacheIsWritten ? values.bytes(CACHE_MEMORY) : 0;
      put(SPOOL_MEMORY, budget().keptMemory(values.bytes(REQUEST_MEMORY), beside));
    }
  }

  private boolean routesCache() {
    for (int i = 0; i < values.routes(); i++) {
      if (new SharingAssembler(values, "routes[" + i + "].").caches()) {
        return true;
      }
    }
    return false;
  }

  private long written(String key) {
    return values.at(key).isWritten() ? values.bytes(key) : 0;
  }

  private void put(String key, long bytes) {
    values.put(values.at(key).resolved(bytes, Units.print(bytes)));
  }

  private void auto(String key, long number) {
    if (values.isAuto(key)) {
      put(key, (int) number);
    }
  }

  private void put(String key, int number) {
    values.put(values.at(key).resolved(number, Integer.toString(number)));
  }

  /** DEC-37: two descriptors for each client connection, 512 for all else. */
  static long connections(Machine machine) {
    return Math.min(10_000_000, Math.max(64, (machine.descriptorLimit() - 512) / 2));
  }

  MemoryBudget budget() {
    return new MemoryBudget(machine, values.count("server.event_loops"));
  }

  /** After {@link #resolve}: what was written and does not fit this machine. */
  void check(Strictness strictness, Problems problems) {
    Severity severity = strictness == Strictness.RUN ? Severity.ERROR : Severity.WARNING;
    MemoryBudget budget = budget();
    memory(severity, budget, problems);
    if (!budget.fitsMachine()) {
      problems.add(
          severity,
          Spot.START,
          "",
          "the process may outgrow its memory: " + budget.machineArithmetic(),
          "lower -Xmx or -XX:MaxDirectMemorySize, or give it more memory");
    }
    if (values.at(CONNECTIONS).isWritten() && values.count(CONNECTIONS) > connections(machine)) {
      problems.warn(
          values.spot(CONNECTIONS),
          CONNECTIONS,
          values.shown(CONNECTIONS)
              + " needs more descriptors than the limit gives: "
              + arithmetic(machine),
          "raise the limit (LimitNOFILE, ulimit -n) or lower the key");
    }
  }

  /** Written sizes, each and together. */
  private void memory(Severity severity, MemoryBudget budget, Problems problems) {
    long sum = 0;
    for (String key : List.of(REQUEST_MEMORY, CACHE_MEMORY, SPOOL_MEMORY)) {
      long before = sum;
      sum += written(key);
      if (written(key) > 0 && sum > budget.bytes()) {
        problems.add(
            severity,
            values.spot(key),
            key,
            values.shown(key)
                + (before == 0 ? "" : " beside " + Units.print(before) + " that are written")
                + " does not fit the memory at hand (expected: at most "
                + budget.arithmetic()
                + ")",
            "leave the key out, or raise -XX:MaxDirectMemorySize");
      }
    }
  }

  /** The descriptor arithmetic with its numbers. */
  static String arithmetic(Machine machine) {
    return "("
        + machine.descriptorLimit()
        + " - 512) / 2, at least 64 = "
        + connections(machine)
        + " client connections; 64 stay reserved for admin and origin connects";
  }
}
