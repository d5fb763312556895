package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Point;
import dev.sluice.reports.Sampler;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One upstream of three dies under load (ORG-06, ORG-24, DEC-29). */
class UpstreamDiesGate {

  private static final String LOST = "requests lost so far; one upstream of three is killed";
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int CLIENTS = 24;
  private static final String PAGE = "/page/%d?ms=50&bytes=4000";
  private static final String PATIENT =
      "concurrency: { max: 60, queue: { max: 500, timeout: 30s, predict: false } }";
  private static final String PROBES =
      "health: { path: /healthz, interval: 200ms, timeout: 200ms, unhealthy_after: 2,"
          + " healthy_after: 2 }";
  private static final String RETRIES =
      "retry: { enabled: true, budget_percent: 50, budget_min: 50 }";

  /** With probes alone it is only the moment until they tell that costs anything. */
  @Test
  void probed_deadUpstream_isLeftOut() {
    Fleet.claim("upstream-dies-probed", "Behind its probes a dead upstream costs no request.")
        .given("clients", CLIENTS)
        .judge(
            gate -> {
              gate.control("lost_behind_the_kill", lostLater(PATIENT), above(0));
              gate.measured("lost_behind_the_probes", lostLater(PATIENT, PROBES), exactly(0));
            });
  }

  private static long lostLater(String... keys) {
    try (var fleet = Fleet.of(3, keys)) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      try (load) {
        load.awaitMore(CLIENTS * 4L);
        fleet.kill(2);
        if (keys.length > 1) {
          fleet.awaitGauge(2, "in_use", 0);
        }
        load.awaitMore(CLIENTS * 4L);
        long before = load.lost();
        load.awaitMore(CLIENTS * 20L);
        return load.lost() - before;
      }
    }
  }

  @Test
  void retried_safeRequests_areNotLost() {
    Fleet.claim(
            "upstream-dies-retried",
            "One upstream of three dies under load: no safe request is lost beyond those in mid-body.")
        .given("clients", CLIENTS)
        .judge(
            gate -> {
              Seen bare = kill(PATIENT);
              gate.control("lost", bare.lost(), above(0));
              gate.controlSeries(LOST, "requests", "without retries", bare.lostPoints());
              Seen retried = kill(PATIENT, PROBES, RETRIES);
              gate.series(LOST, "requests", "with retries", retried.lostPoints());
              gate.measured("lost", retried.lost(), exactly(0));
              gate.measured("answered", retried.whole(), atLeast(CLIENTS * 20));
            });
  }

  private record Seen(long lost, long whole, List<Point> lostPoints) {}

  private static Seen kill(String... keys) {
    try (var fleet = Fleet.of(3, keys)) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      var lost = Sampler.every(LOOK, load::lost);
      try (load) {
        load.awaitMore(CLIENTS * 4L);
        fleet.kill(2);
        load.awaitMore(CLIENTS * 20L);
      } finally {
        lost.close();
      }
      return new Seen(load.lost(), load.whole(), lost.points());
    }
  }
}
