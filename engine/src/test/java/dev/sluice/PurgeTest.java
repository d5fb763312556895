package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.governor.Purger.Purged;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Purges from outside (CCH-17 to CCH-28, BEY-08, DEC-39): what clients and the origin see. */
class PurgeTest {

  private static final String MINUTE = "Cache-Control: max-age=60, stale-if-error=60";

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;
  private Visitors visitors;
  private Operator operator;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(PurgeTest::page));
    open(shop("purge: { token: " + Operator.TOKEN + " }"));
  }

  private void open(HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    open(shop("purge: { token: " + Operator.TOKEN + " }"));
  }

  private void open(ProxyFile file) {
    Sluice proxy = running.proxy(origin.port(), file);
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
  }

  static ProxyFile shop(String cache) {
    return ProxyFile.plain()
        .server("debug_headers: true")
        .block("cache: { enabled: true, " + cache + " }")
        .block(
            "routes: [ { id: shop, match: \"/**\", class: public_ssr,"
                + " cache: { vary: { headers: [accept] } } } ]");
  }

  /** Says how many there were before it; tags are the path's own segments. */
  private static String page(HeldOrigin.Asked asked) {
    String path = asked.target().split("\\?", 2)[0];
    String tags = String.join(", ", path.substring(1).split("/", -1));
    String type = asked.field("RSC").isEmpty() ? "text/html" : "text/x-component";
    return HeldOrigin.ok(
        MINUTE + "|Content-Type: " + type + "|X-Sluice-Cache-Tags: all ,  " + tags,
        "page " + asked.number());
  }

  private String cache(String target, String... fields) {
    return visitors.get(target, fields).header("X-Sluice");
  }

  private void warm(String... targets) {
    for (String target : targets) {
      visitors.get(target);
      assertThat(cache(target)).as(target).isEqualTo("HIT");
    }
  }

  /** CCH-18 to CCH-20. */
  @Test
  void tag_takesEveryEntryThatHasIt_andNoOther() {
    warm("/products/42", "/products/7", "/about");

    assertThat(operator.purge("tag=42")).isEqualTo(new Purged(1, 0, 1));
    assertThat(cache("/products/7")).isEqualTo("HIT");
    assertThat(cache("/about")).isEqualTo("HIT");
    assertThat(cache("/products/42")).isEqualTo("MISS");

    assertThat(operator.purge("tag=products")).isEqualTo(new Purged(2, 0, 2));
    assertThat(operator.purge("tag=prod").entries()).isZero();
    assertThat(cache("/products/42")).isEqualTo("MISS");
    assertThat(cache("/products/7")).isEqualTo("MISS");
    assertThat(cache("/about")).isEqualTo("HIT");
  }

  /** CCH-17, DEC-12. */
  @Test
  void tags_areReadFromTheConfiguredFieldOnly_andReachNoClient() {
    warm("/a");
    assertThat(visitors.get("/a").header("X-Sluice-Cache-Tags")).isEmpty();
    assertThat(visitors.get("/new").header("X-Sluice-Cache-Tags")).isEmpty();

    open(shop("purge: { token: " + Operator.TOKEN + " }, tag_header: surrogate-key"));
    warm("/a");

    assertThat(operator.purge("tag=a").entries()).isZero();
    assertThat(visitors.get("/a").header("X-Sluice-Cache-Tags")).startsWith("all");

    open(shop("purge: { token: " + Operator.TOKEN + " }, expose_tags: true"));
    assertThat(visitors.get("/a").header("X-Sluice-Cache-Tags")).startsWith("all");
    assertThat(visitors.get("/a").header("X-Sluice-Cache-Tags")).startsWith("all");
  }

  /** CCH-21. */
  @Test
  void path_takesAllVariantsOfThePage() {
    String[][] variants = {
      {"/products"},
      {"/products?page=2"},
      {"/products", "Accept: application/json"},
      {"/products?_rsc", "RSC: 1"}
    };
    for (String[] variant : variants) {
      assertThat(ask(variant)).as(String.join(" ", variant)).isEqualTo("MISS");
    }
    for (String[] variant : variants) {
      assertThat(ask(variant)).as(String.join(" ", variant)).isEqualTo("HIT");
    }

    assertThat(operator.purge("path=/products")).isEqualTo(new Purged(4, 0, 1));

    for (String[] variant : variants) {
      assertThat(ask(variant)).as(String.join(" ", variant)).isEqualTo("MISS");
    }
  }

  private String ask(String[] variant) {
    return variant.length == 1 ? cache(variant[0]) : cache(variant[0], variant[1]);
  }

  /** CCH-22, CCH-23. */
  @Test
  void path_isExact_andKnowsNoPatterns() {
    warm("/products", "/products/x", "/products/");

    assertThat(operator.purge("path=/products/[slug]").entries()).isZero();
    assertThat(operator.purge("path=/products/*").entries()).isZero();
    assertThat(operator.purge("path=/products").entries()).isEqualTo(1);

    assertThat(cache("/products/x")).isEqualTo("HIT");
    assertThat(cache("/products/")).isEqualTo("HIT");
    assertThat(cache("/products")).isEqualTo("MISS");
  }

  @Test
  void path_meansWhatClientsAskWithEscapes() {
    warm("/caf%C3%A9/a%20b");

    assertThat(operator.purge("path=/caf%C3%A9/a%20b").entries()).isEqualTo(1);
    assertThat(cache("/caf%C3%A9/a%20b")).isEqualTo("MISS");
  }

  /** BEY-08. */
  @Test
  void prefix_takesEveryPathThatBeginsSo() {
    warm("/products", "/products/x", "/production", "/about");

    assertThat(operator.purge("prefix=/products").entries()).isEqualTo(2);

    assertThat(cache("/production")).isEqualTo("HIT");
    assertThat(cache("/about")).isEqualTo("HIT");
    assertThat(cache("/products")).isEqualTo("MISS");
    assertThat(cache("/products/x")).isEqualTo("MISS");
  }

  /** BEY-08, DEC-39: freshness ends, and what stands in for an error stays. */
  @Test
  void softPurge_asksTheOriginAgain_andServesTheOldWhereThatFails() {
    warm("/a", "/b");

    assertThat(operator.purge("tag=all&soft=1")).isEqualTo(new Purged(2, 0, 1));
    assertThat(visitors.get("/a").text()).isEqualTo("page 2");
    assertThat(cache("/a")).isEqualTo("HIT");

    origin.close();
    RawResponse stale = visitors.get("/b");
    assertThat(stale.status()).isEqualTo(200);
    assertThat(stale.header("X-Sluice")).isEqualTo("STALE");
    assertThat(stale.text()).isEqualTo("page 1");
  }

  /** DEC-15, C07: what is never to be served stale is not by being made stale. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "s-maxage=3600, must-revalidate",
        "max-age=3600, proxy-revalidate, stale-if-error=60",
        "s-maxage=3600"
      })
  void softPurge_makesNoStandInOfWhatMayNotBeStale(String control) {
    open(asked -> HeldOrigin.ok("Cache-Control: " + control, "page"));
    warm("/a");

    assertThat(operator.purge("path=/a&soft=1").entries()).isEqualTo(1);
    origin.close();

    assertThat(visitors.get("/a").status()).isEqualTo(502);
  }

  @Test
  void hardPurge_leavesNothingToStandIn() {
    warm("/b");
    operator.purge("tag=b");
    origin.close();

    assertThat(visitors.get("/b").status()).isEqualTo(502);
  }

  /** CCH-24, CCH-26, CCH-27: what is refused purges nothing. */
  @ParameterizedTest
  @CsvSource({
    "POST,/purge?path=/a,Authorization: Bearer a-token-of-24-characterS,401",
    "POST,/purge?path=/a,X: y,401",
    "GET,/purge?path=/a,Authorization: Bearer a-token-of-24-characters,405",
    "POST,/purge?pth=/a,Authorization: Bearer a-token-of-24-characters,400"
  })
  void refused_theEntryStays(String method, String target, String field, int status) {
    warm("/a");

    assertThat(operator.ask(method, target, field).status()).isEqualTo(status);

    assertThat(cache("/a")).isEqualTo("HIT");
  }

  /** CCH-25. */
  @Test
  void withoutAToken_thereIsNoSuchPage() {
    open(shop("max_body_size: 1MiB"));
    warm("/a");

    RawResponse purge =
        operator.ask("POST", "/purge?path=/a", "Authorization: Bearer " + Operator.TOKEN);

    assertThat(purge.status()).isEqualTo(404);
    assertThat(purge.text()).isEqualTo(operator.ask("POST", "/nothing").text());
    assertThat(cache("/a")).isEqualTo("HIT");
  }

  /** CCH-28. */
  @Test
  void onTheTrafficPort_itIsTheOriginsToAnswer() {
    warm("/a");

    visitors.ask("POST", "/purge?path=/a", "Authorization: Bearer " + Operator.TOKEN).readAll();

    assertThat(origin.request(1).target()).isEqualTo("/purge?path=/a");
    assertThat(cache("/a")).isEqualTo("HIT");
  }

  /** CCH-32: the cache is one process's own. */
  @Test
  void anotherInstance_keepsItsEntry() {
    Visitors ours = visitors;
    Operator here = operator;
    warm("/a");
    open(shop("purge: { token: " + Operator.TOKEN + " }"));
    warm("/a");

    here.purge("path=/a");

    assertThat(cache("/a")).isEqualTo("HIT");
    assertThat(ours.get("/a").header("X-Sluice")).isEqualTo("MISS");
  }

  /** DEC-39: an answer under way serves who waits for it, is not kept, and takes nobody more. */
  @ParameterizedTest
  @CsvSource({"path=/a", "prefix=/", "tag=a", "path=/a&soft=1"})
  void answerUnderWay_isForThoseWhoWaitForIt(String purge) {
    origin.hold();
    List<RawClient> before = visitors.crowd(5, "/a");
    origin.awaitRequests(1);
    visitors.awaitUnderWay(5);

    assertThat(operator.purge(purge)).isEqualTo(new Purged(0, 1, 1));
    RawClient after = visitors.ask("GET", "/a");
    origin.awaitRequests(2);
    origin.release();

    assertThat(Visitors.readAll(before)).allMatch(answer -> answer.text().equals("page 0"));
    assertThat(after.readAll().text()).isEqualTo("page 1");
    visitors.awaitIdle();
    RawResponse later = visitors.get("/a");
    assertThat(later.text()).isEqualTo("page 1");
    assertThat(later.header("X-Sluice")).isEqualTo("HIT");
  }

  /** One whose head has not come may turn out to have the tag; it is kept if it has not. */
  @Test
  void answerUnderWay_withoutTheTag_isKept() {
    origin.hold();
    RawClient before = visitors.ask("GET", "/a");
    origin.awaitRequests(1);
    operator.purge("tag=another");
    origin.release();
    before.readAll();
    visitors.awaitIdle();

    assertThat(cache("/a")).isEqualTo("HIT");
  }

  @Test
  void answerUnderWay_toAnotherPath_isNotTouched() {
    origin.hold();
    RawClient first = visitors.ask("GET", "/a");
    origin.awaitRequests(1);

    assertThat(operator.purge("path=/b").flights()).isZero();
    RawClient second = visitors.ask("GET", "/a");
    visitors.awaitUnderWay(2);
    origin.release();

    assertThat(first.readAll().text()).isEqualTo("page 0");
    assertThat(second.readAll().text()).isEqualTo("page 0");
    assertThat(cache("/a")).isEqualTo("HIT");
  }

  /** DEC-39: what waits for its permit asks the origin afterwards, and is kept. */
  @Test
  void flightThatWaits_isKept_becauseItAsksAfterThePurge() {
    open(
        shop("purge: { token: " + Operator.TOKEN + " }")
            .origin("concurrency: { max: 1, queue: { max: 5, timeout: 9s, predict: false } }"));
    origin.hold();
    RawClient holder = visitors.ask("GET", "/holds");
    origin.awaitRequests(1);
    RawClient waiting = visitors.ask("GET", "/a");
    Running.awaitWaiting(visitors.sluice(), 1);

    operator.purge("path=/a");
    origin.release();

    holder.readAll();
    assertThat(waiting.readAll().text()).isEqualTo("page 1");
    visitors.awaitIdle();
    assertThat(cache("/a")).isEqualTo("HIT");
  }

  /**
   * DEC-39: a confirmation that was asked for before the purge brings back nothing, renamed or not.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tag=product-1", "tag=product-1&soft=1", "path=/a", "path=/a&soft=1"})
  void confirmationUnderWay_doesNotRenewWhatWasPurged(String purge) {
    String stale = "Cache-Control: max-age=60|Age: 60|ETag: \"v\"|X-Sluice-Cache-Tags: product-1";
    String renamed = "Cache-Control: max-age=60|ETag: \"v\"|X-Sluice-Cache-Tags: product-1-v2";
    open(
        asked ->
            asked.number() == 1
                ? HeldOrigin.answer("304 Not Modified", renamed, "")
                : HeldOrigin.ok(asked.number() == 0 ? stale : MINUTE, "page " + asked.number()));
    visitors.get("/a");
    visitors.awaitIdle();
    origin.hold();
    RawClient before = visitors.ask("GET", "/a");
    assertThat(origin.request(1).field("If-None-Match")).isEqualTo("\"v\"");

    assertThat(operator.purge(purge).entries()).isEqualTo(1);
    origin.release();

    assertThat(before.readAll().text()).isEqualTo("page 2");
    RawResponse later = visitors.get("/a");
    assertThat(later.header("X-Sluice")).isEqualTo("HIT");
    assertThat(later.text()).isEqualTo("page 2");
  }

  /** And files what it renews under the tags that it brought. */
  @Test
  void confirmationWithOtherTags_isPurgedByThose() {
    open(
        asked ->
            asked.field("If-None-Match").isEmpty()
                ? HeldOrigin.ok(
                    "Cache-Control: max-age=60|Age: 60|ETag: \"v\"|X-Sluice-Cache-Tags: one",
                    "page")
                : HeldOrigin.answer(
                    "304 Not Modified", "Cache-Control: max-age=60|X-Sluice-Cache-Tags: two", ""));
    visitors.get("/a");
    visitors.awaitIdle();
    assertThat(cache("/a")).isEqualTo("REVALIDATED");
    visitors.awaitIdle();

    assertThat(operator.purge("tag=one").entries()).isZero();
    assertThat(cache("/a")).isEqualTo("HIT");
    assertThat(operator.purge("tag=two").entries()).isEqualTo(1);
  }
}
