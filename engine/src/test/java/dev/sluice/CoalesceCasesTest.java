package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Crowds on one page (K01, K04; COA-01 to COA-08, DEC-44, BEY-03, BEY-04), on two loops. */
class CoalesceCasesTest {

  private static final ProxyFile SHOP = Visitors.shop().loops(2);

  @RegisterExtension static final Running running = new Running();

  private static HeldOrigin origin(String fields) {
    return running.closing(
        HeldOrigin.start(asked -> HeldOrigin.ok(fields, "page " + asked.number())));
  }

  private static Visitors visitors(HeldOrigin origin, ProxyFile file) {
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  @Test
  void coa01_coa03_crowdUnderACeilingOfOne_isOneRenderAndNoQueue() {
    HeldOrigin origin = origin("Cache-Control: max-age=60").hold();
    Visitors visitors = visitors(origin, SHOP.origin("concurrency: { max: 1, queue: { max: 1 } }"));
    List<RawClient> crowd = visitors.crowd(50, "/p");
    visitors.awaitUnderWay(50);
    origin.awaitRequests(1);
    Running.awaitInFlight(visitors.sluice(), 1);
    Running.awaitWaiting(visitors.sluice(), 0);

    origin.release();

    List<RawResponse> answers = Visitors.readAll(crowd);
    assertThat(answers).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(answers)
        .extracting(each -> each.header("X-Sluice"))
        .containsOnlyOnce("MISS")
        .containsOnly("MISS", "HIT");
    assertThat(answers)
        .extracting(each -> each.header("Cache-Status"))
        .containsOnlyOnce("sluice; fwd=uri-miss")
        .containsOnly("sluice; fwd=uri-miss", "sluice; fwd=uri-miss; collapsed");
    assertThat(answers)
        .filteredOn(each -> each.header("X-Sluice").equals("HIT"))
        .extracting(each -> each.header("Age"))
        .containsOnly("0");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void coa02_coalescingOff_isOneRenderEach() {
    HeldOrigin origin = origin("Cache-Control: max-age=60").hold();
    Visitors visitors = visitors(origin, Visitors.shop("coalesce: { enabled: false }").loops(2));
    List<RawClient> crowd = visitors.crowd(5, "/p");
    origin.awaitRequests(5);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).doesNotHaveDuplicates();
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  /** SHR-15, DEC-09: the weaker override shares one render and keeps nothing. */
  @Test
  void dec09_coalesceOverride_sharesTheFlightAndStoresNothing() {
    HeldOrigin origin = origin("Cache-Control: private, no-store").hold();
    Visitors visitors =
        visitors(origin, Visitors.shop("coalesce: { override_origin: true }").loops(2));
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 0");
    visitors.awaitIdle();
    assertThat(visitors.get("/p").text()).isEqualTo("page 1");
  }

  @Test
  void coa08_proxies_renderSeparately() {
    HeldOrigin origin = origin("Cache-Control: max-age=60").hold();
    RawClient first = visitors(origin, SHOP).ask("GET", "/p");
    RawClient second = visitors(origin, SHOP).ask("GET", "/p");
    origin.awaitRequests(2);

    origin.release();

    assertThat(first.readAll().text()).isNotEqualTo(second.readAll().text());
  }

  /** COA-06, COA-07: nobody waits behind another for an answer that is nobody else's. */
  @ParameterizedTest
  @ValueSource(strings = {"Cache-Control: private", "Set-Cookie: a=1|Cache-Control: max-age=60"})
  void k01_unshareableAnswer_releasesAllAtOnce(String fields) {
    HeldOrigin origin = origin(fields).hold();
    Visitors visitors = visitors(origin, SHOP.origin("concurrency: { max: 50 }"));
    List<RawClient> crowd = visitors.crowd(50, "/p");
    visitors.awaitUnderWay(50);
    origin.awaitRequests(1);

    origin.releaseOne();
    origin.awaitRequests(50);

    assertThat(origin.peak()).isEqualTo(49);
    origin.release();
    String why = fields.startsWith("Set-Cookie") ? "set_cookie" : "private";
    // GTE-19: whoever was released had looked, as the lead had.
    assertThat(Visitors.readAll(crowd))
        .allSatisfy(each -> assertThat(each.header("X-Sluice")).isEqualTo("MISS"))
        .allSatisfy(
            each ->
                assertThat(each.header("Cache-Status"))
                    .isEqualTo("sluice; fwd=uri-miss; detail=" + why))
        .extracting(RawResponse::text)
        .doesNotHaveDuplicates();
    visitors.awaitIdle();

    // BEY-03, DEC-44: the next burst knows, and does not gather at all.
    origin.hold();
    List<RawClient> next = visitors.crowd(50, "/p");
    origin.awaitRequests(100);
    origin.release();
    assertThat(Visitors.readAll(next)).extracting(RawResponse::text).doesNotHaveDuplicates();
  }

  /** BEY-03, DEC-44: nor for one that is out of date as it comes, and other than the one before. */
  @Test
  void bey03_answerThatIsStaleOnArrival_gathersNoSecondWave() {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.ok(
                        "Cache-Control: max-age=0|ETag: \"" + asked.number() + "\"",
                        "page " + asked.number())));
    origin.hold();
    Visitors visitors = visitors(origin, SHOP.origin("concurrency: { max: 20 }"));
    List<RawClient> first = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);
    origin.release();
    assertThat(Visitors.readAll(first)).extracting(RawResponse::text).doesNotHaveDuplicates();
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(10);

