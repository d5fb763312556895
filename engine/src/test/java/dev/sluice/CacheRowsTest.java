package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The store's rows and the barriers' (CCH-01 to CCH-12, CCH-32 to CCH-35, SHR-01 to SHR-12). */
class CacheRowsTest {

  private static final String OVERRIDE = "cache: { override_origin: true, ttl: { max: 10s } }";

  @RegisterExtension static final Running running = new Running();

  private final MovedTicker ticker = new MovedTicker();

  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  private Visitors visitors(ProxyFile file, HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    return new Visitors(running, running.proxy(origin.port(), file, ticker));
  }

  private Visitors visitors(ProxyFile file, String fields) {
    return visitors(file, asked -> HeldOrigin.ok(fields, "page " + asked.number()));
  }

  @Test
  void cch01_cacheOff_hasNoHits() {
    ProxyFile off =
        ProxyFile.plain()
            .server("debug_headers: true")
            .block("cache: { enabled: false }")
            .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]");
    Visitors visitors = visitors(off, "Cache-Control: max-age=60");
    visitors.get("/p");

    assertThat(visitors.get("/p").header("Cache-Status")).endsWith("detail=cache_off");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void cch03_cacheOffOnARoute_isOffThereOnly() {
    Visitors visitors =
        visitors(
            Visitors.site(
                "{ id: live, match: \"/live/**\", class: public_ssr, cache: { enabled: false } }",
                "{ id: shop, match: \"/**\", class: public_ssr }"),
            "Cache-Control: max-age=60");
    for (int i = 0; i < 2; i++) {
      visitors.get("/live/p");
      visitors.get("/p");
    }
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(visitors.get("/live/p").header("X-Sluice")).isEqualTo("MISS");
    assertThat(origin.requests()).isEqualTo(4);
  }

