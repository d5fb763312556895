package dev.sluice.chaos;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Mixed traffic while faults come and go at random on both sides: the ceiling holds, nothing
 * private is shared, nobody is lied to (GTE-47).
 */
class StormGate {

  private static final int ROUNDS = Integer.getInteger("chaos.rounds", 24);
  private static final int RENDERS = 6;

  /** After each round, with what it left still in the queue. */
  private static final long RECOVERY_MILLIS_MAX = 5_000;

  private static final int PAGE = 20_000;
  private static final String STREAMED = "?ms=40&chunks=3&every=20&bytes=" + PAGE;

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 2s, origin_read: 2s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 500ms
        concurrency: { max: %d, queue: { max: 100, timeout: 3s, predict: false } }
        retry: { enabled: true, max_attempts: 2 }
      cache: { enabled: true }
      spool: { enabled: true }
      routes:
        - { id: shared, match: "/shared/**", class: public_ssr, cache: { ttl: { max: 300ms } } }
        # Said to be public, and answers with a session: nothing of it may be shared.
        - { id: trap, match: "/trap/**", class: public_ssr, coalesce: { override_origin: true } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """
          .formatted(RENDERS);

  @Test
  void faultsAtRandom_ceilingAndPrivacyHold() {
    long seed = Long.getLong("chaos.seed", new Random().nextLong());
    ChaosStack.claim(
            "storm", "Under faults at random the ceiling and privacy hold, and nobody is lied to.")
        .given("seed", seed)
        .given("rounds", ROUNDS)
        .given("ceiling", RENDERS)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                var storm = new Storm(stack, new Random(seed));
                stack.origin().reset();
                for (int round = 0; round < ROUNDS; round++) {
                  storm.round(round);
                }
                storm.judge(gate);
                stack.judgeAftermath(gate);
              }
            });
  }

  /** One storm and what was seen in it. Confined to the gate's thread. */
  private static final class Storm {
    private final ChaosStack stack;
    private final Random random;
    private final Map<Sight, Long> seen = new EnumMap<>(Sight.class);
    private final Map<String, Integer> privateRenders = new HashMap<>();
    private final Map<String, Integer> sharedRenders = new HashMap<>();
    private final Map<String, Integer> sessions = new HashMap<>();
    private final List<String> lies = new ArrayList<>();
    private long uploads;
    private long recoveryMillisMax;

    Storm(ChaosStack stack, Random random) {
      this.stack = stack;
      this.random = random;
    }

    void round(int round) {
      Line line = random.nextBoolean() ? stack.front() : stack.back();
      Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
      ToxicDirection way = ToxicDirection.values()[random.nextInt(2)];
      boolean cut = random.nextInt(6) == 0;
      List<Visit> visits = visits(round);
      CompletableFuture<CrowdResult> throughFront = send(stack.front().port(), visits);
      if (!cut) {
        line.strike(new Cell(fault, way).strike());
      }
      CompletableFuture<CrowdResult> straight = send(stack.sluice().port(), visits);
      if (cut) {
        stack.back().cut();
      }
      String weather = "round " + round + ": " + (cut ? "cut" : fault + " " + way);
      throughFront.join().visits().forEach(visit -> look(visit, weather));
      straight.join().visits().forEach(visit -> look(visit, weather));
      if (cut) {
        stack.back().restore();
      }
      line.heal();
      recoveryMillisMax = Math.max(recoveryMillisMax, stack.recoveryMillis("/private/after"));
    }

    private static CompletableFuture<CrowdResult> send(int port, List<Visit> visits) {
      return CompletableFuture.supplyAsync(
          () -> Crowd.send(port, visits, ChaosStack.PATIENCE), ChaosStack::startThread);
    }

    private static List<Visit> visits(int round) {
      List<Visit> visits = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Duration start = Duration.ofMillis(40L * i);
        visits.add(Visit.get("/shared/page" + round % 3 + STREAMED + fresh()).startingAfter(start));
        visits.add(Visit.get("/trap/account" + STREAMED + "&cookie=1" + fresh()));
        visits.add(Visit.get("/private/" + i + STREAMED).startingAfter(start));
      }
      visits.add(Visit.get("/upload?upload=1").posting(PAGE));
      return visits;
    }

    private static String fresh() {
      return "&h=Cache-Control:max-age%3D60";
    }

    private void look(VisitRecord visit, String weather) {
      String target = visit.visit().target();
      String path = target.substring(0, target.indexOf('?'));
      Sight sight = Sight.of(visit);
      seen.merge(sight, 1L, Long::sum);
      if (sight.isLie()) {
        lies.add(weather + ": " + sight + " " + visit.status() + " " + target);
      }
      String render = visit.header("x-render");
      if (render == null) {
        return;
      }
      // A head is enough to have got another's answer.
      boolean shared = path.startsWith("/shared/");
      (shared ? sharedRenders : privateRenders).merge(render, 1, Integer::sum);
      String session = visit.header("set-cookie");
      if (session != null) {
        sessions.merge(session, 1, Integer::sum);
      }
      uploads += path.equals("/upload") ? 1 : 0;
    }

    void judge(Gate gate) {
      gate.measured("seen", seen);
      gate.control("answers_that_faults_spoiled", spoiled(), above(0));
      gate.control("answers_that_were_shared", repeated(sharedRenders), above(0));
      gate.measured("whole", count(Sight.WHOLE), above(0));
      gate.measured("lies", lies);
      gate.measured("wrong", count(Sight.WRONG), exactly(0));
      gate.measured("hung", count(Sight.HUNG), exactly(0));
      gate.measured("recovery_millis_worst", recoveryMillisMax, atMost(RECOVERY_MILLIS_MAX));
      gate.measured("sessions", sessions.size(), above(0));
      gate.measured("sessions_of_two", repeated(sessions), exactly(0));
      gate.measured("private_renders_of_two", repeated(privateRenders), exactly(0));
      gate.measured("uploads_answered", uploads, above(0));
      gate.measured(
          "uploads_at_the_origin",
          stack.origin().stats().requestsUnder("/upload"),
          atMost(2.0 * ROUNDS));
      gate.measured("renders_at_once", stack.origin().stats().renderingPeak(), atMost(RENDERS));
    }

    private long count(Sight sight) {
      return seen.getOrDefault(sight, 0L);
    }

    private long spoiled() {
      return count(Sight.CUT)
          + count(Sight.NOTHING)
          + count(Sight.BAD_GATEWAY)
          + count(Sight.GATEWAY_TIMEOUT);
    }

    private static long repeated(Map<String, Integer> counts) {
      return counts.values().stream().filter(count -> count > 1).count();
    }
  }
}
