package dev.sluice.bench.peers;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Gate;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * CPU time for each request beside the peers, in turns on one machine: one event loop or worker
 * each, kept connections, logs off. The ratios that fail the gate leave room for a machine that
 * does other work too (to Varnish and HAProxy twice what is usual); what is aimed at is reported
 * beside them.
 */
@TestMethodOrder(OrderAnnotation.class)
class SideBySideGate {

  private static final String CHART = "CPU time for each request";

  private static final int CONNECTIONS = 32;
  private static final int ROUNDS = 3;
  private static final int SECONDS = 1;

  private static final Map<Work, Race> RACES = new EnumMap<>(Work.class);
  private static @Nullable Arena arena;

  /** Without NGINX or wrk each of the gates says that it was not run. */
  @AfterAll
  static void close() {
    RACES.clear();
    if (arena != null) {
      arena.close();
      arena = null;
    }
  }

  @Test
  @Order(1)
  void hit_takesLittleMoreCpuThanNginx() {
    judge(
        Work.HIT,
        Map.of(Arena.NGINX, 1.1, Arena.VARNISH, 1.2),
        "at most 0.77, aim 0.66",
        gate -> gate.control("pass_over_hit", over(Work.PASS, Work.HIT), above(1.15)));
  }

  @Test
  @Order(2)
  void pass_takesLittleMoreCpuThanNginx() {
    judge(
        Work.PASS,
        Map.of(Arena.NGINX, 1.4, Arena.HAPROXY, 2.4),
        "at most 1.00, aim 0.90",
        gate -> gate.control("pass_over_hit", over(Work.PASS, Work.HIT), above(1.15)));
  }

  @Test
  @Order(3)
  void tls_takesLittleMoreCpuThanNginx() {
    judge(
        Work.TLS,
        Map.of(Arena.NGINX, 1.5, Arena.HAPROXY, 1.8),
        "aim 0.95",
        gate -> gate.control("tls_over_pass", over(Work.TLS, Work.PASS), above(1.05)));
  }

  @Test
  @Order(4)
  void handshake_takesLittleMoreCpuThanNginx() {
    judge(
        Work.HANDSHAKE,
        Map.of(Arena.NGINX, 1.5, Arena.HAPROXY, 1.7),
        "aim 0.95",
        gate -> gate.control("handshake_over_tls", over(Work.HANDSHAKE, Work.TLS), above(3)));
  }

  /**
   * Runs the race of one work and holds it to a ratio to each peer that is here.
   *
   * @param most by the peer's name
   * @param control shows that the work is the work it is called
   */
  private static void judge(
      Work work, Map<String, Double> most, String budget, Gate.Trial control) {
    Gate.claim(
            "side-by-side-" + work.code(),
            "Sluice's CPU time for each request is near its peers' or below: " + work.code() + ".",
            RepoRoot.path())
        .given("connections", CONNECTIONS)
        .given("body_bytes", Arena.BODY_BYTES)
        .given("event_loops_or_workers", 1)
        .given("rounds", ROUNDS)
        .given("seconds_each", SECONDS)
        .given("warm_up_seconds_at_most", Race.WARM_UP_SECONDS * Race.WARM_UPS_MAX)
        .given("budget_of_nginx", budget)
        .judge(
            gate -> {
              Arena here = arena(gate);
              report(gate, here, work, most);
              control.run(gate);
            });
  }

  private static void report(Gate gate, Arena here, Work work, Map<String, Double> most) {
    Race race = race(here, work);
    for (Contestant each : here.at(work)) {
      String name = each.name();
      double micros = tenths(race.cpuMicros(name));
      gate.measured(name + "_cpu_micros", micros);
      if (each.isSluice()) {
        gate.bar(CHART, "µs", name, micros);
      } else {
        gate.controlBar(CHART, "µs", name, micros);
      }
      gate.measured(name + "_answers_a_second", Math.round(race.perSecond(name)));
      if (work.secure()) {
        gate.measured(name + "_speaks", each.negotiated(work), equalTo(Contestant.TLS));
      }
    }
    here.absent().forEach((name, why) -> gate.measured(name, why));
    most.forEach(
        (peer, ratio) -> {
          if (!here.absent().containsKey(peer)) {
            gate.measured("over_" + peer, race.ratio(Arena.SLUICE, peer), atMost(ratio));
          }
        });
  }

  private static Arena arena(Gate gate) {
    if (arena == null) {
      var nginx = Tools.requireForGate("nginx", why -> gate.skip(why, Assumptions::abort));
      Tools.requireForGate("wrk", why -> gate.skip(why, Assumptions::abort));
      arena = new Arena(nginx);
    }
    return arena;
  }

  private static Race race(Arena here, Work work) {
    return RACES.computeIfAbsent(work, unused -> run(here, work));
  }

  private static Race run(Arena here, Work work) {
    var wrk = new Wrk(Tools.find("wrk").orElseThrow(), CONNECTIONS);
    return Race.run(here, wrk, work, ROUNDS, SECONDS);
  }

  /** What one work costs Sluice over another. */
  private static double over(Work dear, Work cheap) {
    if (arena == null) {
      throw new IllegalStateException("the arena is not open");
    }
    double ratio =
        race(arena, dear).cpuMicros(Arena.SLUICE) / race(arena, cheap).cpuMicros(Arena.SLUICE);
    return Math.round(ratio * 100) / 100.0;
  }

  private static double tenths(double micros) {
    return Math.round(micros * 10) / 10.0;
  }
}
