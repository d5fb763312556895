package dev.sluice.chaos;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Gate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** More clients than there are descriptors for (DEC-37). */
class DescriptorsGate {

  private static final int LIMIT = 700;

  /** What {@code server.max_connections: auto} makes of it: (700 - 512) / 2. */
  private static final int CLIENTS_MAX = 94;

  private static final int CLIENTS = 250;

  /** Longer than it takes to run out of descriptors: those inside keep what they have. */
  private static final String IDLE = "10s";

  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s }%s }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_idle: %s }
      origin: { upstreams: ["127.0.0.1:%d"], concurrency: { max: 300 }, abandon_hold: 200ms }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void clientsBeyondTheLimit_waitOutside_andAreServedInTurn() {
    ChaosStack.claim(
            "descriptors-bounded",
            "With few descriptors clients wait outside until one leaves; those inside are served.")
        .given("descriptors", LIMIT)
        .given("clients", CLIENTS)
        .judge(
            gate -> {
              try (var origin = SlowOriginProcess.start("--loops", "1");
                  var sluice =
                      SluiceProcess.startWithDescriptors(
                          LIMIT, SluiceProcess.jar(), config("", "1s", origin), LeakLines.FLAG)) {
                var aftermath = Aftermath.of(sluice);
                List<RawClient> inside = idle(sluice, CLIENTS_MAX);
                Await.until(
                    "full house", ChaosStack.PATIENCE, () -> clients(sluice) == CLIENTS_MAX);
                var waiting = ChaosStack.crowdBeside(sluice.port(), CLIENTS, "/page?bytes=1000");
                // Each event loop may have had one more at the door when the house was full.
                int loops = Runtime.getRuntime().availableProcessors();
                gate.control(
                    "clients_inside", clients(sluice), between(CLIENTS_MAX, CLIENTS_MAX + loops));
                gate.measured("served_inside", served(inside), exactly(CLIENTS_MAX));
                gate.control("served_outside", waiting.isDone(), equalTo(false));

                inside.forEach(RawClient::close);
                long whole = Sight.count(waiting.join(), Sight.WHOLE);
                gate.measured("served_in_turn", whole, exactly(CLIENTS));
                aftermath.judge(gate);
              }
            });
  }

  @Test
  void exhaustedDescriptors_costNewConnectionsAlone() {
    Gate gate =
        ChaosStack.claim(
                "descriptors-exhausted",
                "Out of descriptors Sluice goes on serving whom it has, rests between tries, and"
                    + " recovers.")
            .given("clients", CLIENTS);
    Path prlimit = Tools.requireForGate("prlimit", why -> gate.skip(why, Assumptions::abort));
    gate.judge(
        trial -> {
          try (var origin = SlowOriginProcess.start("--loops", "1");
              var sluice =
                  SluiceProcess.start(
                      SluiceProcess.jar(),
                      config(", max_connections: 10000", IDLE, origin),
                      LeakLines.FLAG)) {
            var aftermath = Aftermath.of(sluice);
            List<RawClient> inside = idle(sluice, 5);
            // Each has its connection to the origin by now.
            trial.control("served_at_first", served(inside), exactly(5));
            int few = sluice.process().openFiles() + 20;
            limit(prlimit, sluice, few);
            List<RawClient> more = idle(sluice, CLIENTS);
            sluice.process().waitForLine("accept failed", ChaosStack.PATIENCE);
            // One that goes idle meanwhile is made up for at the next try, a second later.
            int used =
                Await.last(
                    () -> sluice.process().openFiles(),
                    count -> count >= few - 1,
                    ChaosStack.PATIENCE);
            trial.control("descriptors_in_use", used, between(few - 1, few));

            long looked = System.nanoTime();
            int served = 0;
            while (System.nanoTime() - looked < LOOK.toNanos()) {
              served += served(inside.subList(0, 1));
            }
            trial.measured("served_inside_meanwhile", served, above(0));
            trial.measured("alive", sluice.process().isAlive(), equalTo(true));
            rest(trial, sluice);

            more.forEach(RawClient::close);
            inside.forEach(RawClient::close);
            limit(prlimit, sluice, 4_096);
            trial.measured("recovery_millis", aftermath.recoveryMillis("/after"), atMost(3_000));
            aftermath.judge(trial);
          }
        });
  }

  /** While nobody asks, tries to accept cost next to nothing. */
  private static void rest(Gate gate, SluiceProcess sluice) {
    Duration before = sluice.process().cpuTime();
    long began = System.nanoTime();
    Await.until("rest", ChaosStack.PATIENCE, () -> System.nanoTime() - began > LOOK.toNanos());
    long spent = sluice.process().cpuTime().minus(before).toMillis();
    gate.measured("cpu_millis_in_2_s_of_rest", spent, atMost(1_000));
  }

  private static String config(String server, String idle, SlowOriginProcess origin) {
    return CONFIG.formatted(server, idle, origin.port());
  }

  private static void limit(Path prlimit, SluiceProcess sluice, int descriptors) {
    List<String> command =
        List.of(
            prlimit.toString(),
            "--pid",
            "" + sluice.process().pid(),
            "--nofile=" + descriptors + ":");
    try (var run = RealProcess.start("prlimit", command)) {
      int status = run.waitForExit(ChaosStack.PATIENCE);
      if (status != 0) {
        throw new AssertionError("prlimit: exit status " + status + ": " + run.tail());
      }
    }
  }

  private static List<RawClient> idle(SluiceProcess sluice, int count) {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(RawClient.connect(sluice.port(), ChaosStack.PATIENCE));
    }
    return clients;
  }

  private static int served(List<RawClient> clients) {
    int whole = 0;
    for (RawClient client : clients) {
      whole += client.get("/inside?bytes=1000").readAll().status() == 200 ? 1 : 0;
    }
    return whole;
  }

  private static long clients(SluiceProcess sluice) {
    return Account.parse(sluice.status()).clients();
  }
}
