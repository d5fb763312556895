package dev.sluice.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.PeerClosed;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.Account;
import dev.sluice.soak.Ask.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mixed traffic whose clients leave at any point and whose origin breaks off: afterwards nothing is
 * held, and what was read to its end was right (DEC-27 to DEC-29, DEC-32, GTE-44).
 */
class MixedAbortGate {

  private static final int SECONDS = SoakTime.seconds(45);
  private static final int WARM_UP_SECONDS = 10;
  private static final int WORKERS = 48;
  private static final int RENDERS = 10;
  private static final int STREAMS = 8;

  /** Above the hold, the finish timeout and the idle time of the origin's connections. */
  private static final Duration SETTLE = Duration.ofSeconds(60);

  /** Classes, code's data and the allocator's pools; the same after a minute and after hours. */
  private static final long HEAP_GROWTH = 8L << 20;

  private static final long DIRECT_GROWTH = 32L << 20;

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_response: 5s, origin_read: 5s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 1s
        finish_timeout: 5s
        concurrency: { max: %d, streaming: %d, queue: { max: 32, timeout: 2s, predict: false } }
      routes:
        - { id: events, match: "/events/**", class: streaming }
        - { id: close, match: "/close/**", class: private_dynamic, on_client_abort: close }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """
          .formatted(RENDERS, STREAMS);

  @Test
  void mixedTraffic_withAbortsAndFailures_leavesNothingAndLiesToNobody() throws Exception {
    long seed = Long.getLong("soak.seed", new Random().nextLong());
    System.out.println("soak: seed " + seed + " (again with -Dsoak.seed=" + seed + ")");
    var findings =
        new Findings(
            "mixed-aborts",
            "After mixed traffic with aborts and broken answers nothing is held, nothing has grown,"
                + " and every body that was read to its end is right");
    findings.parameter("seed", seed);
    findings.parameter("seconds", SECONDS);
    findings.parameter("workers", WORKERS);
    findings.parameter("render and streaming ceilings", RENDERS + " and " + STREAMS);
    try (var stack = new SoakStack(CONFIG)) {
      traffic(stack, ~seed, WARM_UP_SECONDS);
      stack.await(Account::isQuiet, SETTLE);
      SoakStack.Memory before = stack.settledMemory();
      int filesBefore = stack.openFiles();
      controls(stack, findings, filesBefore);
      stack.origin().reset();
      Ledger ledger = traffic(stack, seed, SECONDS);
      afterwards(stack, findings, before, filesBefore);
      answers(stack, findings, ledger);
    }
    int leaksSeen = LeakingProgram.leakLinesSeen();
    findings.control("leak lines of a program that leaks", leaksSeen, leaksSeen > 0);

    assertThat(findings.publish()).isEmpty();
  }

  private static Ledger traffic(SoakStack stack, long seed, int seconds) throws Exception {
    Deadline end = Deadline.in(Duration.ofSeconds(seconds));
    return Traffic.run(stack, WORKERS, seed, end, AskMaker::new);
  }

  // Controls: the same looks at what is wrong on purpose.

  private static void controls(SoakStack stack, Findings findings, int filesBefore) {
    try (var stream = RawClient.connect(stack.port()).get("/events/held?sse=1&every=50");
        var upload = RawClient.connect(stack.port());
        var render = RawClient.connect(stack.port()).get("/held?ms=4000")) {
      upload.send("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n");
      upload.send("x".repeat(30_000));
      stream.readFinalHead();
      Account held = stack.await(now -> now.permits() == 2 && now.requestBytes() == 30_000, SETTLE);
      findings.control("account of two permits and an upload", held.underWay(), isSeen(held));
      int files = stack.openFiles() - filesBefore;
      findings.control("descriptors of three clients and two fetches", files, files >= 5);
      render.readAll();
    }
    Account left = stack.await(Account::isQuiet, SETTLE);
    findings.control("account once they left", left.underWay(), left.isQuiet());
    Answer foreign = answerTo(stack, "/control?bytes=5000&seed=foreign", "");
    findings.control("a body of another page", foreign, foreign == Answer.WRONG);
    Answer smooth = answerTo(stack, "/control?bytes=5000", "short");
    findings.control("a whole answer where the origin broke off", smooth, smooth == Answer.WRONG);
    Answer cut = answerTo(stack, "/control?bytes=5000&fail=short", "");
    findings.control("a cut body without a reason", cut, cut == Answer.WRONG);
  }

  private static boolean isSeen(Account held) {
    return held.permits() == 2
        && held.exchanges() == 3
        && held.flights() == 3
        && held.fetches() == 2
        && held.requestBytes() == 30_000
        && held.clients() == 3
        && !held.isQuiet();
  }

  private static Answer answerTo(SoakStack stack, String target, String failure) {
    byte[] expected = Bodies.expected("/control", 5_000);
    byte[] line = ("GET " + target + "\r\n").getBytes(StandardCharsets.US_ASCII);
    var ask = new Ask(Ask.Kind.PAGE, line, expected, failure, 0);
    try (var client = RawClient.connect(stack.port())) {
      RawResponse response = client.get(target).readAll();
      return ask.judge(response);
    } catch (PeerClosed broken) {
      return ask.judgeBroken();
    }
  }

  // Afterwards.

  private static void afterwards(
      SoakStack stack, Findings findings, SoakStack.Memory before, int filesBefore) {
    Account after = stack.await(Account::isQuiet, SETTLE);
    after.underWay().forEach((name, value) -> findings.zero(name + " afterwards", value));
    findings.measured("descriptors at the start", filesBefore);
    findings.atMost(
        "descriptors afterwards", stack.awaitOpenFiles(filesBefore, SETTLE), filesBefore);
    SoakStack.Memory left = stack.settledMemory();
    findings.measured("heap bytes at the start", before.heap());
    findings.atMost("heap growth in bytes", left.heap() - before.heap(), HEAP_GROWTH);
    findings.measured("direct bytes at the start", before.direct());
    findings.atMost(
        "direct memory growth in bytes", left.direct() - before.direct(), DIRECT_GROWTH);
    findings.measured("resident growth in bytes", left.resident() - before.resident());
  }

  private static void answers(SoakStack stack, Findings findings, Ledger ledger) {
    OriginStats counted = stack.origin().stats();
    findings.measured("requests at the origin", counted.requests());
    findings.measured("aborted at the origin", counted.aborted());
    findings.atMost("renders at once at the origin", counted.renderingPeak(), RENDERS + STREAMS);
    findings.zero("renders still at the origin", counted.renderingNow());
    // Below the ceilings the bound would say nothing.
    findings.holds("the render ceiling was reached", counted.renderingPeak() >= RENDERS);
    findings.measured("outcomes", ledger.counts());
    findings.measured("wrong answers, the first of them", ledger.wrong());
    findings.zero("wrong answers", ledger.wrongCount());
    findings.holds("there were whole answers", ledger.count(Answer.WHOLE) > 0);
    findings.holds("there were sheds", ledger.count(Answer.SHED) > 0);
    findings.holds("there were failures of the origin", ledger.count(Answer.FAILED) > 0);
    findings.holds("still answers", stillAnswers(stack));
    findings.zero("leak lines", stack.leakLines().size());
  }

  /** Asked often, because Netty tells of a leak when it makes the next buffers. */
  private static boolean stillAnswers(SoakStack stack) {
    for (int i = 0; i < 100; i++) {
      if (answerTo(stack, "/control?bytes=5000", "") != Answer.WHOLE) {
        return false;
      }
    }
    return true;
  }
}
