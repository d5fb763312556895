package dev.sluice.bench;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;

import dev.sluice.HitPathBenchmark;
import dev.sluice.bench.journey.FanOutBenchmark;
import dev.sluice.bench.journey.JudgeBenchmark;
import dev.sluice.bench.journey.KeyBenchmark;
import dev.sluice.bench.journey.KnownBenchmark;
import dev.sluice.bench.journey.StoreBenchmark;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.governor.classify.RouteBenchmark;
import dev.sluice.reports.Gate;
import dev.sluice.wire.client.AnswerBenchmark;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

/**
 * What each step of a request's journey allocates. Bytes are held to a bound, since they are the
 * same on every machine; times are reported.
 */
class JourneyCostGate {

  /** The profiler counts what the whole JVM allocates, so that nothing reads as next to nothing. */
  private static final double NO_BYTES = 0.5;

  /** A bound is what was measured when it was set, an eighth more, and an object's head. */
  private static final double MARGIN = 1.125;

  private static final double OBJECT = 16;

  /** As the design wants it of a hit. */
  private static final double HIT_OF_WRK_MAX = 1_024;

  private static final double HIT_ABOVE_DECODER_MAX = 512;

  private static double known;

  @BeforeAll
  static void measureWhatIsKnown() throws RunnerException {
    Jmh jmh = Jmh.runBriefly(KnownBenchmark.class);
    known = jmh.medianBytes(jmh.of("known"));
  }

  @Test
  void route_isFoundWithoutAByte() {
    claim("journey-route", "A route is found without a byte; a classification is one object.")
        .judge(
            gate -> {
              Step step = new Step(gate, RouteBenchmark.class);
              step.takesNothing("named");
              step.takesNothing("catchAll");
              step.takes("browser", 128);
              step.takes("prefetch", 32);
            });
  }

  @Test
  void key_takesLittleMoreThanItsOctets() {
    claim("journey-key", "A request's key takes its octets and two objects around them.")
        .judge(
            gate -> {
              Step step = new Step(gate, KeyBenchmark.class);
              step.takes("wrk", 120);
              step.takes("browser", 120);
              step.takes("prefetch", 200);
            });
  }

  @Test
  void judge_takesItsBytesOnceForEachRender() {
    claim("journey-judge", "To judge an answer takes little, once for each render.")
        .judge(
            gate -> {
              Step step = new Step(gate, JudgeBenchmark.class);
              step.takes("prerendered", 2_198);
              step.takes("overridden", 2_048);
              step.takes("withCookie", 632);
            });
  }

  @Test
  void store_isReadWithoutAByte() {
    claim("journey-store", "The store is read without a byte, and a page is kept for few.")
        .given("entries", 1024)
        .judge(
            gate -> {
              Step step = new Step(gate, StoreBenchmark.class);
              step.takesNothing("get");
              step.takesNothing("miss");
              step.takes("put", 521);
            });
  }

  @Test
  void answer_isWrittenWithFewBytes() {
    claim("journey-answer", "An answer's head is written with next to nothing on the heap.")
        .judge(
            gate -> {
              Step step = new Step(gate, AnswerBenchmark.class);
              step.takes("relayed", 56);
              step.takes("stored", 120);
              step.takes("encodedForTheStore", 1_512);
            });
  }

  @Test
  void follower_takesFewBytesOfItsOwn() {
    claim("journey-fan-out", "A follower of a page under way takes few bytes of its own.")
        .given("crowd", FanOutBenchmark.CROWD)
        .given("pieces", 4)
        .judge(
            gate -> {
              Step step = new Step(gate, FanOutBenchmark.class);
              step.takes("alone", 1_435);
              // Each piece's view of 40 bytes is one that the compiler may or may not do without:
              // 126
              // where it does, in most runs.
              step.takes("crowd", 126 + 4 * 40);
            });
  }

  @Test
  void hit_takesItsBudgetFromFirstByteToLast() {
    claim("journey-hit", "A hit, from its request's bytes to its answer's, is within its budget.")
        .judge(
            gate -> {
              Step step = new Step(gate, HitPathBenchmark.class);
              double channel = step.reported("channelAlone");
              double decoder = step.reported("nettyDecoderOnBrowser") - channel;
              step.takes("wrk", 946);
              step.takes("browser", 2_210);
              gate.measured(
                  "wrk_without_channel", step.bytes("wrk") - channel, atMost(HIT_OF_WRK_MAX));
              gate.measured(
                  "browser_above_decoder",
                  step.bytes("browser") - channel - decoder,
                  atMost(HIT_ABOVE_DECODER_MAX));
            });
  }

  /** With the control: the profiler sees an allocation, and how large it is. */
  private static Gate claim(String name, String claim) {
    Gate gate = Gate.claim(name, claim, RepoRoot.path()).given("threads", 1);
    gate.control("known_bytes", known, between(KnownBenchmark.BYTES - 1, KnownBenchmark.BYTES + 1));
    return gate;
  }

  /** The benchmarks of one step and what they are held to. */
  private record Step(Gate gate, Jmh jmh) {

    Step(Gate gate, Class<?> benchmarks) throws RunnerException {
      this(gate, Jmh.runBriefly(benchmarks));
    }

    void takesNothing(String benchmark) {
      gate.measured(benchmark + "_bytes", bytes(benchmark), below(NO_BYTES));
      time(benchmark);
    }

    /** Held to what was measured when the bound was set, with a margin. */
    void takes(String benchmark, double measured) {
      double most = Math.ceil(measured * MARGIN + OBJECT);
      gate.measured(benchmark + "_bytes", bytes(benchmark), atMost(most));
      time(benchmark);
    }

    /** Held to nothing; returned for those that are held to it. */
    double reported(String benchmark) {
      double bytes = bytes(benchmark);
      gate.measured(benchmark + "_bytes", bytes);
      time(benchmark);
      return bytes;
    }

    double bytes(String benchmark) {
      return jmh.medianBytes(jmh.of(benchmark));
    }

    private void time(String benchmark) {
      gate.measured(benchmark + "_nanos", jmh.nanos(jmh.of(benchmark)));
    }
  }
}
