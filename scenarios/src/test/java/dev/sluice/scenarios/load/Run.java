package dev.sluice.scenarios.load;

import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.reports.Point;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a simulation: what clients saw, what the origin counted, and both over time.
 * Immutable.
 *
 * @param warmUp what came before the arrivals that count
 * @param heldTo whether the simulation's own assertions held
 * @param report the first page of Gatling's report, or none
 * @param counted empty where the origin's counters cannot be read
 * @param overTime in seconds since the first arrival
 */
record Run(
    Samples samples,
    Samples warmUp,
    boolean heldTo,
    String report,
    Optional<Counted> counted,
    Map<String, List<Point>> overTime) {

  /** Requests at the origin at once, in {@code overTime}. */
  static final String IN_FLIGHT = "in flight";

  /** The origin's resident memory in MiB, in {@code overTime} of an own stack. */
  static final String ORIGIN_MEMORY = "origin";

  /** Sluice's. */
  static final String SLUICE_MEMORY = "Sluice";

  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration MEMORY_LOOK = Duration.ofMillis(200);
  private static final double MIB = 1 << 20;

  /** What goes on beside the arrivals. */
  interface Meanwhile {
    void happen(GatlingRun gatling) throws Exception;
  }

  /**
   * Against one of the stack's two URLs.
   *
   * @param writesReport whether Gatling writes its own
   */
  static Run local(Stack stack, String url, Job job, boolean writesReport, Meanwhile meanwhile)
      throws Exception {
    stack.origin().reset();
    OriginStats before = stack.stats();
    List<Looks.What> numbers =
        List.of(
            new Looks.What(IN_FLIGHT, LOOK, () -> stack.stats().inFlight()),
            memory(ORIGIN_MEMORY, stack.origin().process()),
            memory(SLUICE_MEMORY, stack.sluice().process()));
    Run run = drive(url, job, writesReport, numbers, meanwhile);
    if (!stack.origin().process().isAlive()) {
      return run;
    }
    OriginStats after = stack.stats();
    return run.with(new Counted(before, after, after.peakInFlight()));
  }

  private static Looks.What memory(String name, RealProcess process) {
    return new Looks.What(name, MEMORY_LOOK, () -> process.residentBytes() / MIB);
  }

  /** What is sent. */
  record Job(Class<? extends Simulation> simulation, Map<String, Object> settings) {}

  /** Against somebody else's stack; its origin goes on counting. */
  static Run staging(Staging staging, Job job) throws Exception {
    Optional<OriginStats> before = staging.stats();
    List<Looks.What> numbers = new ArrayList<>();
    if (before.isPresent()) {
      numbers.add(new Looks.What(IN_FLIGHT, LOOK, () -> staging.stats().orElseThrow().inFlight()));
    }
    Run run = drive(staging.target(), job, true, numbers, gatling -> {});
    if (before.isEmpty()) {
      return run;
    }
    return run.with(new Counted(before.get(), staging.stats().orElseThrow(), run.peakSeen()));
  }

  private static Run drive(
      String url, Job job, boolean writesReport, List<Looks.What> numbers, Meanwhile meanwhile)
      throws Exception {
    try (var looks = Looks.at(numbers);
        var gatling = GatlingRun.start(job, url, writesReport)) {
      meanwhile.happen(gatling);
      boolean held = gatling.awaitEnd();
      Samples all = gatling.samples();
      Samples counting = all.otherThan(Samples.WARM_UP);
      return new Run(
          counting,
          all.kind(Samples.WARM_UP),
          held,
          gatling.report(),
          Optional.empty(),
          looks.since(counting.firstMillis()));
    }
  }

  /** The most requests at once that a look found at the origin. */
  private long peakSeen() {
    return (long) over(IN_FLIGHT).stream().mapToDouble(Point::y).max().orElse(0);
  }

  private Run with(Counted newCounted) {
    return new Run(samples, warmUp, heldTo, report, Optional.of(newCounted), overTime);
  }

  List<Point> over(String number) {
    return overTime.getOrDefault(number, List.of());
  }
}