  @Test
  void cch04_store_staysWithinItsBound() {
    int max = 1 << 20;
    String page = "x".repeat(32_000);
    Visitors visitors =
        visitors(
            ProxyFile.plain()
                .block("cache: { enabled: true, max_memory: 1MiB, max_body_size: 64KiB }")
                .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]"),
            asked -> HeldOrigin.ok("Cache-Control: max-age=60", page));
    for (int i = 0; i < 120; i++) {
      assertThat(visitors.get("/p" + i).text()).isEqualTo(page);
      assertThat(visitors.sluice().cache().occupancy().bytes()).isLessThanOrEqualTo(max);
    }
    Running.await("evictions", () -> visitors.sluice().cache().occupancy().evictions() > 0);
    assertThat(visitors.sluice().cache().occupancy().entries()).isBetween(1L, 40L);
  }

  @Test
  void cch06_routesCeiling_endsFreshness() {
    Visitors visitors =
        visitors(Visitors.shop("cache: { ttl: { max: 2s } }"), "Cache-Control: max-age=60");
    visitors.get("/p");
    ticker.advance(Duration.ofMillis(1500));
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    ticker.advance(Duration.ofSeconds(1));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @Test
  void cch07_originsShorterLifetime_isKept() {
    Visitors visitors =
        visitors(Visitors.shop("cache: { ttl: { max: 10s } }"), "Cache-Control: max-age=1");
    visitors.get("/p");

    ticker.advance(Duration.ofSeconds(2));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  /** An age that the answer brought counts, and is told. */
  @Test
  void cch07_ageOnArrival_counts() {
    Visitors visitors = visitors(Visitors.shop(), "Cache-Control: max-age=60|Age: 50");
    visitors.get("/p");
    ticker.advance(Duration.ofSeconds(5));
    RawResponse hit = visitors.get("/p");
    assertThat(hit.header("X-Sluice")).isEqualTo("HIT");
    assertThat(hit.header("Age")).isEqualTo("55");

    ticker.advance(Duration.ofSeconds(6));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @Test
  void cch12_hit_needsNoPermit() {
    Visitors visitors =
        visitors(
            Visitors.shop().origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s } }"),
            "Cache-Control: max-age=60");
    visitors.get("/p");
    origin.hold();
    List<RawClient> busy = List.of(visitors.ask("GET", "/a"), visitors.ask("GET", "/b"));
    Running.awaitWaiting(visitors.sluice(), 1);

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    origin.release();
    Visitors.readAll(busy);
  }

  /** CCH-32, CCH-33: each process has its own, and begins without. */
  @Test
  void cch33_store_isEmptyAtTheStart() {
    Visitors first = visitors(Visitors.shop(), "Cache-Control: max-age=60");
    first.get("/p");
    assertThat(first.get("/p").header("X-Sluice")).isEqualTo("HIT");

    var second = new Visitors(running, running.proxy(origin.port(), Visitors.shop()));

    assertThat(second.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "X-None: 1; no_freshness",
        "Cache-Control: public; no_freshness",
        "Cache-Control: private, max-age=60; private",
        "Cache-Control: no-store, max-age=60; no_store",
        "Cache-Control: no-cache, max-age=60; no_cache",
        "Last-Modified: Sat, 29 Oct 1994 19:43:31 GMT; no_freshness",
      })
  void shr01_withoutTheOriginsWord_nothingIsShared(String fields, String reason) {
    Visitors visitors = visitors(Visitors.shop(), fields);
    visitors.get("/p");

    assertThat(visitors.get("/p").header("Cache-Status"))
        .isEqualTo("sluice; fwd=uri-miss; detail=" + reason);
    assertThat(origin.requests()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-None: 1",
        "Cache-Control: private",
        "Cache-Control: no-store",
        "Cache-Control: no-cache",
        "Cache-Control: max-age=0, must-revalidate"
      })
  void shr09_override_speaksForTheOrigin(String fields) {
    Visitors visitors = visitors(Visitors.shop(OVERRIDE), fields);
    visitors.get("/p");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    ticker.advance(Duration.ofSeconds(11));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "PROPFIND"})
  void shr06_unsafeMethod_alwaysReachesTheOrigin(String method) {
    Visitors visitors = visitors(Visitors.shop(OVERRIDE), "Cache-Control: max-age=60");
    visitors.get("/p");
    for (int i = 0; i < 2; i++) {
      RawResponse answer = visitors.ask(method, "/p", "Content-Length: 0").readAll();
      assertThat(answer.header("X-Sluice")).isEqualTo("BYPASS");
    }
    assertThat(origin.requests()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"500 Broken", "206 Partial", "401 Who", "403 No", "429 Many"})
  void shr07_otherStatus_isNotSharedUnderTheOverrideEither(String status) {
    Visitors visitors =
        visitors(
            Visitors.shop(OVERRIDE),
            asked -> HeldOrigin.answer(status, "Cache-Control: max-age=60", "x" + asked.number()));
    visitors.get("/p");

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void dec11_explicitStatuses_widenWhatIsStored() {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { statuses: explicit }"),
            asked -> HeldOrigin.answer("403 No", "Cache-Control: max-age=60", "no"));
    visitors.get("/p");

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  /** DEC-17: by default a client's impatience does not reach the origin. */
  @ParameterizedTest
  @ValueSource(
      strings = {"Cache-Control: no-cache", "Cache-Control: max-age=0", "Pragma: no-cache"})
  void dec17_clientsNoCache_countsWhereTheOperatorSaysSo(String field) {
    Visitors deaf = visitors(Visitors.shop(), "Cache-Control: max-age=60");
    deaf.get("/p");
    assertThat(deaf.get("/p", field).header("X-Sluice")).isEqualTo("HIT");

    Visitors heard =
        visitors(
            ProxyFile.plain()
                .server("debug_headers: true")
                .block("cache: { enabled: true, honor_client_no_cache: true }")
                .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]"),
            "Cache-Control: max-age=60");
    heard.get("/p");
    assertThat(heard.get("/p", field).text()).isEqualTo("page 1");
    assertThat(heard.get("/p").text()).isEqualTo("page 1");
  }

  /** RFC 9111 5.2.1.5: neither is its answer kept, nor another's given to it. */
  @Test
  void dec17_clientsNoStore_goesAloneWhereTheOperatorSaysSo() {
    Visitors visitors =
        visitors(
            ProxyFile.plain()
                .server("debug_headers: true")
                .block("cache: { enabled: true, honor_client_no_cache: true }")
                .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]"),
            "Cache-Control: max-age=60");
    origin.hold();
    RawClient first = visitors.ask("GET", "/p", "Cache-Control: no-store");
    origin.awaitRequests(1);
    RawClient second = visitors.ask("GET", "/p");
    origin.awaitRequests(2);
    RawClient third = visitors.ask("GET", "/p", "Cache-Control: no-store");
    origin.awaitRequests(3);
    origin.release();

    RawResponse answer = first.readAll();
    assertThat(answer.text()).isEqualTo("page 0");
    assertThat(answer.header("Cache-Status"))
        .isEqualTo("sluice; fwd=bypass; detail=client_no_store");
    assertThat(second.readAll().text()).isEqualTo("page 1");
    assertThat(third.readAll().text()).isEqualTo("page 2");
    visitors.awaitIdle();
    assertThat(visitors.get("/p").text()).isEqualTo("page 1");
  }

  /** DEC-38: a confirmation may bring fields, and they are bytes like others. */
  @Test
  void dec38_fieldsOfAConfirmation_areInTheAccount() {
    String fields = "Cache-Control: max-age=60|ETag: \"v\"";
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked ->
                asked.field("If-None-Match").isEmpty()
                    ? HeldOrigin.ok(fields + "|Age: 60", "page")
                    : HeldOrigin.answer(
                        "304 Not Modified", fields + "|X-Large: " + "x".repeat(5000), ""));
    visitors.get("/p");
    visitors.awaitIdle();
    long before = visitors.sluice().cache().occupancy().bytes();

    assertThat(visitors.get("/p").header("X-Large")).hasSize(5000);

    visitors.awaitIdle();
    assertThat(visitors.sluice().cache().occupancy().bytes()).isGreaterThan(before + 5000);
  }

  /** BEY-21: the field that speaks to us in particular wins, and goes no further. */
  @Test
  void bey21_targetedField_winsOverCacheControl() {
    Visitors visitors =
        visitors(Visitors.shop(), "Cache-Control: no-store|CDN-Cache-Control: max-age=60");
    visitors.get("/p");

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }
}
