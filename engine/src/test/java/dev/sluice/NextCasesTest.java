package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Next.js origin must not be told, and what must not be shared of it (N03 to N10, NXT). */
class NextCasesTest {

  private static final String DYNAMIC =
      "Cache-Control: private, no-cache, no-store, max-age=0, must-revalidate";

  @RegisterExtension static final Running running = new Running();

  private final MovedTicker ticker = new MovedTicker();
  private HeldOrigin origin;
  private Visitors visitors;

  @BeforeEach
  void start() {
    before(Visitors.shop(), asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", told(asked)));
  }

  private void before(ProxyFile file, HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    visitors = new Visitors(running, running.proxy(origin.port(), file, ticker));
  }

  private static String told(HeldOrigin.Asked asked) {
    return asked.method() + " " + asked.field("Cookie") + "#" + asked.number();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-middleware-subrequest",
        "x-middleware-prefetch",
        "x-middleware-invoke",
        "x-middleware-rewrite",
        "x-now-route-matches",
        "x-invoke-path",
        "x-invoke-query",
        "x-matched-path",
        "x-prerender-revalidate",
        "next-resume",
        "x-isr",
        "x-action-forwarded"
      })
  void n03_internalField_neverReachesTheOrigin(String name) {
    String odd = name.substring(0, 3).toUpperCase(java.util.Locale.ROOT) + name.substring(3);
    String[] routes = {"GET", "POST"};
    for (String method : routes) {
      visitors.ask(method, "/admin", odd + ": 1", name + ": 2", "Content-Length: 0").readAll();
      visitors
          .ask(method, "/admin", name + ": 3", "Connection: " + name, "Content-Length: 0")
          .readAll();
    }
    visitors.get("/admin", odd + ": evil");

    assertThat(origin.requests()).isPositive();
    assertThat(origin.all())
        .allSatisfy(asked -> assertThat(asked.head()).doesNotContainIgnoringCase(name));
  }

