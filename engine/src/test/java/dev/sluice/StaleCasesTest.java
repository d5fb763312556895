package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a stale answer serves and when it must not (C07; CCH-08 to CCH-12, BEY-02, DEC-15). */
class StaleCasesTest {

  private static final String GRACE = "cache: { stale_while_revalidate: 30s, stale_if_error: 5m }";
  private static final ProxyFile SHOP = Visitors.shop(GRACE);

  @RegisterExtension static final Running running = new Running();

  private final MovedTicker ticker = new MovedTicker();
  private final AtomicBoolean down = new AtomicBoolean();
  private final AtomicBoolean failing = new AtomicBoolean();

  /** Answers with a page of these fields until it fails, or is down, and with nothing then. */
  private HeldOrigin origin(String fields) {
    return running.closing(
        HeldOrigin.start(
            asked -> {
              if (failing.get()) {
                return HeldOrigin.answer("500 Broken", "", "oops");
              }
              if (down.get()) {
                return "";
              }
              return asked.field("If-None-Match").isEmpty()
                  ? HeldOrigin.ok(fields, "page " + asked.number())
                  : HeldOrigin.answer("304 Not Modified", fields, "");
            }));
  }

  private Visitors visitors(HeldOrigin origin, ProxyFile file) {
    return new Visitors(running, running.proxy(origin.port(), file, ticker));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-age=1, must-revalidate",
        "max-age=1, proxy-revalidate",
        "max-age=1, stale-while-revalidate=600, must-revalidate",
        "s-maxage=1",
        "max-age=0, must-revalidate",
        "max-age=60, s-maxage=1, proxy-revalidate"
      })
  void c07_forbiddenStale_isConfirmedOrRefused(String control) {
    HeldOrigin origin = origin("ETag: \"v\"|Cache-Control: " + control);
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p");
    ticker.advance(Duration.ofSeconds(2));

    RawResponse confirmed = visitors.get("/p");
    assertThat(confirmed.text()).isEqualTo("page 0");
    assertThat(confirmed.header("X-Sluice")).isEqualTo("REVALIDATED");
    assertThat(origin.request(1).field("If-None-Match")).isEqualTo("\"v\"");

    down.set(true);
    ticker.advance(Duration.ofSeconds(2));
    assertThat(visitors.get("/p").status()).isEqualTo(502);
    assertThat(visitors.get("/p", "Cache-Control: max-stale=600").status()).isEqualTo(502);
  }

  /** Appendix 3: the origin's own permission wins over what s-maxage implies (DEC-15). */
  @Test
  void dec15_originsOwnWindow_isServedBesideSMaxage() {
    HeldOrigin origin = origin("Cache-Control: s-maxage=1, stale-while-revalidate=600");
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p");

    ticker.advance(Duration.ofSeconds(2));
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");
    visitors.awaitIdle();

    // The route caps the window at 30 s; what comes later waits for the origin.
    ticker.advance(Duration.ofSeconds(40));
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
    // Whoever may be stale while a refresh is tried may be while it fails, and no longer.
    down.set(true);
    ticker.advance(Duration.ofMinutes(4));
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");
    ticker.advance(Duration.ofMinutes(7));
    assertThat(visitors.get("/p").status()).isEqualTo(502);
  }

  @Test
  void cch08_staleAnswer_isServedWhileOneRequestRefreshesIt() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors = visitors(origin, SHOP.loops(2));
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofSeconds(2));
    origin.hold();

    for (RawResponse answer : Visitors.readAll(visitors.crowd(20, "/p"))) {
      assertThat(answer.text()).isEqualTo("page 0");
      assertThat(answer.header("X-Sluice")).isEqualTo("STALE");
      assertThat(answer.header("Age")).isEqualTo("2");
    }
    origin.awaitRequests(2);
    assertThat(origin.requests()).isEqualTo(2);

    origin.release();
    visitors.awaitIdle();
    RawResponse fresh = visitors.get("/p");
    assertThat(fresh.text()).isEqualTo("page 1");
    assertThat(fresh.header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** DEC-40: no client's fields, and no client's address. */
  @Test
  void dec40_refresh_asksInNobodysName() {
    HeldOrigin origin = origin("Cache-Control: max-age=1|ETag: \"v\"");
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p", "X-Custom: 1");
    ticker.advance(Duration.ofSeconds(2));

    visitors.get("/p", "X-Custom: 1", "User-Agent: somebody");

    HeldOrigin.Asked refresh = origin.request(1);
    assertThat(refresh.field("If-None-Match")).isEqualTo("\"v\"");
    assertThat(refresh.field("Host")).isEqualTo("a.example");
    assertThat(refresh.head())
        .doesNotContainIgnoringCase("x-forwarded-for")
        .doesNotContainIgnoringCase("x-custom")
        .doesNotContainIgnoringCase("somebody");
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** DEC-40: what failed is not tried again at once. */
  @Test
  void dec40_failedRefresh_waitsBeforeTheNext() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p");
    ticker.advance(Duration.ofSeconds(2));
    down.set(true);
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");
    visitors.awaitIdle();
    int asked = origin.requests();

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(asked);

    ticker.advance(Duration.ofSeconds(2));
    down.set(false);
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(asked + 1);
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  /** DEC-40: a refresh takes a permit that is free, and waits for none. */
  @Test
  void dec40_refreshWithoutAFreePermit_isNotTried() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors = visitors(origin, SHOP.origin("concurrency: { max: 1 }"));
    visitors.get("/p");
    ticker.advance(Duration.ofSeconds(2));
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(2);

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("STALE");

    Running.awaitWaiting(visitors.sluice(), 0);
    origin.release();
    busy.readAll();
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** DEC-40: who comes behind the stale window boards the refresh. */
  @Test
  void dec40_requestBehindTheWindow_boardsTheRefresh() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors = visitors(origin, SHOP.loops(2));
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofSeconds(2));
    origin.hold();
    visitors.get("/p");
    origin.awaitRequests(2);

    ticker.advance(Duration.ofSeconds(40));
    RawClient late = visitors.ask("GET", "/p");
    visitors.awaitUnderWay(1);
    origin.release();

    assertThat(late.readAll().text()).isEqualTo("page 1");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void cch09_originThatFails_isStoodInForUntilTheWindowEnds() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p");
    down.set(true);
    ticker.advance(Duration.ofMinutes(4));

    RawResponse standIn = visitors.get("/p");
    assertThat(standIn.text()).isEqualTo("page 0");
    assertThat(standIn.header("X-Sluice")).isEqualTo("STALE");
    assertThat(standIn.header("Cache-Status")).isEqualTo("sluice; hit; detail=stale-if-error");
    assertThat(standIn.header("Age")).isEqualTo("240");

    ticker.advance(Duration.ofMinutes(2));
    assertThat(visitors.get("/p").status()).isEqualTo(502);
  }

  @Test
  void bey02_shedRequest_getsTheStaleAnswer() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors =
        visitors(
            origin,
            SHOP.origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s, predict: false } }"));
    visitors.get("/p");
    visitors.get("/fresh");
    ticker.advance(Duration.ofMinutes(2));
    visitors.get("/fresh");
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(4);
    RawClient waiting = visitors.ask("GET", "/waiting");
    Running.awaitWaiting(visitors.sluice(), 1);

    RawResponse stale = visitors.get("/p");
    assertThat(stale.text()).isEqualTo("page 0");
    assertThat(stale.header("Cache-Status")).isEqualTo("sluice; hit; detail=stale-on-shed");
    assertThat(visitors.get("/unknown").status()).isEqualTo(503);
    // CCH-12: a hit asks nobody.
    assertThat(visitors.get("/fresh").header("X-Sluice")).isEqualTo("HIT");

    origin.release();
    assertThat(busy.readAll().status()).isEqualTo(200);
    assertThat(waiting.readAll().status()).isEqualTo(200);
    assertThat(origin.requests()).isEqualTo(5);
  }

  /** Deadline over, not queue full: the same. */
  @Test
  void bey02_queueDeadline_givesTheStaleAnswerToAllAboard() {
    HeldOrigin origin = origin("Cache-Control: max-age=1");
    Visitors visitors =
        visitors(
            origin,
            SHOP.loops(2)
                .origin("concurrency: { max: 1, queue: { timeout: 300ms, predict: false } }"));
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofMinutes(2));
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(2);

    for (RawResponse answer : Visitors.readAll(visitors.crowd(5, "/p"))) {
      assertThat(answer.text()).isEqualTo("page 0");
      assertThat(answer.header("Cache-Status")).isEqualTo("sluice; hit; detail=stale-on-shed");
    }
    origin.release();
    busy.readAll();
  }

  /** CCH-09, CCH-11: what goes to the origin by itself is stood in for like all else. */
  @ParameterizedTest
  @CsvSource({
    "HEAD, X-Nothing: 0, 200, ''",
    "GET, Range: bytes=0-3, 206, page",
    "GET, If-Match: \"v\", 200, page 0",
    "GET, If-Match: \"other\", 412, ''"
  })
  void bey02_requestThatGoesAlone_isStoodInForToo(
      String method, String field, int status, String text) {
    HeldOrigin origin = origin("Cache-Control: max-age=1|ETag: \"v\"");
    Visitors visitors =
        visitors(
            origin,
            SHOP.origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s, predict: false } }"));
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofMinutes(2));

    down.set(true);
    assertStoodIn(visitors.ask(method, "/p", field), status, text, "stale-if-error");
    failing.set(true);
    assertStoodIn(visitors.ask(method, "/p", field), status, text, "stale-if-error");
    visitors.awaitIdle();
    origin.hold();
    RawClient busy = visitors.ask("GET", "/busy");
    Running.awaitInFlight(visitors.sluice(), 1);
    RawClient waiting = visitors.ask("GET", "/waiting");
    Running.awaitWaiting(visitors.sluice(), 1);
    assertStoodIn(visitors.ask(method, "/p", field), status, text, "stale-on-shed");

    origin.release();
    busy.readAll();
    waiting.readAll();
    visitors.awaitIdle();
    // Whoever was given it has let it go: a stored answer is held by the store alone.
    assertThat(visitors.sluice().cache().occupancy().pinnedBytes()).isZero();
    ticker.advance(Duration.ofMinutes(10));
    assertThat(visitors.ask(method, "/p", field).readHead()).startsWith("HTTP/1.1 500");
  }

  private static void assertStoodIn(RawClient client, int status, String text, String detail) {
    String head = client.readHead();
    assertThat(head).startsWith("HTTP/1.1 " + status + " ");
    if (status != 412) {
      assertThat(head).contains("detail=" + detail);
    }
    assertThat(new String(client.readBody(text.length()), StandardCharsets.UTF_8)).isEqualTo(text);
  }
}
