package dev.sluice.scenarios.load;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import dev.sluice.reports.Point;
import io.gatling.javaapi.core.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;

/**
 * A gate whose claim is judged on a stack of its own, or on one that the command line names; there
 * the figures that cannot be told are off, each by its name and with the reason. Confined to the
 * test's thread.
 */
final class Scenario {

  /** Judges one scenario. */
  interface Trial {
    void run(Scenario scenario) throws Exception;
  }

  private static final String NOT_OURS = "the stack is not the gate's own (sluice.target is set)";
  private static final String NO_COUNTERS =
      "off: the origin's counters are not to be read (sluice.origin.stats is not set)";

  private final Gate gate;
  private final Optional<Staging> staging = Staging.asked();
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, String> facts = new LinkedHashMap<>();
  private String needsOwnStack = "";

  private Scenario(String name, String claim) {
    gate = Gate.claim("scenario-" + name, claim, RepoRoot.path());
  }

  static Scenario claim(String name, String claim) {
    return new Scenario(name, claim).with("warm_up", "/healthz");
  }

  /** A setting of the simulation or of a bound, and a parameter; the command line's wins. */
  Scenario with(String key, Object value) {
    settings.put(key, told(key, "" + value));
    gate.given(key, settings.get(key));
    return this;
  }

  /**
   * A fact about the stack that bounds are made of: the own stack's is this, another's is what the
   * command line says.
   */
  Scenario fact(String key, Number own) {
    facts.put(key, staging.isPresent() ? told(key, "") : "" + own);
    gate.given(key, facts.get(key).isEmpty() ? "not told: scenario." + key : facts.get(key));
    return this;
  }

  /** Anything else about the own stack that a reader should know. */
  Scenario given(String key, Object own) {
    gate.given(key, staging.isPresent() ? "unknown: " + NOT_OURS : own);
    return this;
  }

  /** For a claim that nobody else's stack can show: there the gate is skipped, and says why. */
  Scenario needsOwnStack(String why) {
    needsOwnStack = why;
    return this;
  }

  private static String told(String key, String otherwise) {
    return System.getProperty("scenario." + key, otherwise);
  }

  void judge(Trial trial) {
    gate.given("stack", staging.map(Staging::target).orElse("of the gate's own"));
    if (staging.isPresent() && !needsOwnStack.isEmpty()) {
      gate.skip(NOT_OURS + "; " + needsOwnStack, Assumptions::abort);
    }
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
      gate.control(what, "off: " + NOT_OURS);
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

  /** Says where Gatling's report lies and whether what the simulation itself expects held. */
  private Run finished(Run run) {
    gate.measured("gatling_report", run.report());
    gate.measured("gatling_assertions_hold", run.heldTo(), Bound.equalTo(true));
    // A low ceiling may shed some of it; a page that is not there serves none.
    gate.measured("warm_up_served", run.warmUp().ok().count(), Bound.above(0));
    return run;
  }

  // Figures.

  /** What clients saw: held to its bound wherever the stack is. */
  void seen(String key, Object value, Bound bound) {
    gate.measured(key, value, bound);
  }

  /** The same, where the bound is made of a fact: off where nobody tells that. */
  void seen(String key, Object value, String fact, DoubleFunction<Bound> bound) {
    String told = Objects.requireNonNull(facts.get(fact), fact);
    if (told.isEmpty()) {
      gate.measured(key, "off: its bound needs scenario." + fact + " (seen: " + value + ")");
    } else {
      gate.measured(key, value, bound.apply(Double.parseDouble(told)));
    }
  }

  /** What the origin counted, where it tells; a reason in place of the figure is one to be off. */
  void counted(String key, Run run, Function<Counted, Object> figure, Bound bound) {
    Object value = run.counted().map(figure).orElse(NO_COUNTERS);
    if (isOff(value)) {
      gate.measured(key, value);
    } else {
      gate.measured(key, value, bound);
    }
  }

  /** The same, where the bound is made of a fact. */
  void counted(
      String key,
      Run run,
      Function<Counted, Object> figure,
      String fact,
      DoubleFunction<Bound> bound) {
    Object value = run.counted().map(figure).orElse(NO_COUNTERS);
    if (isOff(value)) {
      gate.measured(key, value);
    } else {
      seen(key, value, fact, bound);
    }
  }

  /** An own stack has no excuse: there a reason is held to the bound, which no text keeps. */
  private boolean isOff(Object value) {
    return staging.isPresent() && !(value instanceof Number);
  }

  /** What only the gate's own stack can tell, or be held to. */
  void local(String key, Optional<Stack> stack, Function<Stack, Object> figure, Bound bound) {
    if (stack.isPresent()) {
      gate.measured(key, figure.apply(stack.get()), bound);
    } else {
      gate.measured(key, "off: " + NOT_OURS);
    }
  }

  /** The origin's requests at once and its clients' times, as charts; lines of the control too. */
  void chart(Run run, boolean isControl, String line) {
    chart(run, run.samples(), isControl, line);
  }

  /** The same of some of the clients. */
  void chart(Run run, Samples samples, boolean isControl, String line) {
    long began = run.samples().firstMillis();
    Samples ok = samples.ok();
    line(isControl, "requests at the origin", "", line, run.over(Run.IN_FLIGHT));
    line(isControl, "goodput", "per second", line, ok.rateOverTime(began));
    line(isControl, "latency of successes, p95", "ms", line, ok.p95OverTime(began));
    percentiles(isControl, "latency of successes", line, ok);
  }

  /** A line over time, if there is anything to see. */
  void line(boolean isControl, String chart, String unit, String line, List<Point> points) {
    if (points.isEmpty()) {
      return;
    }
    if (isControl) {
      gate.controlSeries(chart, unit, line, points);
    } else {
      gate.series(chart, unit, line, points);
    }
  }

  /** The times of these clients, if there are any. */
  void percentiles(boolean isControl, String chart, String line, Samples samples) {
    if (samples.count() == 0) {
      return;
    }
    if (isControl) {
      gate.controlPercentiles(chart, "ms", line, samples.millis());
    } else {
      gate.percentiles(chart, "ms", line, samples.millis());
    }
  }
}
