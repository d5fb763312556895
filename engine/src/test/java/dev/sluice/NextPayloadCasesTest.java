package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents and their payloads at one URL, and prefetches (N01, NXT-01 to NXT-05, BEY-24). */
class NextPayloadCasesTest {

  private static final String V4 =
      "Vary: rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch";

  @RegisterExtension static final Running running = new Running();

  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  private Visitors visitors(ProxyFile file, HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  /** As Next.js does: the payload to exactly {@code RSC: 1}, the document to all others. */
  private static HeldOrigin.Answers next(String fields) {
    return asked -> {
      boolean rsc = asked.field("RSC").equals("1");
      String selectors =
          asked.field("Next-Router-Prefetch") + asked.field("Next-Router-State-Tree");
      return HeldOrigin.ok(
          fields + "|Content-Type: " + (rsc ? "text/x-component" : "text/html"),
          rsc ? "payload " + selectors : "<html>");
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {V4, "X-No-Vary: 1", "Vary: rsc"})
  void n01_documentAndPayload_neverStandInForEachOther(String vary) {
    Visitors visitors = visitors(Visitors.shop(), next("Cache-Control: s-maxage=60|" + vary));
    String navigation = NextRequests.payload("/p");
    String prefetch = NextRequests.payload("/p", "1", "", "", "");
    for (int round = 0; round < 2; round++) {
      RawResponse payload = visitors.get(navigation, NextRequests.RSC);
      assertThat(payload.text()).isEqualTo("payload ");
      assertThat(payload.header("Content-Type")).isEqualTo("text/x-component");
      RawResponse ahead = visitors.get(prefetch, NextRequests.RSC, NextRequests.PREFETCH);
      assertThat(ahead.text()).isEqualTo("payload 1");
      RawResponse document = visitors.get("/p");
      assertThat(document.text()).isEqualTo("<html>");
      assertThat(document.header("Content-Type")).isEqualTo("text/html");
      assertThat(document.header("X-Sluice")).isEqualTo(round == 0 ? "MISS" : "HIT");
    }
    assertThat(origin.requests()).isEqualTo(3);
  }

  /** The other way round: an origin that answers with what was not asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"text/x-component", "text/x-component; charset=utf-8"})
  void n01_payloadToADocumentRequest_isNotStored(String type) {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { override_origin: true, ttl: { max: 1m } }"),
            asked -> HeldOrigin.ok("Cache-Control: s-maxage=60|Content-Type: " + type, "1:x"));
    visitors.get("/p");

    RawResponse second = visitors.get("/p");

    assertThat(second.header("Cache-Status")).endsWith("detail=content_type");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void n01_documentToAPayloadRequest_isNotStored() {
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked -> HeldOrigin.ok("Cache-Control: s-maxage=60|Content-Type: text/html", "<html>"));
    visitors.get(NextRequests.payload("/p"), NextRequests.RSC);

    RawResponse second = visitors.get(NextRequests.payload("/p"), NextRequests.RSC);

    assertThat(second.header("Cache-Status")).endsWith("detail=content_type");
  }

  /** {@code _rsc} says nothing: what does not fit the request's own fields goes alone and whole. */
  @ParameterizedTest
  @ValueSource(strings = {"/p?_rsc=abc", "/p?_rsc=5CB68i4pnAekjehf", "/p?_rsc"})
  void n01_rscParameterWithoutRsc_isNobodyElses(String target) {
    Visitors visitors = visitors(Visitors.shop(), next("Cache-Control: s-maxage=60"));

    RawResponse answer = visitors.get(target);

    assertThat(answer.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=rsc_mismatch");
    assertThat(origin.request(0).target()).isEqualTo(target);
    visitors.get("/p");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void n01_rscWithoutItsParameter_isNobodyElses() {
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked -> HeldOrigin.answer("307 Temporary Redirect", "Location: /p?_rsc=x", ""));

    RawResponse answer = visitors.get("/p", NextRequests.RSC, NextRequests.PREFETCH);

    assertThat(answer.status()).isEqualTo(307);
    assertThat(answer.header("Cache-Status")).endsWith("detail=rsc_mismatch");
    assertThat(visitors.get("/p", NextRequests.RSC, NextRequests.PREFETCH).header("X-Sluice"))
        .isEqualTo("BYPASS");
  }

  /** Only exactly 1 asks for the payload; whatever else is said is a document to the origin. */
  @ParameterizedTest
  @ValueSource(strings = {"RSC: 0", "RSC: true", "RSC: 1, 1", "RSC: 1\r\nRSC: 1"})
  void n01_otherRscValues_areADocument(String field) {
    Visitors visitors = visitors(Visitors.shop(), next("Cache-Control: s-maxage=60"));
    visitors.get("/p");

    RawResponse answer = visitors.get("/p", field);

    assertThat(answer.text()).isEqualTo("<html>");
    assertThat(visitors.get("/p").text()).isEqualTo("<html>");
  }

  /** CVE-2026-44582: one value for two URLs, or two trees, is not one key. */
  @Test
  void n01_sharedRscValue_separatesNothingByItself() {
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked ->
                HeldOrigin.ok(
                    "Cache-Control: s-maxage=60|Content-Type: text/x-component",
                    asked.target() + " " + asked.field("Next-Router-State-Tree")));
    String other = NextRequests.payload("/q", "1", "", "", "");
    visitors.get(
        NextRequests.payload("/p", "1", "", "", ""), NextRequests.RSC, NextRequests.PREFETCH);

    assertThat(visitors.get(other, NextRequests.RSC, NextRequests.PREFETCH).text())
        .startsWith("/q?_rsc=");
    String forged = NextRequests.payload("/p", "", "", "tree-a", "");
    assertThat(visitors.get(forged, NextRequests.RSC, "Next-Router-State-Tree: tree-b").text())
        .endsWith("tree-b");
    assertThat(visitors.get(forged, NextRequests.RSC, "Next-Router-State-Tree: tree-a").text())
        .endsWith("tree-a");
  }

  /** DEC-34: the origin gets the parameter that fits the fields it is sent. */
  @Test
  void dec16_rscParameter_reachesTheOriginAsItsFieldsSay() {
    Visitors visitors = visitors(Visitors.shop(), next("Cache-Control: s-maxage=60"));
    String target = NextRequests.payload("/p", "1", "/_tree", "", "/");

    visitors.get(
        target,
        NextRequests.RSC,
        NextRequests.PREFETCH,
        "Next-Router-Segment-Prefetch: /_tree",
        "Next-Url: /");

    assertThat(target).isEqualTo("/p?_rsc=5CB68i4pnAekjehf");
    assertThat(origin.request(0).target()).isEqualTo(target);
  }

  /** NXT-04 and BEY-24: shared while it is under way; kept only with explicit freshness. */
  @Test
  void nxt04_prefetchWithoutFreshness_isNotStored() {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { override_origin: true, ttl: { max: 1m } }").loops(2),
            next("X-None: 1"));
    String target = NextRequests.payload("/p", "1", "", "", "");
    origin.hold();
    List<RawClient> crowd = visitors.crowd(6, target, NextRequests.RSC, NextRequests.PREFETCH);
    visitors.awaitUnderWay(6);
    origin.awaitRequests(1);

    origin.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("payload 1");
    assertThat(origin.requests()).isEqualTo(1);
    visitors.awaitIdle();
    visitors.get(target, NextRequests.RSC, NextRequests.PREFETCH);
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void nxt05_prefetchesOnAPrivateRoute_areOneRenderEach() {
    Visitors visitors =
        visitors(
            Visitors.site("{ id: own, match: \"/**\", class: private_dynamic }").loops(2),
            next("Cache-Control: s-maxage=60"));
    origin.hold();
    List<RawClient> crowd =
        visitors.crowd(
            4,
            NextRequests.payload("/p", "1", "", "", ""),
            NextRequests.RSC,
            NextRequests.PREFETCH);
    origin.awaitRequests(4);
    origin.release();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
  }

  /** NEXTJS_FACTS 0.1, DEC-16: a stale answer's full lifetime is not to be believed. */
  @Test
  void dec16_staleAnswerOfTheFrameworks_isNotServedForAnotherLifetime() {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { stale_if_error: 5m }"),
            asked ->
                HeldOrigin.ok(
                    "Cache-Control: s-maxage=60, stale-while-revalidate=31535940"
                        + (asked.number() == 0 ? "|x-nextjs-cache: STALE" : ""),
                    "page " + asked.number()));

    assertThat(visitors.get("/p").text()).isEqualTo("page 0");
    RawResponse second = visitors.get("/p");
    assertThat(second.text()).isEqualTo("page 1");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  /** NEXTJS_FACTS 0.2: a year of staleness is capped, by default at a minute. */
  @Test
  void dec15_yearOfStaleness_isCapped() {
    MovedTicker ticker = new MovedTicker();
    origin =
        running.closing(
            HeldOrigin.start(next("Cache-Control: s-maxage=5, stale-while-revalidate=31535995")));
    Visitors visitors =
        new Visitors(running, running.proxy(origin.port(), Visitors.shop(), ticker));
    visitors.get("/p");

    ticker.advance(Duration.ofSeconds(70));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }
}