    origin.hold();
    List<RawClient> second = visitors.crowd(10, "/p");
    origin.awaitRequests(20);
    origin.release();

    assertThat(Visitors.readAll(second)).extracting(RawResponse::text).doesNotHaveDuplicates();
  }

  /** But what the origin confirms is worth waiting for. */
  @Test
  void dec44_confirmation_clearsTheMark() {
    String fields = "Cache-Control: max-age=0|ETag: \"v\"";
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    asked.field("If-None-Match").isEmpty()
                        ? HeldOrigin.ok(fields, "page " + asked.number())
                        : HeldOrigin.answer("304 Not Modified", fields, "")));
    Visitors visitors = visitors(origin, SHOP);
    visitors.get("/p");
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("REVALIDATED");
    visitors.awaitIdle();
    origin.hold();

    List<RawClient> crowd = visitors.crowd(5, "/p");
    visitors.awaitUnderWay(5);
    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(origin.requests()).isEqualTo(3);
  }

  /** DEC-47: a late confirmation of the old answer does not push out the new one. */
  @Test
  void dec47_lateConfirmation_leavesTheNewerAnswerInPlace() {
    CountDownLatch late = new CountDownLatch(1);
    String fields = "Cache-Control: max-age=60|ETag: ";
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked -> {
                  if (asked.number() == 1) {
                    Running.await("its turn", () -> late.getCount() == 0);
                    return HeldOrigin.answer("304 Not Modified", fields + "\"0\"", "");
                  }
                  String age = asked.number() == 0 ? "|Age: 60" : "";
                  return HeldOrigin.ok(
                      fields + "\"" + asked.number() + "\"" + age, "page " + asked.number());
                }));
    Visitors visitors = visitors(origin, Visitors.shop("coalesce: { enabled: false }"));
    visitors.get("/p");
    visitors.awaitIdle();
    RawClient slow = visitors.ask("GET", "/p");
    origin.awaitRequests(2);
    assertThat(visitors.get("/p").text()).isEqualTo("page 2");
    visitors.awaitUnderWay(1);

    late.countDown();

    // The origin confirmed to that one what it then has; whoever comes next has the newer one.
    assertThat(slow.readAll().text()).isEqualTo("page 0");
    assertThat(visitors.get("/p").text()).isEqualTo("page 2");
    assertThat(origin.requests()).isEqualTo(3);
  }

  @Test
  void coa07_releasedCrowd_isBoundedByAdmission() {
    HeldOrigin origin = origin("Cache-Control: private").hold();
    Visitors visitors =
        visitors(origin, SHOP.origin("concurrency: { max: 10, queue: { max: 50, timeout: 9s } }"));
    List<RawClient> crowd = visitors.crowd(50, "/p");
    visitors.awaitUnderWay(50);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
    assertThat(origin.peak()).isLessThanOrEqualTo(10);
    assertThat(origin.requests()).isEqualTo(50);
  }

  /**
   * BEY-04: behind a ceiling of one the origin sees them as they came. On one loop: a permit that
   * is free at once may go to whichever loop asks first, the queue goes by arrival on all of them.
   */
  @Test
  void bey04_released_goOnInTheirOrderOfArrival() {
    HeldOrigin origin = origin("Cache-Control: private").hold();
    Visitors visitors =
        visitors(
            origin,
            SHOP.loops(1).origin("concurrency: { max: 1, queue: { max: 50, timeout: 9s } }"));
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      crowd.add(visitors.ask("GET", "/p", "X-Arrival: " + i));
      visitors.awaitUnderWay(i + 1);
    }

    origin.release();

    Visitors.readAll(crowd);
    assertThat(origin.all().stream().skip(1).map(asked -> asked.field("X-Arrival")))
        .containsExactlyElementsOf(IntStream.range(1, 20).mapToObj(i -> "" + i).toList());
  }

  /** DEC-44: an answer that is shareable after all clears the mark. */
  @Test
  void dec44_shareableAnswer_clearsTheMark() {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.ok(
                        asked.number() == 0 ? "Cache-Control: private" : "Cache-Control: max-age=1",
                        "page " + asked.number())));
    MovedTicker ticker = new MovedTicker();
    Visitors visitors = new Visitors(running, running.proxy(origin.port(), SHOP, ticker));
    visitors.get("/p");
    visitors.get("/p");
    visitors.awaitIdle();
    ticker.advance(Duration.ofSeconds(2));
    origin.hold();

    List<RawClient> crowd = visitors.crowd(5, "/p");
    visitors.awaitUnderWay(5);
    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("page 2");
  }

  /** K04, COA-04, COA-05: the first bytes at once, from the first byte, while the rest comes. */
  @Test
  void k04_lateWaiter_getsWhatIsThereAtOnceAndTheRestAsItComes() {
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch third = new CountDownLatch(1);
    String piece = "x".repeat(1000);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 3000\r\n\r\n")
                .write(piece)
                .await(second)
                .write(piece)
                .await(third)
                .write(piece));
    Visitors visitors = new Visitors(running, running.proxy(origin.port(), SHOP));
    RawClient lead = visitors.ask("GET", "/p");
    lead.readHead();
    lead.readBody(1000);

    List<RawClient> late = visitors.crowd(4, "/p");
    for (RawClient each : late) {
      assertThat(each.readHead()).contains("collapsed");
      assertThat(text(each, 1000)).isEqualTo(piece);
    }
    second.countDown();
    lead.readBody(1000);
    RawClient later = visitors.ask("GET", "/p");
    later.readHead();
    assertThat(text(later, 2000)).isEqualTo(piece + piece);
    third.countDown();

    assertThat(text(later, 1000)).isEqualTo(piece);
    for (RawClient each : late) {
      assertThat(text(each, 2000)).isEqualTo(piece + piece);
    }
    assertThat(origin.connections()).isEqualTo(1);
  }

  private static String text(RawClient client, int bytes) {
    return new String(client.readBody(bytes), StandardCharsets.UTF_8);
  }

  /** SHR-16, CCH-02: with all sharing off the limits stand, and nobody gets a hit. */
  @Test
  void shr16_sharingOff_leavesTheLimitsInForce() {
    HeldOrigin origin = origin("Cache-Control: max-age=60").hold();
    ProxyFile file =
        ProxyFile.plain()
            .loops(2)
            .server("debug_headers: true")
            .origin("concurrency: { max: 4, queue: { max: 20, timeout: 9s } }")
            .block("routes: [ { id: all, match: \"/**\", class: private_dynamic } ]");
    Visitors visitors = visitors(origin, file);
    List<RawClient> crowd = visitors.crowd(20, "/p");
    Running.awaitWaiting(visitors.sluice(), 16);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .allSatisfy(each -> assertThat(each.header("X-Sluice")).isEqualTo("BYPASS"))
        .extracting(RawResponse::text)
        .doesNotHaveDuplicates();
    assertThat(origin.peak()).isLessThanOrEqualTo(4);
  }
}
