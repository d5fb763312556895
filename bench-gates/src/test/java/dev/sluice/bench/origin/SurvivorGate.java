package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import org.junit.jupiter.api.Test;

/** Two of three upstreams die under load, and the third has no more than its share (BEY-23). */
class SurvivorGate {

  private static final int MAX = 30;
  private static final int SHARE = 10;
  private static final int CLIENTS = 60;
  private static final String PROBES =
      "health: { path: /healthz, interval: 200ms, timeout: 200ms, unhealthy_after: 2,"
          + " healthy_after: 2 }";
  private static final String PAGE = "/page/%d?ms=200";

  @Test
  void twoOfThreeDie_survivorHasItsShare() {
    Fleet.claim("survivor", "Two of three upstreams die under load: the third keeps its share.")
        .given("clients", CLIENTS)
        .given("max", MAX)
        .given("share", SHARE)
        .judge(
            gate -> {
              gate.control("survivor_peak", unbounded(), above(SHARE + 5));
              gate.measured("survivor_peak_per_upstream", perUpstream(), exactly(SHARE));
              gate.measured("survivor_peak_in_proportion", inProportion(), atMost(SHARE));
            });
  }

  /** Nobody notices that two are gone. */
  private static long unbounded() {
    try (var fleet = Fleet.of(3, concurrency(""))) {
      return peakBehindTheKill(fleet, false);
    }
  }

  /** The ceiling of each holds from the first moment on. */
  private static long perUpstream() {
    try (var fleet = Fleet.of(3, concurrency("per_upstream: " + SHARE + ", "))) {
      return peakBehindTheKill(fleet, false);
    }
  }

  /** Without ceilings the limit follows, once the probes have told. */
  private static long inProportion() {
    try (var fleet = Fleet.of(3, concurrency(""), PROBES)) {
      return peakBehindTheKill(fleet, true);
    }
  }

  private static long peakBehindTheKill(Fleet fleet, boolean probed) {
    try (var load = Load.on(fleet.port(), CLIENTS, PAGE)) {
      load.awaitMore(CLIENTS * 2L);
      fleet.kill(1);
      fleet.kill(2);
      if (probed) {
        fleet.awaitGauge(1, "in_use", 0);
        fleet.awaitGauge(2, "in_use", 0);
        // What was admitted before is answered.
        load.awaitMore(MAX * 2L);
        Fleet.await("the limit in force", () -> fleet.counted(0).inFlight() <= SHARE);
      }
      fleet.reset(0);
      load.awaitMore(CLIENTS * 4L);
    }
    return fleet.counted(0).peakInFlight();
  }

  private static String concurrency(String more) {
    return "concurrency: { "
        + more
        + "max: "
        + MAX
        + ", queue: { max: 500, timeout: 30s, predict: false } }";
  }
}
