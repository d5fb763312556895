package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.governor.fetch.Names;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Further attempts of a flight (ORG-17 to ORG-24, DEC-13, DEC-29, A03, A04), as origins count. */
class RetryTest {

  private static final String ON = "retry: { enabled: true, budget_min: 100 }";

  @RegisterExtension static final Running running = new Running();

  private static ProxyFile file(String... origin) {
    ProxyFile file = ProxyFile.plain().server("debug_headers: true");
    for (String line : origin) {
      file = file.origin(line);
    }
    return file;
  }

  private static HeldOrigin origin(HeldOrigin.Answers answers) {
    return running.closing(HeldOrigin.start(answers));
  }

  private static HeldOrigin good() {
    return origin(asked -> HeldOrigin.ok("", "good"));
  }

  /** Fails so often, then is good. */
  private static HeldOrigin failing(int times, String answer) {
    return origin(asked -> asked.number() < times ? answer : HeldOrigin.ok("", "good"));
  }

  private static String refusal(int status, String fields) {
    return HeldOrigin.answer(status + " No", fields, "no");
  }

  private static Sluice before(ProxyFile file, int... ports) {
    return running.proxy(
        file,
        Names.system(),
        Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toArray(String[]::new));
  }

  private static RawResponse get(Sluice proxy) {
    return running.client(proxy).get("/page").readAll();
  }

  @Test
  void org17_off_theFailureReachesTheClient() {
    HeldOrigin origin = failing(1, refusal(503, ""));
    Sluice proxy = before(file(), origin.port());

    assertThat(get(proxy).status()).isEqualTo(503);
    assertThat(origin.requests()).isOne();
  }

  /** ORG-24: one of several is not there. */
  @Test
  void org24_refused_isAskedElsewhere_andTold() {
    HeldOrigin origin = good();
    Sluice proxy = before(file(ON), FreePorts.next(), origin.port());

    List<RawResponse> answers = Stream.generate(() -> get(proxy)).limit(10).toList();

    assertThat(answers).extracting(RawResponse::text).containsOnly("good");
    assertThat(answers)
        .extracting(answer -> answer.header("Proxy-Status"))
        .containsOnly("", "sluice; attempts=2");
    assertThat(metrics(proxy)).contains("sluice_origin_retries_total{outcome=\"succeeded\"} 5.0");
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void dec29_completeHead_isFollowed_elsewhere(int status) {
    HeldOrigin bad = failing(9, refusal(status, ""));
    HeldOrigin good = good();
    Sluice proxy = before(file(ON), bad.port(), good.port());

    assertThat(get(proxy).text()).isEqualTo("good");
    assertThat(bad.requests()).isOne();
    assertThat(good.requests()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 501, 400, 404})
  void dec29_otherHeads_areTheAnswer(int status) {
    HeldOrigin origin = failing(1, refusal(status, ""));
    Sluice proxy = before(file(ON), origin.port());

    assertThat(get(proxy).status()).isEqualTo(status);
    assertThat(origin.requests()).isOne();
  }

  /** N10: half the pool has another build; a file that one half does not have the other has. */
  @ParameterizedTest
  @ValueSource(strings = {"private_dynamic", "static"})
  void n10_missingFileOfABuild_isAskedOfOneOtherUpstream(String kind) {
    HeldOrigin old = failing(99, refusal(404, "Cache-Control: public, max-age=31536000"));
    HeldOrigin fresh = good();
    ProxyFile file = file(ON).block("routes: [ { id: all, match: \"/**\", class: " + kind + " } ]");
    Sluice proxy = before(file, old.port(), fresh.port());

    for (int i = 0; i < 4; i++) {
      RawResponse answer =
          running.client(proxy).get("/_next/static/chunks/b" + i + ".js").readAll();
      assertThat(answer.text()).isEqualTo("good");
    }
    assertThat(old.requests()).isEqualTo(2);
    assertThat(fresh.requests()).isEqualTo(4);
  }

  /** And of no more than one, within the budget, and of nothing else than such files. */
  @Test
  void n10_missingEverywhere_isA404BehindTwoAttempts() {
    String missing = refusal(404, "");
    List<HeldOrigin> origins =
        List.of(failing(99, missing), failing(99, missing), failing(99, missing));
    int[] ports = origins.stream().mapToInt(HeldOrigin::port).toArray();
    Sluice proxy = before(file("retry: { enabled: true, max_attempts: 4 }"), ports);

    RawResponse answer = running.client(proxy).get("/_next/static/chunks/b1.js").readAll();
    assertThat(answer.status()).isEqualTo(404);
    assertThat(origins.stream().mapToInt(HeldOrigin::requests).sum()).isEqualTo(2);

    assertThat(get(proxy).status()).isEqualTo(404);
    assertThat(origins.stream().mapToInt(HeldOrigin::requests).sum()).isEqualTo(3);
  }

  /** N10: where the other one fails, the first one's answer stands, to its last byte. */
  @ParameterizedTest
  @ValueSource(strings = {"refused", "500", "503", "closed", "malformed", "late"})
  void n10_theOtherOneFails_theFirstOnesAnswerStands(String failure) {
    String page = "n".repeat(300_000);
    HeldOrigin old = origin(asked -> HeldOrigin.answer("404 Not Found", "X-Build: old", page));
    HeldOrigin bad =
        origin(
            asked ->
                switch (failure) {
                  case "closed" -> "";
                  case "malformed" -> "HTTP/1.1 2oo OK\r\n\r\n";
                  default -> refusal(failure.equals("500") ? 500 : 503, "");
                });
    if (failure.equals("late")) {
      bad.hold();
    }
    Sluice proxy =
        before(
            file(ON).block("timeouts: { origin_response: 300ms }"),
            old.port(),
            failure.equals("refused") ? FreePorts.next() : bad.port());

    RawResponse answer = running.client(proxy).get("/_next/static/chunks/b.js").readAll();

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("X-Build")).isEqualTo("old");
    assertThat(answer.header("Proxy-Status")).isEqualTo("sluice; attempts=2");
    assertThat(answer.text()).isEqualTo(page);
    assertThat(old.requests()).isOne();
    assertThat(bad.requests()).isEqualTo(failure.equals("refused") ? 0 : 1);
    assertThat(metrics(proxy))
        .contains("sluice_origin_retries_total{outcome=\"failed\"} 1.0")
        .contains("sluice_origin_retries_total{outcome=\"succeeded\"} 0.0");
    Running.await("nothing in flight", () -> proxy.ceilings().inFlight() == 0);
  }