  @Test
  void n04_craftedDataRequest_isNobodyElses() {
    before(
        Visitors.shop(),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=1, stale-while-revalidate", told(asked)));

    RawResponse crafted = visitors.get("/dashboard?__nextDataReq=1", "x-now-route-matches: 1");
    RawResponse again = visitors.get("/dashboard?__nextDataReq=1");

    assertThat(crafted.header("Cache-Status"))
        .isEqualTo("sluice; fwd=bypass; detail=internal_parameter");
    assertThat(again.text()).isNotEqualTo(crafted.text());
    assertThat(origin.request(0).field("x-now-route-matches")).isEmpty();
  }

  /** RFC 5861 3 asks for seconds: without them the window is none. */
  @Test
  void n04_staleWindowWithoutAValue_isNone() {
    before(
        Visitors.shop(),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=1, stale-while-revalidate", told(asked)));
    visitors.get("/p");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    ticker.advance(Duration.ofSeconds(2));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cookie: theme=d; __prerender_bypass=abc",
        "Cookie: __next_preview_data=x",
        "Cookie: theme=d\r\nCookie: __prerender_bypass=abc",
        "Cookie: __prerender_bypass"
      })
  void n05_draft_isNeitherServedFromNorPutIntoTheStore(String cookies) {
    visitors.get("/p");

    RawResponse draft = visitors.get("/p", cookies);
    RawResponse second = visitors.get("/p", cookies);

    assertThat(draft.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=draft");
    assertThat(draft.headers("Cache-Control")).containsExactly("private, no-store");
    assertThat(second.text()).isNotEqualTo(draft.text());
    assertThat(visitors.get("/p").text()).isEqualTo("GET #0");
    assertThat(origin.requests()).isEqualTo(3);
  }

  @Test
  void n05_nameThatOnlyContainsTheDrafts_isAnOrdinaryCookie() {
    before(
        Visitors.shop("cookies: { assert_public: true }"),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", "page"));
    visitors.get("/p");

    assertThat(visitors.get("/p", "Cookie: x__prerender_bypass=abc").header("X-Sluice"))
        .isEqualTo("HIT");
    assertThat(visitors.get("/p", "Cookie: __prerender_bypass=abc").header("X-Sluice"))
        .isEqualTo("BYPASS");
  }

  /** Whoever sends the cookie, with right or not, stands behind those who ask for the page. */
  @Test
  void n05_floodOfDrafts_holdsUpNobodyElse() {
    before(
        Visitors.shop().loops(2).origin("concurrency: { max: 1, queue: { max: 9, timeout: 9s } }"),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", told(asked)));
    origin.hold();
    List<RawClient> drafts = visitors.crowd(5, "/p", "Cookie: __prerender_bypass=forged");
    Running.awaitWaiting(visitors.sluice(), 4);
    RawClient visitor = visitors.ask("GET", "/p");
    Running.awaitWaiting(visitors.sluice(), 5);

    origin.release();

    assertThat(visitor.readAll().text()).isEqualTo("GET #1");
    assertThat(Visitors.readAll(drafts)).allMatch(each -> each.status() == 200);
  }

  /** And the ceiling of the lowest tier is the cap on them. */
  @Test
  void n05_drafts_areCappedByTheLowestTiersCeiling() {
    before(
        Visitors.shop()
            .loops(2)
            .origin("concurrency: { max: 4, queue: { timeout: 9s } }")
            .origin("priorities: { high: 100, normal: 100, low: 50 }"),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", told(asked)));
    origin.hold();
    List<RawClient> drafts = visitors.crowd(6, "/p", "Cookie: __prerender_bypass=forged");
    Running.awaitWaiting(visitors.sluice(), 4);
    origin.awaitRequests(2);
    List<RawClient> pages = List.of(visitors.ask("GET", "/a"), visitors.ask("GET", "/b"));

    origin.awaitRequests(4);
    assertThat(origin.all().subList(2, 4))
        .extracting(HeldOrigin.Asked::target)
        .containsExactlyInAnyOrder("/a", "/b");
    origin.release();
    Visitors.readAll(drafts);
    Visitors.readAll(pages);
    assertThat(origin.all().stream().filter(asked -> asked.target().equals("/p")).count())
        .isEqualTo(6);
  }

  /** NXT-26: the tags of the framework's own field reach what revalidateTag() names. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nxt26_frameworksTagField_serves(boolean exposed) {
    before(
        ProxyFile.plain()
            .server("debug_headers: true")
            .block(
                "cache: { enabled: true, tag_header: x-next-cache-tags, expose_tags: "
                    + exposed
                    + ", purge: { token: "
                    + Operator.TOKEN
                    + " } }")
            .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]"),
        asked ->
            HeldOrigin.ok(
                "Cache-Control: s-maxage=300|X-Next-Cache-Tags: _N_T_/layout,_N_T_/p,products",
                "page"));
    assertThat(visitors.get("/p").headers("X-Next-Cache-Tags")).hasSize(exposed ? 1 : 0);
    assertThat(visitors.get("/p").headers("X-Next-Cache-Tags")).hasSize(exposed ? 1 : 0);

    assertThat(new Operator(running, visitors.sluice()).purge("tag=_N_T_%2Fp").entries())
        .isEqualTo(1);

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  /** NXT-12, NXT-13: two drafts are two renders, each under the ceiling. */
  @Test
  void nxt13_drafts_areRendersOfTheirOwnUnderTheCeiling() {
    before(
        Visitors.shop().loops(2).origin("concurrency: { max: 1, queue: { timeout: 9s } }"),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", told(asked)));
    origin.hold();
    List<RawClient> drafts = visitors.crowd(2, "/p", "Cookie: __prerender_bypass=a");
    Running.awaitWaiting(visitors.sluice(), 1);

    origin.release();

    assertThat(Visitors.readAll(drafts)).extracting(RawResponse::text).doesNotHaveDuplicates();
    assertThat(origin.peak()).isEqualTo(1);
  }

  /** N09, NXT-06 to NXT-09. */
  @Test
  void n09_serverAction_isAskedEachTimeUnderTheCeilingAndInOurName() {
    before(
        Visitors.shop().loops(2).origin("concurrency: { max: 1, queue: { timeout: 9s } }"),
        asked -> HeldOrigin.ok("Cache-Control: s-maxage=300", told(asked)));
    visitors.get("/");
    origin.hold();
    String[] action = {
      "Host: shop.example:8443",
      "Next-Action: 7f00",
      "Origin: https://evil.example",
      "X-Forwarded-Host: evil.example",
      "X-Forwarded-Proto: gopher",
      "Content-Length: 0"
    };
    List<RawClient> actions =
        List.of(visitors.ask("POST", "/", action), visitors.ask("POST", "/", action));
    Running.awaitWaiting(visitors.sluice(), 1);
    origin.release();

    assertThat(Visitors.readAll(actions))
        .allSatisfy(each -> assertThat(each.header("Cache-Status")).contains("fwd=bypass"))
        .extracting(RawResponse::text)
        .doesNotHaveDuplicates();
    HeldOrigin.Asked asked = origin.request(1);
    assertThat(asked.field("Host")).isEqualTo("shop.example:8443");
    assertThat(asked.field("X-Forwarded-Host")).isEqualTo("shop.example:8443");
    assertThat(asked.field("X-Forwarded-Proto")).isEqualTo("http");
    assertThat(asked.field("Next-Action")).isEqualTo("7f00");
    assertThat(asked.head()).doesNotContain("X-Forwarded-Host: evil");
  }

  /** N08, NXT-25, BEY-01: each part goes out as it comes, spooled and shared too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "class: private_dynamic",
        "class: public_ssr",
        "class: private_dynamic, spool: { enabled: true }",
        "class: public_ssr, spool: { enabled: true }",
        "class: streaming"
      })
  void n08_shell_arrivesBeforeTheSlowRegion(String kind) {
    CountDownLatch slow = new CountDownLatch(1);
    TrickOrigin streamed =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n")
                .write("X-Accel-Buffering: no\r\nCache-Control: s-maxage=9, no-transform\r\n\r\n")
                .write("7\r\n<shell>\r\n")
                .await(slow)
                .write("6\r\n<slow>\r\n0\r\n\r\n"));
    ProxyFile file = Visitors.site("{ id: page, match: \"/**\", " + kind + " }");
    RawClient client =
        new Visitors(running, running.proxy(streamed.port(), file))
            .ask("GET", "/p", "Accept-Encoding: gzip");
    client.readHead();

    assertThat(new String(client.readBody(12), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("7\r\n<shell>\r\n");
    slow.countDown();
    assertThat(new String(client.readBody(16), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("6\r\n<slow>\r\n0\r\n\r\n");
  }

  /** N10: another build's 404 is not kept, however long it says that it lives. */
  @ParameterizedTest
  @ValueSource(strings = {"/_next/static/chunks/b1.js", "/_next/static/css/b1.css"})
  void n10_missingAsset_isNotStored(String target) {
    before(
        Visitors.shop(),
        asked ->
            HeldOrigin.answer(
                "404 Not Found", "Cache-Control: public, max-age=31536000", "no such chunk"));
    visitors.get(target);

    assertThat(visitors.get(target).status()).isEqualTo(404);
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void nxt20_dynamicPage_isRenderedEachTime() {
    before(Visitors.shop(), asked -> HeldOrigin.ok(DYNAMIC, told(asked)));

    assertThat(visitors.get("/p").text()).isNotEqualTo(visitors.get("/p").text());
  }

  @Test
  void nxt21_dynamicPageUnderTheOverride_isMicrocached() {
    before(
        Visitors.shop("cache: { override_origin: true, ttl: { max: 2s } }"),
        asked -> HeldOrigin.ok(DYNAMIC, told(asked)));
    visitors.get("/p");

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    ticker.advance(Duration.ofSeconds(3));
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }
}
