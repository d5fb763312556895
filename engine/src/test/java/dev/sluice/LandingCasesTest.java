package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a flight's head, or its absence, means for those aboard (DEC-35), on two loops. */
class LandingCasesTest {

  private static final ProxyFile SHOP = Visitors.shop().loops(2);

  @RegisterExtension static final Running running = new Running();

  // Each test begins with visitors(...) or visitorsOfAStalePage(...).
  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  private Visitors visitors(ProxyFile file, HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  /**
   * As {@link #visitors}, with {@code /p} in the store for 90 s of its one; the origin holds what
   * comes.
   */
  private Visitors visitorsOfAStalePage(ProxyFile file, HeldOrigin.Answers answers) {
    MovedTicker ticker = new MovedTicker();
    origin = running.closing(HeldOrigin.start(answers));
    Visitors visitors = new Visitors(running, running.proxy(origin.port(), file, ticker));
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofSeconds(90));
    origin.hold();
    return visitors;
  }

  /** So many for {@code /p}, one of whom asks the origin that had one request before. */
  private List<RawClient> aboard(Visitors visitors, int count) {
    List<RawClient> crowd = visitors.crowd(count, "/p");
    visitors.awaitUnderWay(count);
    origin.awaitRequests(2);
    return crowd;
  }

  private static String page(HeldOrigin.Asked asked) {
    return HeldOrigin.ok("Cache-Control: max-age=60", "page " + asked.number());
  }