  /** And its connection serves on, whether the answer was wanted in the end or not. */
  @ParameterizedTest
  @ValueSource(ints = {200, 503})
  void n10_answerThatWasKept_leavesItsConnectionUsable(int other) {
    HeldOrigin old = failing(99, refusal(404, ""));
    HeldOrigin second = origin(asked -> refusal(other, ""));
    Sluice proxy = before(file(ON), old.port(), second.port());
    for (int i = 0; i < 6; i++) {
      assertThat(running.client(proxy).get("/_next/static/b" + i + ".js").readAll().status())
          .isEqualTo(other == 200 ? 200 : 404);
    }

    assertThat(new Operator(running, proxy).status().at("/upstreams/0/connections").asInt())
        .isOne();
    assertThat(new Operator(running, proxy).status().at("/upstreams/0/in_flight").asInt()).isZero();
  }

  /** A client that leaves meanwhile leaves both. */
  @Test
  void n10_clientLeavesMeanwhile_nothingStays() {
    HeldOrigin old = failing(99, refusal(404, ""));
    HeldOrigin second = good().hold();
    Sluice proxy =
        before(file(ON, "on_client_abort: close", "abandon_hold: 0s"), old.port(), second.port());
    RawClient client = running.client(proxy).get("/_next/static/b.js");
    second.awaitRequests(1);

    client.reset();

    Running.await("nothing in flight", () -> proxy.ceilings().inFlight() == 0);
    var upstreams = new Operator(running, proxy).status().get("upstreams");
    assertThat(upstreams.get(0).get("in_flight").asInt()).isZero();
    assertThat(upstreams.get(1).get("in_flight").asInt()).isZero();
  }

