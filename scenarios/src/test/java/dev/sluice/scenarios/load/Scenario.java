package dev.sluice.scenarios.load;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import io.gatling.javaapi.core.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A gate whose claim is judged on a stack of its own, or on one that the command line names; there
 * the figures that only an own stack has are off, each by its name and with the reason. Confined to
 * the test's thread.
 */
final class Scenario {

  /** Judges one scenario. */
  interface Trial {
    void run(Scenario scenario) throws Exception;
  }

  private static final String NOT_OURS =
      "off: the stack is not the gate's own (sluice.target is set)";
  private static final String NO_COUNTERS =
      "off: the origin's counters are not to be read (sluice.origin.stats is not set)";

  private final Gate gate;
  private final Optional<Staging> staging = Staging.asked();
  private final Map<String, Object> settings = new LinkedHashMap<>();

  private Scenario(String name, String claim) {
    gate = Gate.claim("scenario-" + name, claim, RepoRoot.path());
  }

  static Scenario claim(String name, String claim) {
    return new Scenario(name, claim);
  }

  /** A setting of the simulation, reported as a parameter; the command line's wins. */
  Scenario with(String key, Object value) {
    settings.put(key, System.getProperty("scenario." + key, "" + value));
    gate.given(key, settings.get(key));
    return this;
  }

  /** A parameter of the stack. */
  Scenario given(String key, Object value) {
    gate.given(key, value);
    return this;
  }

  void judge(Trial trial) {
    gate.given("stack", staging.map(Staging::target).orElse("of the gate's own"));
    gate.judge(unused -> trial.run(this));
  }

  Map<String, Object> settings() {
    return settings;
  }

  /** A setting as a number. */
  double number(String key) {
    return Double.parseDouble("" + settings.get(key));
  }

  Gate gate() {
    return gate;
  }

  // Runs.

  /** Controls and whatever else needs an own stack. */
  void onOwnStack(String what, Trial trial) throws Exception {
    if (staging.isPresent()) {
      gate.control(what, NOT_OURS);
    } else {
      trial.run(this);
    }
  }

  /** The governed run; {@code judge} sees it, and the stack where it is the gate's own. */
  void governed(
      Class<? extends Simulation> simulation,
      String config,
      List<String> originOptions,
      Judge judge)
      throws Exception {
    governed(simulation, config, originOptions, (stack, gatling) -> {}, judge);
  }

  /** The same; on an own stack something goes on beside the arrivals. */
  void governed(
      Class<? extends Simulation> simulation,
      String config,
      List<String> originOptions,
      Beside beside,
      Judge judge)
      throws Exception {
    var job = new Run.Job(simulation, settings);
    if (staging.isPresent()) {
      judge.see(finished(Run.staging(staging.get(), job)), Optional.empty());
      return;
    }
    try (Stack stack = Stack.start(config, originOptions)) {
      Run run = Run.local(stack, stack.url(), job, true, gatling -> beside.happen(stack, gatling));
      judge.see(finished(run), Optional.of(stack));
    }
  }

  /** The same arrivals at the origin itself. */
  Run direct(Stack stack, Class<? extends Simulation> simulation) throws Exception {
    return direct(stack, simulation, Map.of());
  }

  /** The same with some settings of its own. */
  Run direct(Stack stack, Class<? extends Simulation> simulation, Map<String, Object> own)
      throws Exception {
    Map<String, Object> all = new LinkedHashMap<>(settings);
    all.putAll(own);
    var job = new Run.Job(simulation, all);
    return Run.local(stack, stack.directUrl(), job, false, gatling -> {});
  }

  /** The same arrivals at a Sluice whose configuration is the control. */
  Run control(Stack stack, Class<? extends Simulation> simulation) throws Exception {
    return control(stack, simulation, (own, gatling) -> {});
  }

  Run control(Stack stack, Class<? extends Simulation> simulation, Beside beside) throws Exception {
    var job = new Run.Job(simulation, settings);
    return Run.local(stack, stack.url(), job, false, gatling -> beside.happen(stack, gatling));
  }

  /** What goes on at an own stack beside the arrivals. */
  interface Beside {
    void happen(Stack stack, GatlingRun gatling) throws Exception;
  }

  /** What is made of a governed run. */
  interface Judge {
    void see(Run run, Optional<Stack> stack) throws Exception;
  }

  /** Says where Gatling's report lies and whether the simulation's own assertions held. */
  private Run finished(Run run) {
    gate.measured("gatling_report", run.report());
    gate.measured("gatling_assertions_hold", run.heldTo(), Bound.equalTo(true));
    return run;
  }

  // Figures.

  /** What clients saw: held to its bound wherever the stack is. */
  void seen(String key, Object value, Bound bound) {
    gate.measured(key, value, bound);
  }

  /** What the origin counted, where it tells. */
  void counted(String key, Run run, Function<Counted, Number> figure, Bound bound) {
    if (run.counted().isPresent()) {
      gate.measured(key, figure.apply(run.counted().get()), bound);
    } else {
      gate.measured(key, NO_COUNTERS);
    }
  }

  /** What only the gate's own stack can tell. */
  void local(String key, Optional<Stack> stack, Function<Stack, Object> figure, Bound bound) {
    if (stack.isPresent()) {
      gate.measured(key, figure.apply(stack.get()), bound);
    } else {
      gate.measured(key, NOT_OURS);
    }
  }

  /** The origin's requests at once and its clients' times, as charts; lines of the control too. */
  void chart(Run run, boolean isControl, String line) {
    long began = run.samples().firstMillis();
    Samples ok = run.samples().ok();
    if (isControl) {
      gate.controlSeries("requests at the origin", "", line, run.over(Run.IN_FLIGHT));
      gate.controlSeries("goodput", "per second", line, ok.rateOverTime(began));
      gate.controlSeries("latency of successes, p95", "ms", line, ok.p95OverTime(began));
      gate.controlPercentiles("latency of successes", "ms", line, ok.millis());
    } else {
      gate.series("requests at the origin", "", line, run.over(Run.IN_FLIGHT));
      gate.series("goodput", "per second", line, ok.rateOverTime(began));
      gate.series("latency of successes, p95", "ms", line, ok.p95OverTime(began));
      gate.percentiles("latency of successes", "ms", line, ok.millis());
    }
  }
}