  @Test
  void shed_allAboardGetTheOverloadAnswer_andNoneGoesAlone() {
    Visitors visitors =
        visitors(
            SHOP.origin("concurrency: { max: 1, queue: { timeout: 300ms, predict: false } }"),
            LandingCasesTest::page);
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(1);

    List<RawClient> crowd = visitors.crowd(10, "/p");

    for (RawResponse answer : Visitors.readAll(crowd)) {
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.header("Retry-After")).isNotEmpty();
    }
    origin.release();
    busy.readAll();
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** A crowd is one place in the queue, and the queue's bound counts flights. */
  @Test
  void shed_queueIsFull_turnsTheWholeCrowdAway() {
    Visitors visitors =
        visitors(
            SHOP.origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s, predict: false } }"),
            LandingCasesTest::page);
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(1);
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(11);
    Running.awaitWaiting(visitors.sluice(), 1);

    assertThat(visitors.get("/q").status()).isEqualTo(503);

    origin.release();
    busy.readAll();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 1");
  }

  @Test
  void noHead_isTheSameFailureForAll() {
    Visitors visitors = visitors(SHOP, asked -> "");
    origin.hold();
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .allSatisfy(
            each -> {
              assertThat(each.status()).isEqualTo(502);
              assertThat(each.header("Proxy-Status")).contains("connection_terminated");
            });
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void noHeadInTime_isTheSame504ForAll() {
    TrickOrigin silent = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Visitors visitors =
        new Visitors(
            running,
            running.proxy(
                silent.port(),
                SHOP.origin("abandon_hold: 0s").block("timeouts: { origin_response: 400ms }")));

    List<RawResponse> answers = Visitors.readAll(visitors.crowd(10, "/p"));

    assertThat(answers).extracting(RawResponse::status).containsOnly(504);
    assertThat(silent.connections()).isEqualTo(1);
  }

  @Test
  void serverError_isTheLeads_andTheOthersGetItsStatus() {
    Visitors visitors =
        visitors(
            SHOP,
            asked ->
                HeldOrigin.answer("503 Broken", "X-Debug: trace|Cache-Control: max-age=9", "oops"));
    origin.hold();
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    List<RawClient> others = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(11);

    origin.release();

    RawResponse own = lead.readAll();
    assertThat(own.status()).isEqualTo(503);
    assertThat(own.text()).isEqualTo("oops");
    assertThat(own.header("X-Debug")).isEqualTo("trace");
    for (RawResponse other : Visitors.readAll(others)) {
      assertThat(other.status()).isEqualTo(503);
      assertThat(other.header("Proxy-Status")).isEqualTo("sluice; received-status=503");
      assertThat(other.header("Cache-Control")).isEqualTo("no-store");
      assertThat(other.header("X-Debug")).isEmpty();
      assertThat(other.text()).doesNotContain("oops");
    }
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void serverError_whereStaleMayServe_isNobodys() {
    Visitors visitors =
        visitorsOfAStalePage(
            SHOP,
            asked ->
                asked.number() == 0
                    ? HeldOrigin.ok("Cache-Control: max-age=1, stale-if-error=600", "good")
                    : HeldOrigin.answer("500 Broken", "", "oops"));
    List<RawClient> crowd = aboard(visitors, 10);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .allSatisfy(
            each -> {
              assertThat(each.text()).isEqualTo("good");
              assertThat(each.header("Cache-Status")).contains("stale-if-error");
            });
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void notModified_servesAllFromTheStore() {
    Visitors visitors =
        visitorsOfAStalePage(
            SHOP,
            asked ->
                asked.field("If-None-Match").isEmpty()
                    ? HeldOrigin.ok("Cache-Control: max-age=1|ETag: \"v\"", "good")
                    : HeldOrigin.answer(
                        "304 Not Modified", "Cache-Control: max-age=60|ETag: \"v\"", ""));
    List<RawClient> crowd = aboard(visitors, 10);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .allSatisfy(
            each -> {
              assertThat(each.text()).isEqualTo("good");
              assertThat(each.header("X-Sluice")).isEqualTo("REVALIDATED");
              assertThat(each.header("Cache-Status"))
                  .isEqualTo("sluice; fwd=stale; fwd-status=304");
            });
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void oversize_isKnownAtTheHeadAndReleasesTheOthers() {
    String large = "y".repeat(200_000);
    Visitors visitors =
        visitors(
            Visitors.site(
                    "{ id: shop, match: \"/**\", class: public_ssr, cache: { enabled: false } }")
                .loops(2)
                .block("coalesce: { max_body: 100KiB }"),
            asked -> HeldOrigin.ok("Cache-Control: max-age=60", large));
    origin.hold();
    List<RawClient> crowd = visitors.crowd(5, "/p");
    visitors.awaitUnderWay(5);
    origin.awaitRequests(1);

    origin.releaseOne();
    origin.awaitRequests(5);
    origin.release();

    for (RawResponse answer : Visitors.readAll(crowd)) {
      assertThat(answer.text()).isEqualTo(large);
      assertThat(answer.header("Cache-Status")).endsWith("detail=oversize");
    }
  }

  @Test
  void maxWaiters_turnsTheNextOneAway() {
    Visitors visitors =
        visitors(SHOP.block("coalesce: { max_waiters: 4 }"), LandingCasesTest::page);
    origin.hold();
    List<RawClient> crowd = visitors.crowd(4, "/p");
    visitors.awaitUnderWay(4);
    origin.awaitRequests(1);

    RawResponse fifth = visitors.get("/p");

    assertThat(fifth.status()).isEqualTo(503);
    assertThat(fifth.header("Proxy-Status")).contains("boarding_full");
    origin.release();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-35, CCH-11: stale first, there too. */
  @Test
  void maxWaiters_givesTheNextOneTheStaleAnswer() {
    Visitors visitors =
        visitorsOfAStalePage(
            SHOP.block("coalesce: { max_waiters: 4 }"),
            asked ->
                HeldOrigin.ok(
                    "Cache-Control: max-age=1, stale-if-error=600", "page " + asked.number()));
    List<RawClient> crowd = aboard(visitors, 4);

    RawResponse fifth = visitors.get("/p");

    assertThat(fifth.text()).isEqualTo("page 0");
    assertThat(fifth.header("Cache-Status")).isEqualTo("sluice; hit; detail=stale-on-shed");
    origin.release();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 1");
  }

  @Test
  void coalesceWait_endsInTheOverloadAnswer_notInAFlightOfItsOwn() {
    Visitors visitors =
        visitors(
            SHOP.origin("concurrency: { queue: { timeout: 100ms } }")
                .block(
                    "timeouts: { origin_connect: 100ms, origin_response: 400ms,"
                        + " coalesce_wait: 600ms }"),
            LandingCasesTest::page);
    origin.hold();

    List<RawResponse> answers = Visitors.readAll(visitors.crowd(6, "/p"));

    assertThat(answers).extracting(RawResponse::status).containsOnly(504);
    origin.release();
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** 1xx is the lead's, and never stored. */
  @Test
  void earlyHints_goToTheLeadOnly() {
    CountDownLatch hinted = new CountDownLatch(1);
    TrickOrigin hints =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
                .await(hinted)
                .write("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n")
                .write("Content-Length: 2\r\n\r\nok"));
    Visitors visitors = new Visitors(running, running.proxy(hints.port(), SHOP));
    RawClient lead = visitors.ask("GET", "/p");
    assertThat(lead.readHead()).startsWith("HTTP/1.1 103");
    List<RawClient> others = visitors.crowd(4, "/p");
    visitors.awaitUnderWay(5);

    hinted.countDown();

    assertThat(lead.readHead()).startsWith("HTTP/1.1 200");
    for (RawClient other : others) {
      assertThat(other.readHead()).startsWith("HTTP/1.1 200");
    }
    visitors.awaitIdle();
    assertThat(visitors.ask("GET", "/p").readHead()).startsWith("HTTP/1.1 200");
  }
}