  /** N10: nobody is asked twice for what it does not have. */
  @Test
  void n10_nobodyElseIsInUse_isA404BehindOneAttempt() {
    HeldOrigin old = failing(99, refusal(404, ""));
    Sluice proxy = before(file(ON), old.port(), FreePorts.next());
    proxy.upstreams().all().get(1).eject(true);

    assertThat(running.client(proxy).get("/_next/static/b.js").readAll().status()).isEqualTo(404);
    assertThat(old.requests()).isOne();
  }

  /** A03: an upstream that says when to come back is taken at its word. */
  @Test
  void a03_retryAfter_isNotRetried() {
    HeldOrigin bad = failing(9, refusal(503, "Retry-After: 5"));
    HeldOrigin good = good();
    Sluice proxy = before(file(ON), bad.port(), good.port());

    RawResponse answer = get(proxy);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("Retry-After")).isEqualTo("5");
    assertThat(good.requests()).isZero();
  }

  @Test
  void org18_onlyOneUpstream_isAskedAgain_upToTheAttemptsThatThereMayBe() {
    HeldOrigin origin = failing(2, refusal(503, ""));

    assertThat(get(before(file(ON), origin.port())).status()).isEqualTo(503);
    assertThat(origin.requests()).isEqualTo(2);

    HeldOrigin other = failing(2, refusal(503, ""));
    ProxyFile three = file("retry: { enabled: true, max_attempts: 3, budget_min: 100 }");
    Sluice proxy = before(three, other.port());
    RawResponse answer = get(proxy);

    assertThat(answer.text()).isEqualTo("good");
    assertThat(answer.header("Proxy-Status")).isEqualTo("sluice; attempts=3");
    assertThat(other.requests()).isEqualTo(3);
    assertThat(metrics(proxy))
        .contains("sluice_origin_retries_total{outcome=\"failed\"} 1.0")
        .contains("sluice_origin_retries_total{outcome=\"succeeded\"} 1.0");
  }

  @Test
  void reset_inPlaceOfAHead_isFollowed_withinAHeadNot() {
    HeldOrigin silent = failing(1, "");
    assertThat(get(before(file(ON), silent.port())).text()).isEqualTo("good");
    assertThat(silent.requests()).isEqualTo(2);

    HeldOrigin half = failing(1, "HTTP/1.1 20");
    assertThat(get(before(file(ON), half.port())).status()).isEqualTo(502);
    assertThat(half.requests()).isOne();
  }

  /** ORG-22, A04. */
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "BREW"})
  void org22_unsafeMethods_haveOneAttempt(String method) {
    for (String failure : new String[] {refusal(503, ""), ""}) {
      HeldOrigin origin = failing(1, failure);
      Sluice proxy = before(file(ON), origin.port());
      String request = method + " /p HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab";

      assertThat(running.client(proxy).send(request).readAll().status()).isIn(502, 503);
      assertThat(origin.requests()).as(failure).isOne();
    }
  }

  @Test
  void org23_originDiesInItsBody_hasNoSecondAttempt() {
    HeldOrigin origin = failing(1, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome of it");
    Sluice proxy = before(file(ON), origin.port());
    RawClient client = running.client(proxy).get("/page");

    assertThat(client.readHead()).contains("200");
    client.awaitEnd();

    assertThat(origin.requests()).isOne();
  }

  /** DEC-29: never after a timeout of our own. */
  @Test
  void dec29_ourOwnTimeout_isTheEnd() {
    HeldOrigin slow = good().hold();
    HeldOrigin good = good();
    Sluice proxy =
        before(file(ON).block("timeouts: { origin_response: 300ms }"), slow.port(), good.port());

    assertThat(get(proxy).status()).isEqualTo(504);
    assertThat(good.requests()).isZero();
  }

  /** What a client was told by an interim answer cannot be taken back. */
  @Test
  void interimAnswer_passedOn_isNotFollowed() {
    HeldOrigin origin =
        failing(1, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + refusal(503, ""));
    RawClient client = running.client(before(file(ON), origin.port())).get("/page");

    assertThat(client.readHead()).contains("103");
    assertThat(client.readHead()).contains("503");
    assertThat(origin.requests()).isOne();
  }

  /** ORG-19 to ORG-21. */
  @Test
  void org21_budget_isSpent_andSaysSo() {
    HeldOrigin origin = failing(1_000, refusal(503, ""));
    Sluice proxy = before(file("retry: { enabled: true, window: 1m }"), origin.port());

    for (int i = 0; i < 20; i++) {
      assertThat(get(proxy).status()).isEqualTo(503);
    }

    assertThat(origin.requests()).isEqualTo(23);
    assertThat(metrics(proxy))
        .contains("sluice_origin_retries_total{outcome=\"failed\"} 3.0")
        .contains("sluice_origin_retries_total{outcome=\"budget_exhausted\"} 17.0");
  }

  /** A03: what waits in its back-off has been paid for. */
  @Test
  void a03_manyFailAtOnce_thePriceIsTheSame() {
    HeldOrigin origin = failing(1_000, refusal(503, "")).hold();
    ProxyFile file =
        file(
            "retry: { enabled: true, window: 1m, budget_percent: 20, budget_min: 1 }",
            "concurrency: { max: 200 }");
    Sluice proxy = before(file, origin.port());
    List<RawClient> crowd =
        Stream.generate(() -> running.client(proxy).get("/page")).limit(100).toList();
    origin.awaitRequests(100);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(503);
    assertThat(origin.requests()).isEqualTo(120);
  }

  /** A03: none where others are turned away; and again once there is room. */
  @ParameterizedTest
  @ValueSource(strings = {"max: 1", "max: 0"})
  void a03_queueIsFull_nothingIsAskedAgain(String queue) {
    HeldOrigin origin =
        origin(
                asked ->
                    asked.target().equals("/bad") ? refusal(503, "") : HeldOrigin.ok("", "good"))
            .hold();
    ProxyFile file =
        file(ON, "concurrency: { max: 1, queue: { " + queue + ", timeout: 9s, predict: false } }");
    Sluice proxy = before(file, origin.port());
    RawClient failed = running.client(proxy).get("/bad");
    origin.awaitRequests(1);
    boolean mayWait = queue.equals("max: 1");
    List<RawClient> waiting = mayWait ? List.of(running.client(proxy).get("/waits")) : List.of();
    Running.awaitWaiting(proxy, waiting.size());
    assertThat(running.client(proxy).get("/shed").readAll().status()).isEqualTo(503);
    assertThat(origin.requests()).isOne();

    origin.release();

    assertThat(failed.readAll().header("Proxy-Status")).doesNotContain("attempts");
    assertThat(Visitors.readAll(waiting)).allMatch(answer -> answer.text().equals("good"));
    assertThat(origin.requests()).isEqualTo(1 + waiting.size());
    assertThat(metrics(proxy)).contains("sluice_origin_retries_total{outcome=\"queue_full\"} 1.0");

    Running.awaitInFlight(proxy, 0);
    assertThat(running.client(proxy).get("/bad").readAll().header("Proxy-Status"))
        .isEqualTo("sluice; attempts=2");
  }

  /** A03: the route's own queue counts for its own flights, and for nobody else's. */
  @Test
  void a03_queueOfARouteIsFull_othersAreAskedAgain() {
    HeldOrigin origin =
        origin(
                asked ->
                    asked.target().endsWith("/bad") && asked.number() < 2
                        ? refusal(503, "")
                        : HeldOrigin.ok("", "good"))
            .hold();
    ProxyFile file =
        file(ON, "concurrency: { max: 10, queue: { max: 20, timeout: 9s, predict: false } }")
            .block(
                "routes: [ { id: own, match: \"/own/**\", concurrency: { max: 1, queue: { max: 1 } }"
                    + " } ]");
    Sluice proxy = before(file, origin.port());
    RawClient own = running.client(proxy).get("/own/bad");
    origin.awaitRequests(1);
    RawClient waiting = running.client(proxy).get("/own/waits");
    Running.awaitWaiting(proxy, 1);
    RawClient other = running.client(proxy).get("/other/bad");
    origin.awaitRequests(2);

    origin.release();

    assertThat(own.readAll().status()).isEqualTo(503);
    assertThat(other.readAll().text()).isEqualTo("good");
    assertThat(waiting.readAll().text()).isEqualTo("good");
    assertThat(origin.all().stream().filter(asked -> asked.target().equals("/own/bad"))).hasSize(1);
    assertThat(origin.all().stream().filter(asked -> asked.target().equals("/other/bad")))
        .hasSize(2);
  }

  /** DEC-35: those aboard wait for the flight's own retries, and land once. */
  @Test
  void dec35_crowdAboard_landsOnTheSecondAttempt() {
    HeldOrigin origin =
        origin(
            asked ->
                asked.number() == 0
                    ? refusal(503, "")
                    : HeldOrigin.ok("Cache-Control: max-age=60", "good"));
    origin.hold();
    Visitors visitors =
        new Visitors(running, running.proxy(origin.port(), Visitors.shop().origin(ON)));
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("good");
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** DEC-29: the permit covers them all, one at a time. */
  @Test
  void dec29_permit_staysThroughItsAttempts() {
    HeldOrigin origin = failing(10, refusal(503, ""));
    ProxyFile file =
        file(
            "retry: { enabled: true, max_attempts: 3, budget_min: 100 }",
            "concurrency: { max: 1, queue: { max: 50, timeout: 20s, predict: false } }");
    Sluice proxy = before(file, origin.port());
    List<RawClient> crowd =
        Stream.generate(() -> running.client(proxy).get("/page")).limit(5).toList();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).contains(503);

    assertThat(origin.peak()).isOne();
    Running.awaitInFlight(proxy, 0);
  }

  /** BEY-23: the charge goes with the attempt. */
  @Test
  void bey23_retryElsewhere_movesTheCharge() {
    HeldOrigin good = good().hold();
    Sluice proxy =
        before(
            file(ON, "concurrency: { max: 10, per_upstream: 5 }"), FreePorts.next(), good.port());
    List<RawClient> crowd =
        Stream.generate(() -> running.client(proxy).get("/page")).limit(4).toList();
    good.awaitRequests(4);

    var upstreams = new Operator(running, proxy).status().get("upstreams");
    assertThat(upstreams.get(0).get("units").asInt()).isZero();
    assertThat(upstreams.get(1).get("units").asInt()).isEqualTo(4);

    good.release();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("good");
    Running.awaitInFlight(proxy, 0);
  }

  /**
   * DEC-29: a connection that had served and died is not the budget's to pay for; what died may be
   * the whole upstream.
   */
  @Test
  void reusedConnectionDies_isAskedElsewhere_unpaid() {
    HeldOrigin dying = origin(asked -> asked.number() == 0 ? HeldOrigin.ok("", "good") : "");
    HeldOrigin good = good();
    Sluice proxy =
        before(
            file("retry: { enabled: true, budget_percent: 0, budget_min: 1 }"),
            dying.port(),
            good.port());
    for (int i = 0; i < 3; i++) {
      assertThat(get(proxy).text()).isEqualTo("good");
    }

    assertThat(dying.requests()).isEqualTo(2);
    assertThat(good.requests()).isEqualTo(2);
    assertThat(metrics(proxy)).contains("sluice_origin_retries_total{outcome=\"succeeded\"} 0.0");
  }

  /** What is not wanted of an answer is read, so that its connection serves on. */
  @Test
  void unwantedAnswer_leavesItsConnectionUsable() {
    HeldOrigin origin = failing(1, refusal(503, ""));
    Sluice proxy = before(file(ON), origin.port());

    RawResponse answer = get(proxy);

    assertThat(answer.text()).isEqualTo("good");
    assertThat(new Operator(running, proxy).status().at("/upstreams/0/connections").asInt())
        .isOne();
  }

  @Test
  void everythingFails_theErrorTellsTheAttempts() {
    Sluice proxy = before(file(ON), FreePorts.next(), FreePorts.next());

    assertThat(get(proxy).header("Proxy-Status"))
        .isEqualTo("sluice; error=connection_refused; details=\"connection_refused\"; attempts=2");
  }

  private static String metrics(Sluice proxy) {
    return new Operator(running, proxy).metrics();
  }
}
