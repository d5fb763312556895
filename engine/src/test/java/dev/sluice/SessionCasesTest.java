package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is one visitor's stays that visitor's (C01, C02, K05; SHR-04, SHR-05, SHR-13, SHR-14). */
class SessionCasesTest {

  private static final String OVERRIDE = "cache: { override_origin: true, ttl: { max: 1m } }";

  @RegisterExtension static final Running running = new Running();

  private static HeldOrigin origin(HeldOrigin.Answers answers) {
    return running.closing(HeldOrigin.start(answers));
  }

  private static Visitors visitors(HeldOrigin origin, ProxyFile file) {
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  private static HeldOrigin sessions() {
    return origin(
        asked ->
            HeldOrigin.ok(
                "Cache-Control: public, max-age=60|Set-Cookie: sid=A"
                    + asked.number()
                    + "; Path=/; HttpOnly",
                "ok"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority: normal", OVERRIDE})
  void c01_sessionCookie_isNeverStored(String route) {
    HeldOrigin origin = sessions();
    Visitors visitors = visitors(origin, Visitors.shop(route));

    RawResponse first = visitors.get("/p");
    RawResponse second = visitors.get("/p");

    assertThat(first.header("Set-Cookie")).startsWith("sid=A0;");
    assertThat(second.header("Set-Cookie")).startsWith("sid=A1;");
    assertThat(second.header("X-Sluice")).isEqualTo("MISS");
    assertThat(second.header("Cache-Status")).endsWith("detail=set_cookie");
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority: normal", OVERRIDE})
  void c01_sessionCookie_isNotSharedWithThoseWhoWait(String route) {
    HeldOrigin origin = sessions().hold();
    Visitors visitors = visitors(origin, Visitors.shop(route).loops(2));
    List<RawClient> crowd = visitors.crowd(10, "/p");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);
    assertThat(origin.requests()).isEqualTo(1);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .extracting(each -> each.header("Set-Cookie"))
        .doesNotHaveDuplicates()
        .allMatch(cookie -> cookie.startsWith("sid=A"));
    assertThat(origin.requests()).isEqualTo(10);
  }

  @Test
  void c01_cookieOnANotModified_doesNotGetIntoTheStoredAnswer() {
    HeldOrigin origin =
        origin(
            asked ->
                asked.field("If-None-Match").isEmpty()
                    ? HeldOrigin.ok("Cache-Control: max-age=60|Age: 60|ETag: \"v\"", "ok")
                    : HeldOrigin.answer(
                        "304 Not Modified",
                        "Cache-Control: max-age=60|ETag: \"v\"|Set-Cookie: sid=B",
                        ""));
    Visitors visitors = visitors(origin, Visitors.shop());
    visitors.get("/p");
    visitors.get("/p");

    RawResponse third = visitors.get("/p");

    assertThat(third.text()).isEqualTo("ok");
    assertThat(third.headers("Set-Cookie")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority: normal", OVERRIDE})
  void c02_authorization_isNeverAnsweredFromAnother(String route) {
    HeldOrigin origin =
        origin(
            asked ->
                HeldOrigin.ok("Cache-Control: max-age=60", "for " + asked.field("Authorization")));
    Visitors visitors = visitors(origin, Visitors.shop(route));

    assertThat(visitors.get("/p", "Authorization: Bearer a").text()).isEqualTo("for Bearer a");
    assertThat(visitors.get("/p", "Authorization: Bearer b").text()).isEqualTo("for Bearer b");
    RawResponse anonymous = visitors.get("/p");
    assertThat(anonymous.text()).isEqualTo("for ");
    assertThat(visitors.get("/p", "Authorization: Bearer c").text()).isEqualTo("for Bearer c");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  @Test
  void c02_cookie_bypassesLookupAndStore() {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok("Cache-Control: max-age=60", "for " + asked.field("Cookie")));
    Visitors visitors = visitors(origin, Visitors.shop("cookies: { ignore: [_ga, \"_gid*\"] }"));

    RawResponse session = visitors.get("/p", "Cookie: session=a");
    assertThat(session.text()).isEqualTo("for session=a");
    assertThat(session.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=cookie");
    assertThat(visitors.get("/p").text()).isEqualTo("for ");
    assertThat(visitors.get("/p", "Cookie: session=b").text()).isEqualTo("for session=b");
    // A cookie that does not count is no cookie, and never reaches the origin.
    RawResponse analytics = visitors.get("/p", "Cookie: _ga=1; _gid_x=2");
    assertThat(analytics.header("X-Sluice")).isEqualTo("HIT");
    assertThat(analytics.text()).isEqualTo("for ");
  }

  /** DEC-08: not even where the leader's request goes out as it came. */
  @Test
  void dec08_ignoredCookie_isNoCookieUnderAWholeRequestEither() {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok("Cache-Control: max-age=60", "for " + asked.field("Cookie")));
    Visitors visitors =
        visitors(origin, Visitors.shop("cookies: { ignore: [_ga] }", "cache: { request: whole }"));

    assertThat(visitors.get("/p", "Cookie: _ga=1").text()).isEqualTo("for ");
    assertThat(visitors.get("/p", "Cookie: _ga=2").header("X-Sluice")).isEqualTo("HIT");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  @Test
  void shr14_assertedPublic_servesCookieSendersFromTheStore() {
    HeldOrigin origin = origin(asked -> HeldOrigin.ok("Cache-Control: max-age=60", "page"));
    Visitors visitors = visitors(origin, Visitors.shop("cookies: { assert_public: true }"));

    visitors.get("/p", "Cookie: session=a");

    assertThat(visitors.get("/p", "Cookie: session=b").header("X-Sluice")).isEqualTo("HIT");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void c02_qualifiedPrivate_isPrivate() {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok("Cache-Control: max-age=60, private=\"X-User\"", "page"));
    Visitors visitors = visitors(origin, Visitors.shop());

    visitors.get("/p");
    RawResponse second = visitors.get("/p");

    assertThat(second.header("X-Sluice")).isEqualTo("MISS");
    assertThat(second.header("Cache-Status")).endsWith("detail=private");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Vary: Cookie", "Cache-Control: private", "Set-Cookie: s=1", "X-None: 1"})
  void k05_pagesOfTenSignedInUsers_neverCross(String fields) {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok(fields, "page of " + asked.field("Cookie"))).hold();
    Visitors visitors = visitors(origin, Visitors.shop().loops(2));
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      crowd.add(visitors.ask("GET", "/me", "Cookie: user=u" + i));
    }
    origin.awaitRequests(10);

    origin.release();

    for (int i = 0; i < 10; i++) {
      assertThat(crowd.get(i).readAll().text()).isEqualTo("page of user=u" + i);
    }
  }

  /** SHR-17: however a balancer spreads visitors over replicas, a session stays one visitor's. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void shr17_severalReplicas_shareNoSessionWhateverTheBalancerDoes(int inARow) {
    HeldOrigin origin = sessions().hold();
    List<Visitors> replicas =
        List.of(
            visitors(origin, Visitors.shop(OVERRIDE).loops(2)),
            visitors(origin, Visitors.shop(OVERRIDE).loops(2)));
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      crowd.add(replicas.get(i / inARow % 2).ask("GET", "/p"));
    }
    origin.awaitRequests(2);

    origin.release();

    assertThat(Visitors.readAll(crowd))
        .extracting(each -> each.header("Set-Cookie"))
        .doesNotHaveDuplicates()
        .allMatch(cookie -> cookie.startsWith("sid=A"));
    assertThat(origin.requests()).isEqualTo(20);
  }

  /** Those without a cookie do wait for each other; what the answer says decides. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cache-Control: private",
        "Cache-Control: no-store",
        "Cache-Control: max-age=60|Vary: *",
        "Cache-Control: max-age=60|Vary: X-Forwarded-For",
        "X-None: 1"
      })
  void k05_answerThatIsNotForAll_isNobodyElses(String fields) {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok(fields, "page number " + asked.number())).hold();
    Visitors visitors = visitors(origin, Visitors.shop().loops(2));
    List<RawClient> crowd = visitors.crowd(10, "/me");
    visitors.awaitUnderWay(10);
    origin.awaitRequests(1);
    assertThat(origin.requests()).isEqualTo(1);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).doesNotHaveDuplicates();
    assertThat(origin.requests()).isEqualTo(10);
  }

  /** What never boards: Authorization, a range, a body, a precondition, a cookie that counts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer a",
        "Range: bytes=0-1",
        "Content-Length: 0\r\nIf-Match: \"x\"",
        "Cookie: a=1",
        "If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT"
      })
  void k05_requestThatIsOneClients_boardsNothing(String fields) {
    HeldOrigin origin =
        origin(asked -> HeldOrigin.ok("Cache-Control: max-age=60", "number " + asked.number()));
    origin.hold();
    Visitors visitors = visitors(origin, Visitors.shop());
    RawClient lead = visitors.ask("GET", "/p");
    origin.awaitRequests(1);

    RawClient alone = visitors.ask("GET", "/p", fields);

    origin.awaitRequests(2);
    origin.release();
    assertThat(lead.readAll().text()).isEqualTo("number 0");
    assertThat(alone.readAll().text()).isEqualTo("number 1");
  }
}
