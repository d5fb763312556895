package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.Crowd;
import org.junit.jupiter.api.Test;

/** The breaker and the retry budget, by the upstreams' own counts: ORG-11 to ORG-24, A03. */
class AttemptsGate {

  private static final int CLIENTS = 16;
  private static final String PAGE = "/page/%d?ms=20";
  private static final int BEFORE = 200;
  private static final int BEHIND = 2_000;
  private static final String PATIENT =
      "concurrency: { max: 2000, queue: { max: 500, timeout: 30s, predict: false } }";
  private static final String PROBES =
      "health: { path: /healthz, interval: 200ms, timeout: 200ms }";
  private static final String BREAKER = "breaker: { enabled: true }";
  private static final String RETRY = "retry: { enabled: true }";

  @Test
  void breaker_isolatesAnUpstreamThatPassesItsProbes() {
    Fleet.claim("breaker", "An upstream that passes its probes and fails real traffic is left out.")
        .given("clients", CLIENTS)
        .given("upstreams", "3, one answers 500")
        .judge(
            gate -> {
              Failing off = besideOneThatFails(PROBES, PATIENT);
              gate.control("requests_to_the_failing", off.asked(), above(100));
              gate.control("failed", off.failed(), above(100));

              Failing on = besideOneThatFails(PROBES, PATIENT, BREAKER);
              gate.measured("requests_to_the_failing", on.asked(), exactly(0));
              gate.measured("failed", on.failed(), exactly(0));
              gate.measured("its_probes_status", on.probed(), exactly(200));
            });
  }

  private record Failing(long asked, long failed, int probed) {}

  private static Failing besideOneThatFails(String... keys) {
    try (var fleet = Fleet.of(3, keys)) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      try (load) {
        load.awaitMore(100);
        fleet.override(2, "status=500");
        if (keys.length > 2) {
          fleet.awaitGauge(2, "ejected", 1);
          fleet.awaitIdle(2);
        }
        fleet.reset(2);
        long before = load.lost();
        load.awaitMore(600);
        return new Failing(fleet.counted(2).requests(), load.lost() - before, fleet.probed(2));
      }
    }
  }

  @Test
  void garbage_ofOneClient_ejectsNobody() {
    int garbage = 400;
    Fleet.claim(
            "breaker-garbage", "What one client makes the origin answer with 500 is that client's.")
        .given("visitors", "5 networks, 2 pages each")
        .given("requests_answered_400", garbage)
        .given("requests_answered_500", garbage)
        .judge(
            gate -> {
              gate.control("trips_if_all_met_it", trips(garbage, true), atLeast(1));
              gate.measured("trips", trips(garbage, false), exactly(0));
            });
  }

  /**
   * How often a breaker opened behind so much garbage of one network, or of all. Sluice's own word:
   * where both are ejected both go on being asked (ORG-16), so that no origin sees it.
   */
  private static long trips(int garbage, boolean everybody) {
    try (var fleet = Fleet.of(2, PATIENT, BREAKER)) {
      for (int network = 1; network <= 5; network++) {
        ask(fleet, network, 2, "/page/%d");
      }
      if (everybody) {
        for (int network = 10; network < 50; network++) {
          ask(fleet, network, 3, "/garbage/%d?status=500");
        }
      } else {
        ask(fleet, 9, garbage, "/garbage/%d?status=400");
        ask(fleet, 9, garbage, "/garbage/%d?status=500");
      }
      return fleet.told(0, "breaker_trips_total") + fleet.told(1, "breaker_trips_total");
    }
  }

  private static void ask(Fleet fleet, int network, int times, String target) {
    String address = "127.0." + network + ".1";
    try (var client = RawClient.connectFrom(address, fleet.port(), Fleet.PATIENCE)) {
      for (int i = 0; i < times; i++) {
        client.get(target.formatted(i)).readAll();
      }
    }
  }

  @Test
  void retryBudget_underATotalOutage_addsItsShareAtMost() {
    int requests = 1000;
    Fleet.claim("retry-budget", "In a total outage retries add at most their share.")
        .given("requests", requests)
        .given("budget_percent", "10, and 20 for the crowd")
        .judge(
            gate -> {
              gate.control("origin_requests", inARow(requests, PATIENT), exactly(requests));
              gate.measured(
                  "origin_requests",
                  inARow(requests, PATIENT, RETRY),
                  between(requests + 50, requests * 1.1));
              gate.measured(
                  "origin_requests_of_a_crowd_at_once", atOnce(requests), atMost(requests * 1.2));
            });
  }

  private static long inARow(int requests, String... keys) {
    try (var fleet = outage(keys);
        var client = RawClient.connect(fleet.port(), Fleet.PATIENCE)) {
      for (int i = 0; i < requests; i++) {
        client.get("/page/" + i).readAll();
      }
      return fleet.counted(0).requests() + fleet.counted(1).requests();
    }
  }

  /** A03: what waits in its back-off has been paid for. */
  private static long atOnce(int requests) {
    try (var fleet = outage(PATIENT, "retry: { enabled: true, budget_percent: 20 }")) {
      Crowd.gets(fleet.port(), requests, n -> "/page/" + n + "?ms=1000", Fleet.PATIENCE);
      return fleet.counted(0).requests() + fleet.counted(1).requests();
    }
  }

  private static Fleet outage(String... keys) {
    Fleet fleet = Fleet.of(2, keys);
    fleet.override(0, "status=503");
    fleet.override(1, "status=503");
    return fleet;
  }

  /**
   * ORG-24 with the settings that a file has that only turns them on. What is lost until the
   * breaker opens or the probes tell depends on the requests before the kill and not on those
   * behind it, so enough must follow for a share of them to be a bound.
   */
  @Test
  void dyingUpstream_ofSeveral_isAbsorbed() {
    Fleet.claim(
            "upstream-dies-absorbed",
            "Nine in ten requests that one dying upstream of three would lose are saved, by defaults.")
        .given("clients", CLIENTS)
        .given("answers_before_the_kill", BEFORE)
        .given("answers_behind_the_kill", BEHIND)
        .judge(
            gate -> {
              long unaided = lostBehindTheKill(PATIENT);
              gate.control("lost", unaided, above(BEHIND / 4));
              double most = unaided / 10.0;
              gate.measured(
                  "lost_without_probes", lostBehindTheKill(PATIENT, BREAKER, RETRY), atMost(most));
              gate.measured(
                  "lost", lostBehindTheKill(PATIENT, PROBES, BREAKER, RETRY), atMost(most));
            });
  }

  private static long lostBehindTheKill(String... keys) {
    try (var fleet = Fleet.of(3, keys)) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      try (load) {
        load.awaitMore(BEFORE);
        fleet.kill(2);
        load.awaitMore(BEHIND);
      }
      return load.lost();
    }
  }
}
