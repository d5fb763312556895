package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.FreePorts;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Further attempts of a flight (ORG-17 to ORG-24, DEC-13, DEC-29, A03, A04), as origins count. */
class RetryTest extends Retrying {

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

  /** ORG-22, A04: that there is no body to be used up makes none of them safer. */
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "BREW"})
  void org22_unsafeMethods_haveOneAttempt(String method) {
    for (String rest : new String[] {"Content-Length: 2\r\n\r\nab", "\r\n"}) {
      for (String failure : new String[] {refusal(503, ""), ""}) {
        HeldOrigin origin = failing(1, failure);
        Sluice proxy = before(file(ON), origin.port());
        String request = method + " /p HTTP/1.1\r\nHost: a\r\n" + rest;

        assertThat(running.client(proxy).send(request).readAll().status()).isIn(502, 503);
        assertThat(origin.requests()).as(failure + " to " + request).isOne();
      }
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
}
