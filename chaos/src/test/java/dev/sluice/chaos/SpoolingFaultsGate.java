package dev.sluice.chaos;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Faults while an answer is spooled for a client on a narrow line: the permit is back when the
 * origin is done, the spool is empty when the client is gone (SPL, A09).
 */
class SpoolingFaultsGate {

  private static final int PAGE = 1_900_000;

  /** Kilobytes a second: the page takes more than three seconds on such a line. */
  private static final int NARROW = 500;

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 1s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 200ms
        concurrency: { max: 1, queue: { max: 10, timeout: 1s, predict: false } }
      spool: { enabled: true, max_body: 2MiB }
      routes:
        - { id: held, match: "/held/**", class: private_dynamic, spool: { enabled: false } }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void narrowLine_isSpooledFor_andThePermitIsBack() {
    ChaosStack.claim(
            "spooling",
            "A client on a narrow line holds no permit once the origin is done, and gets every byte.")
        .given("page_bytes", PAGE)
        .given("kilobytes_a_second", NARROW)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                stack.front().strike(SpoolingFaultsGate::narrow);
                var held = beginSlow(stack, "/held/page");
                gate.control("probe_without_spool", probe(stack), equalTo(Sight.SHED));
                Await.until("end of the held page", ChaosStack.PATIENCE, held::isDone);

                var slow = beginSlow(stack, "/spooled/page");
                gate.measured("probe", probe(stack), equalTo(Sight.WHOLE));
                gate.measured("page_was_under_way", !slow.isDone(), equalTo(true));
                gate.measured("spool_bytes_then", stack.account().spoolBytes(), above(0));
                CrowdResult whole = slow.join();
                gate.measured("page", sight(whole, "/spooled/page"), equalTo(Sight.WHOLE));
                gate.measured("page_millis", whole.wall().toMillis(), atLeast(3_000));

                clientsLineBreaks(gate, stack);
                originsLineBreaks(gate, stack);
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void narrow(Proxy line) throws IOException {
    line.toxics().bandwidth("narrow", ToxicDirection.DOWNSTREAM, NARROW);
  }

  /** A page whose line breaks while its rest is spooled. */
  private static void clientsLineBreaks(Gate gate, ChaosStack stack) {
    var slow = beginSlow(stack, "/spooled/client");
    Await.until("spooled bytes", ChaosStack.PATIENCE, () -> stack.account().spoolBytes() > 0);
    stack.front().cut();
    gate.measured("client_gone", sight(slow.join(), "/spooled/client"), equalTo(Sight.CUT));
    long began = System.nanoTime();
    Await.until("empty spool", ChaosStack.PATIENCE, () -> stack.account().spoolBytes() == 0);
    gate.measured(
        "spool_empty_after_millis", (System.nanoTime() - began) / 1_000_000, atMost(2_000));
    stack.front().restore();
  }

  /** A page that the origin's line breaks off while it is spooled. */
  private static void originsLineBreaks(Gate gate, ChaosStack stack) {
    stack
        .back()
        .strike(line -> line.toxics().limitData("cut", ToxicDirection.DOWNSTREAM, PAGE / 2));
    var slow = beginSlow(stack, "/spooled/origin");
    gate.measured("origin_gone", sight(slow.join(), "/spooled/origin"), equalTo(Sight.CUT));
    stack.back().heal();
    gate.measured("probe_then", probe(stack), equalTo(Sight.WHOLE));
    gate.measured("recovery_millis", stack.recoveryMillis("/after"), atMost(3_000));
  }

  /** Returns once the origin has been asked. */
  private static CompletableFuture<CrowdResult> beginSlow(ChaosStack stack, String path) {
    stack.origin().reset();
    var slow = ChaosStack.crowdBeside(stack.front().port(), 1, path + "?bytes=" + PAGE);
    Await.until(
        "the page's request",
        ChaosStack.PATIENCE,
        () -> stack.origin().stats().requestsUnder(path) == 1);
    return slow;
  }

  private static Sight probe(ChaosStack stack) {
    return stack.sight("/probe", 1_000, "");
  }

  private static Sight sight(CrowdResult seen, String path) {
    return Sight.of(seen.visits().get(0), path, PAGE);
  }
}
