package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where flights go, by the upstreams' own counts: ORG-02 to ORG-05, ORG-34. */
class BalanceGate {

  private static final int PATHS = 60;

  private static final String PATIENT =
      "concurrency: { max: 64, queue: { max: 500, timeout: 30s, predict: false } }";

  @Test
  void slowUpstream_isRoutedAround() {
    int clients = 16;
    Fleet.claim("least-loaded", "A slow upstream that passes its probes is routed around.")
        .given("clients", clients)
        .given("upstreams", "20 ms and 1,020 ms")
        .judge(
            gate -> {
              gate.control("slow_percent", slowShare("round_robin", clients, 60), between(40, 60));
              gate.measured("slow_percent", slowShare("least_loaded", clients, 1500), atMost(3));
            });
  }

  /** The share of the slow one, once it is known to be slow. */
  private static long slowShare(String balancing, int clients, long answers) {
    try (var fleet = Fleet.of(2, "load_balancing: " + balancing, PATIENT)) {
      fleet.override(1, "ms=1020");
      try (var load = Load.on(fleet.port(), clients, "/page/%d?ms=20")) {
        load.awaitMore(clients * 2L);
        fleet.reset(0);
        fleet.reset(1);
        load.awaitMore(answers);
      }
      long fast = fleet.counted(0).requests();
      long slow = fleet.counted(1).requests();
      return Math.round(100.0 * slow / (fast + slow));
    }
  }

  /** ORG-05, the other way round: who has recovered gets its share back. */
  @Test
  void recoveredUpstream_getsItsShareBack() {
    int clients = 8;
    Fleet.claim("least-loaded-recovery", "A slow upstream that recovered gets its share back.")
        .given("clients", clients)
        .given("slow_by", "300 ms")
        .judge(
            gate -> {
              try (var fleet = Fleet.of(2, "load_balancing: least_loaded", PATIENT)) {
                fleet.override(1, "ms=320");
                try (var load = Load.on(fleet.port(), clients, "/page/%d?ms=20")) {
                  load.awaitMore(300);
                  gate.control("slow_percent", percent(fleet), atMost(10));
                  fleet.override(1, "");
                  // Its latency fades over ten seconds, and its answers then count.
                  Fleet.await("its share", () -> recentPercent(fleet, load) > 40);
                  gate.measured("recovered_percent", recentPercent(fleet, load), above(30));
                }
              }
            });
  }

  private static long recentPercent(Fleet fleet, Load load) {
    fleet.reset(0);
    fleet.reset(1);
    load.awaitMore(200);
    return percent(fleet);
  }

  private static long percent(Fleet fleet) {
    long fast = fleet.counted(0).requests();
    long slow = fleet.counted(1).requests();
    return Math.round(100.0 * slow / (fast + slow));
  }

  @Test
  void onePath_staysOnOneUpstream_alsoWhenAnotherGoes() {
    Fleet.claim("hash-by-path", "A path keeps its upstream, and one that goes moves only its own.")
        .given("paths", PATHS)
        .given("upstreams", 3)
        .judge(
            gate -> {
              try (var fleet = Fleet.of(3, "load_balancing: round_robin", PATIENT)) {
                gate.control("paths_of_one_upstream", owned(owners(fleet)), atMost(PATHS / 2.0));
              }
              try (var fleet = Fleet.of(3, "load_balancing: hash_by_path", PATIENT)) {
                List<Integer> before = owners(fleet);
                gate.measured("paths_of_one_upstream", owned(before), exactly(PATHS));
                fleet.use(List.of(0, 1));
                List<Integer> after = owners(fleet);
                gate.measured("paths_of_one_upstream_of_two", owned(after), exactly(PATHS));
                long moved = 0;
                for (int path = 0; path < PATHS; path++) {
                  moved +=
                      before.get(path) != 2 && !before.get(path).equals(after.get(path)) ? 1 : 0;
                }
                gate.measured("others_that_moved", moved, exactly(0));
                gate.measured(
                    "its_own_paths", before.stream().filter(at -> at == 2).count(), between(5, 40));
              }
            });
  }

  private static long owned(List<Integer> owners) {
    return owners.stream().filter(owner -> owner >= 0).count();
  }

  /** Who had each path, asked three times; -1 where several had it. */
  private static List<Integer> owners(Fleet fleet) {
    fleet.all().forEach(fleet::reset);
    try (var client = RawClient.connect(fleet.port(), Fleet.PATIENCE)) {
      for (int time = 0; time < 3; time++) {
        for (int path = 0; path < PATHS; path++) {
          client.get("/path/" + path).readAll();
        }
        // So that turns and paths are not in step.
        client.get("/other").readAll();
      }
    }
    List<Map<String, Long>> asked =
        fleet.all().stream().map(at -> fleet.counted(at).paths()).toList();
    List<Integer> owners = new ArrayList<>();
    for (int path = 0; path < PATHS; path++) {
      String name = "/path/" + path;
      List<Integer> having =
          fleet.all().stream().filter(at -> asked.get(at).containsKey(name)).toList();
      owners.add(having.size() == 1 ? having.get(0) : -1);
    }
    return owners;
  }
}
