package dev.sluice.config;

import java.time.Duration;
import java.util.List;

/** The sums that {@code sluice check} shows beside problems (CLI-16, DEC-37, DEC-38). Stateless. */
final class CheckNotes {

  private CheckNotes() {}

  static List<String> of(Values values, Machine machine) {
    return List.of(stopTime(values), descriptors(values, machine), memory(values, machine));
  }

  private static String stopTime(Values values) {
    Duration drain = values.duration("server.graceful.drain_period");
    Duration shutdown = values.duration("server.graceful.shutdown_timeout");
    return "total stop time: drain_period "
        + Units.print(drain)
        + " + shutdown_timeout "
        + Units.print(shutdown)
        + " = "
        + Units.print(drain.plus(shutdown));
  }

  private static String descriptors(Values values, Machine machine) {
    return "descriptors: server.max_connections "
        + values.shown("server.max_connections")
        + "; the limit "
        + machine.descriptorLimit()
        + " gives "
        + Resolver.arithmetic(machine);
  }

  private static String memory(Values values, Machine machine) {
    MemoryBudget budget = new MemoryBudget(machine, values.count("server.event_loops"));
    return "memory: server.request_memory "
        + values.shown("server.request_memory")
        + ", cache.max_memory "
        + values.shown("cache.max_memory")
        + ", spool.max_memory "
        + values.shown("spool.max_memory")
        + "; room for kept bytes: "
        + budget.arithmetic()
        + "; process: "
        + budget.machineArithmetic();
  }
}
