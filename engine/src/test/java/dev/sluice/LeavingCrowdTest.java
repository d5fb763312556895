package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passengers that leave a flight of many (K02, DEC-27, DEC-28, DEC-35), on two loops. */
class LeavingCrowdTest {

  private static final ProxyFile SHOP = Visitors.shop().loops(2);

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;

  @BeforeEach
  void start() {
    origin =
        running.closing(
            HeldOrigin.start(
                asked -> HeldOrigin.ok("Cache-Control: max-age=60", "page " + asked.number())));
    origin.hold();
  }

  private Visitors visitors(ProxyFile file) {
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  private static ProxyFile oneAtATime() {
    return SHOP.origin("concurrency: { max: 1, queue: { max: 10, timeout: 9s, predict: false } }");
  }

  @Test
  void k02_leadThatResets_doesNotEndTheFlightOfTheOthers() {
    Visitors visitors = visitors(SHOP);
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    List<RawClient> others = visitors.crowd(20, "/p");
    visitors.awaitUnderWay(21);

    lead.reset();
    visitors.awaitUnderWay(20);
    origin.release();

    assertThat(Visitors.readAll(others)).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(origin.requests()).isEqualTo(1);
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  @Test
  void k02_waitersThatReset_freeTheirPlacesAtOnce() {
    Visitors visitors = visitors(SHOP);
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    List<RawClient> others = visitors.crowd(20, "/p");
    visitors.awaitUnderWay(21);

    others.forEach(RawClient::reset);

    visitors.awaitUnderWay(1);
    origin.release();
    assertThat(lead.readAll().text()).isEqualTo("page 0");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-28, finish: nobody is left, and the answer is stored all the same. */
  @Test
  void dec28_allLeave_theFlightFinishesAndIsStored() {
    Visitors visitors = visitors(SHOP);
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);

    crowd.forEach(RawClient::reset);
    visitors.awaitUnderWay(0);
    assertThat(visitors.sluice().status().work().flights()).isEqualTo(1);
    origin.release();

    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void dec28_oneBoardsWhileItFinishes_andGetsTheAnswer() {
    Visitors visitors = visitors(SHOP.origin("finish_timeout: 9s"));
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);
    crowd.forEach(RawClient::reset);
    visitors.awaitUnderWay(0);

    RawClient late = visitors.ask("GET", "/p");
    visitors.awaitUnderWay(1);
    origin.release();

    assertThat(late.readAll().text()).isEqualTo("page 0");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-28: the origin is given up when the last has been gone for long enough. */
  @Test
  void dec28_allLeave_theOriginIsLeftAfterTheFinishTimeout() {
    TrickOrigin silent = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Visitors visitors =
        new Visitors(
            running,
            running.proxy(
                silent.port(), SHOP.origin("finish_timeout: 200ms").origin("abandon_hold: 0s")));
    List<RawClient> crowd = visitors.crowd(4, "/p");
    silent.connection(0).awaitReceived("\r\n\r\n");
    visitors.awaitUnderWay(4);

    crowd.forEach(RawClient::reset);

    silent.connection(0).awaitScriptOver();
    visitors.awaitIdle();
    Running.awaitInFlight(visitors.sluice(), 0);
  }

  @Test
  void dec28_close_leavesTheOriginOnlyWhenTheLastHasGone() {
    TrickOrigin silent = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Visitors visitors =
        new Visitors(
            running,
            running.proxy(
                silent.port(), SHOP.origin("on_client_abort: close").origin("abandon_hold: 0s")));
    List<RawClient> crowd = visitors.crowd(4, "/p");
    silent.connection(0).awaitReceived("\r\n\r\n");
    visitors.awaitUnderWay(4);

    crowd.subList(0, 3).forEach(RawClient::reset);
    visitors.awaitUnderWay(1);
    assertThat(silent.connection(0).hasClientClosed()).isFalse();
    crowd.get(3).reset();

    silent.connection(0).awaitScriptOver();
    visitors.awaitIdle();
  }

  /** In mid-body, too: the others' bytes go on, and the whole is stored. */
  @Test
  void k02_leadThatResetsInMidBody_leavesTheOthersTheirBytes() {
    CountDownLatch rest = new CountDownLatch(1);
    TrickOrigin slow =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n")
                .write("01234")
                .await(rest)
                .write("56789"));
    Visitors visitors = new Visitors(running, running.proxy(slow.port(), SHOP));
    RawClient lead = visitors.ask("GET", "/p");
    lead.readHead();
    lead.readBody(5);
    List<RawClient> others = visitors.crowd(6, "/p");
    others.forEach(RawClient::readHead);

    lead.reset();
    visitors.awaitUnderWay(6);
    rest.countDown();

    for (RawClient other : others) {
      assertThat(new String(other.readBody(10), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("0123456789");
    }
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  // While the flight waits for its grant.

  @Test
  void k02_leadThatLeavesTheQueue_leavesItsPlaceToTheOthers() {
    Visitors visitors = visitors(oneAtATime());
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(1);
    RawClient lead = visitors.ask("GET", "/p");
    Running.awaitWaiting(visitors.sluice(), 1);
    List<RawClient> others = visitors.crowd(5, "/p");
    visitors.awaitUnderWay(7);

    lead.reset();
    visitors.awaitUnderWay(6);
    Running.awaitWaiting(visitors.sluice(), 1);
    origin.release();

    assertThat(busy.readAll().text()).isEqualTo("page 0");
    assertThat(Visitors.readAll(others)).extracting(RawResponse::text).containsOnly("page 1");
  }

  @Test
  void dec27_allLeaveTheQueue_theOriginNeverHears() {
    Visitors visitors = visitors(oneAtATime());
    RawClient busy = visitors.ask("GET", "/busy");
    origin.awaitRequests(1);
    List<RawClient> crowd = visitors.crowd(5, "/p");
    visitors.awaitUnderWay(6);
    Running.awaitWaiting(visitors.sluice(), 1);

    crowd.get(0).close();
    crowd.get(1).halfClose();
    crowd.subList(2, 5).forEach(RawClient::reset);

    Running.awaitWaiting(visitors.sluice(), 0);
    visitors.awaitUnderWay(1);
    origin.release();
    busy.readAll();
    visitors.awaitIdle();
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-27: once the origin was asked a FIN is no leaving, for a follower neither. */
  @Test
  void dec27_followerThatHalfCloses_isAnswered() {
    Visitors visitors = visitors(SHOP);
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    RawClient follower = visitors.ask("GET", "/p");
    visitors.awaitUnderWay(2);

    follower.halfClose();
    // Each loop has looked at the FIN once it has answered somebody who came behind it.
    visitors.ask("OPTIONS", "*").readAll();
    visitors.ask("OPTIONS", "*").readAll();
    origin.release();

    assertThat(lead.readAll().text()).isEqualTo("page 0");
    assertThat(follower.readAll().text()).isEqualTo("page 0");
  }

  /** DEC-35: then the first of those who are left has the unshareable answer. */
  @Test
  void dec35_leadThatLeftBeforeTheBarrier_leavesTheAnswerToTheNext() {
    origin =
        running.closing(
            HeldOrigin.start(
                asked -> HeldOrigin.ok("Set-Cookie: s=" + asked.number(), "z".repeat(50_000))));
    origin.hold();
    Visitors visitors = visitors(SHOP);
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    List<RawClient> others = visitors.crowd(3, "/p");
    visitors.awaitUnderWay(4);

    lead.reset();
    visitors.awaitUnderWay(3);
    origin.release();

    assertThat(Visitors.readAll(others))
        .allSatisfy(each -> assertThat(each.body()).hasSize(50_000))
        .extracting(each -> each.header("Set-Cookie"))
        .containsExactlyInAnyOrder("s=0", "s=1", "s=2");
  }

  /**
   * SHR-03, SHR-09: what the origin was told of a lead that left was told of nobody else. On routes
   * whose operator shares in spite of cookies, or asks with the lead's request as it came.
   */
  @ParameterizedTest
  @CsvSource({
    "cookies: { assert_public: true }, 200, Set-Cookie: t=1",
    "cookies: { assert_public: true }, 200, Cache-Control: private",
    "cookies: { assert_public: true }, 200, X-Nothing: said",
    "cookies: { assert_public: true }, 500, X-Nothing: said",
    "cache: { request: whole }, 200, Set-Cookie: t=1",
    "cache: { request: whole }, 200, Cache-Control: private",
    "cache: { request: whole }, 500, X-Nothing: said"
  })
  void shr09_personalLeadThatLeft_leavesItsAnswerToNobody(String key, int status, String field) {
    origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.answer(
                        status + " Said",
                        field,
                        "for " + asked.field("Cookie") + asked.field("X-Api-Key"))));
    origin.hold();
    Visitors visitors = visitors(Visitors.shop(key).loops(2));
    String[] personal =
        key.startsWith("cookies")
            ? new String[] {"Cookie: sid=lead"}
            : new String[] {"X-Api-Key: lead"};
    RawClient lead = visitors.ask("GET", "/p", personal);
    assertThat(origin.request(0).head()).contains("lead");
    List<RawClient> others = visitors.crowd(3, "/p");
    visitors.awaitUnderWay(4);

    lead.reset();
    visitors.awaitUnderWay(3);
    origin.release();

    assertThat(Visitors.readAll(others))
        .allSatisfy(each -> assertThat(each.text()).doesNotContain("lead"))
        .extracting(RawResponse::status)
        .containsOnly(status);
    assertThat(origin.requests()).isEqualTo(status == 200 ? 4 : 1);
  }

  /** The same for what the origin says beforehand. */
  @Test
  void shr09_personalLeadThatLeft_leavesItsHintsToNobody() {
    origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    "HTTP/1.1 103 Early Hints\r\nLink: </"
                        + asked.field("Cookie")
                        + ">\r\n\r\n"
                        + HeldOrigin.ok("Cache-Control: max-age=60", "page")));
    origin.hold();
    Visitors visitors = visitors(Visitors.shop("cookies: { assert_public: true }").loops(2));
    RawClient lead = visitors.ask("GET", "/p", "Cookie: sid=lead");
    origin.awaitRequests(1);
    RawClient other = visitors.ask("GET", "/p");
    visitors.awaitUnderWay(2);

    lead.reset();
    visitors.awaitUnderWay(1);
    origin.release();

    assertThat(other.readHead()).startsWith("HTTP/1.1 200 ");
  }
}
