package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BEY-07, its second half: the admin listener explains what the running proxy would do now. */
class ExplainLiveTest {

  private static final String STALE = "cache: { stale_while_revalidate: 10s, stale_if_error: 60s }";
  private static final String OVERRIDE =
      "cache: { override_origin: true, ttl: { max: 10s }, stale_if_error: 60s }";

  @RegisterExtension static final Running running = new Running();

  private final MovedTicker ticker = new MovedTicker();
  private HeldOrigin origin;

  @SuppressWarnings("NullAway.Init")
  private Visitors visitors;

  @SuppressWarnings("NullAway.Init")
  private Operator operator;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(ExplainLiveTest::page));
  }

  private static String page(HeldOrigin.Asked asked) {
    return switch (asked.target()) {
      case "/me" -> HeldOrigin.ok("Cache-Control: private", "me");
      case "/cookie" -> HeldOrigin.ok("Cache-Control: max-age=60|Set-Cookie: a=b", "c");
      case "/varied" -> HeldOrigin.ok("Cache-Control: max-age=60|Vary: X-Country", "v");
      default -> HeldOrigin.ok("Cache-Control: max-age=60|X-Sluice-Cache-Tags: a, b", "page");
    };
  }

  private void open(ProxyFile file) {
    Sluice proxy =
        running.proxy(
            origin.port(),
            file.block("cache: { enabled: true, purge: { token: " + Operator.TOKEN + " } }"),
            ticker);
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
  }

  private static ProxyFile shop(String... keys) {
    String more = String.join("", Stream.of(keys).map(key -> ", " + key).toList());
    return ProxyFile.plain()
        .server("debug_headers: true")
        .block("routes: [ { id: shop, match: \"/**\", class: public_ssr" + more + " } ]");
  }

  private List<String> explain(String target, String... headers) {
    var query = new StringBuilder("target=" + encoded(target));
    for (String header : headers) {
      query.append("&header=").append(encoded(header));
    }
    return explainQuery(query.append("&header=Host:a.example").toString());
  }

  /** What is said of the store. */
  private String stored(String target) {
    return explain(target).stream()
        .filter(line -> line.startsWith("stored now: "))
        .map(line -> line.substring("stored now: ".length()))
        .collect(Collectors.joining("; "));
  }

  private List<String> explainQuery(String query) {
    RawResponse answer = operator.ask("GET", "/explain?" + query);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text().lines().toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void missHitStaleAndGone_areTold() {
    open(shop(STALE));
    assertThat(explain("/p"))
        .contains(
            "generation: 1",
            "route: shop (/**)",
            "key resource: http://a.example/p",
            "seen to vary by: nothing",
            "stored now: no",
            "under way now: nothing to board",
            "in flight now: 0 of 64 units, 0 waiting");

    visitors.get("/p");
    assertThat(explain("/p")).contains("its tags: a, b");
    assertThat(stored("/p")).matches("fresh for [1-5][0-9]s more, of an age of [0-9]+s");

    ticker.advance(Duration.ofSeconds(61));
    assertThat(stored("/p")).startsWith("stale, served while it is refreshed, of an age of 6");

    ticker.advance(Duration.ofSeconds(20));
    assertThat(stored("/p")).startsWith("stale, for where the origin fails or has no room, of an");

    ticker.advance(Duration.ofSeconds(60));
    assertThat(stored("/p")).startsWith("stale, to be asked about, of an age of 14");

    operator.purge("path=/p");
    assertThat(explain("/p")).contains("stored now: no");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void softPurge_isTold() {
    open(shop(STALE));
    visitors.get("/p");

    operator.purge("tag=a&soft=1");

    assertThat(stored("/p"))
        .startsWith("stale, for where the origin fails or has no room, ")
        .endsWith(", softly purged");
  }

  /** What is under way, and what waits for it: the explanation itself waits for nothing. */
  @Test
  void flightUnderWay_andThePermitItHolds_areTold() {
    open(shop("concurrency: { max: 1 }").origin("concurrency: { max: 2 }"));
    origin.hold();
    List<RawClient> crowd = visitors.crowd(3, "/p");
    RawClient other = visitors.ask("GET", "/q");
    visitors.awaitUnderWay(4);
    Running.awaitWaiting(visitors.sluice(), 1);

    assertThat(explain("/p"))
        .contains(
            "under way now: a flight that may be boarded",
            "in flight now: 1 of 2 units, 1 waiting",
            "tier normal now: 1 of 2 units, 1 waiting",
            "route shop now: 1 of 1 units, 1 waiting");
    assertThat(explain("/elsewhere")).contains("under way now: nothing to board");

    origin.release();
    Visitors.readAll(crowd);
    other.readAll();
    visitors.awaitIdle();
    assertThat(explain("/p")).contains("in flight now: 0 of 2 units, 0 waiting");
  }

  @Test
  void whatAnswersTaught_isTold() {
    open(shop());
    visitors.get("/cookie");
    assertThat(explain("/cookie"))
        .contains(
            "stored now: no",
            "remembered: the key proved unshareable a moment ago, so nobody boards");

    visitors.get("/varied");
    assertThat(explain("/varied", "X-Country: se"))
        .contains("seen to vary by: x-country", "stored now: no")
        .doesNotContain("dropped from it: x-country");
    assertThat(stored("/varied")).startsWith("fresh for ");
  }

  /** The generation in force answers, not the one that stored. */
  @Test
  void reload_isToldAtOnce() throws IOException {
    open(shop(OVERRIDE));
    visitors.get("/me");
    assertThat(stored("/me")).startsWith("fresh for ").endsWith("s");

    visitors.sluice().reload(Running.settings(origin.port(), cached(shop())));

    assertThat(explain("/me")).contains("generation: 2");
    assertThat(stored("/me")).endsWith(", by a right that the route does not grant any more");
    assertThat(visitors.get("/me").header("X-Sluice")).isEqualTo("MISS");
  }

  private static ProxyFile cached(ProxyFile file) {
    return file.block("cache: { enabled: true }");
  }

  /** Each row of SHR, as the command has it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "target=/p&response_header=X: y                          | nobody else's (no_freshness)",
        "target=/p&response_header=Set-Cookie: a=b               | nobody else's (set_cookie)",
        "target=/p&header=Authorization: x&response_header=X: y  | nobody else's (authorization)",
        "target=/p&method=POST&status=200                        | nobody else's (method)",
        "target=/p&status=500&response_header=Cache-Control: max-age=9 | nobody else's (status)",
        "target=/p&response_header=Vary: *                       | nobody else's (vary_star)",
        "target=/p&response_header=Cache-Control: private        | nobody else's (private)",
        "target=/p&response_header=Cache-Control: no-store       | nobody else's (no_store)",
        "target=/p&response_header=Cache-Control: no-cache       | nobody else's (no_cache)",
        "target=/p&header=Cookie: a=b&response_header=X: y       | nobody else's (cookie)",
        "target=/p&response_header=Cache-Control: max-age=9      | stored"
      })
  void answer_isJudgedAsTheCommandDoes(String query, String verdict) {
    open(shop());

    assertThat(explainQuery(query.replace(" ", "%20"))).contains("verdict: " + verdict);
  }

  /** A look is not a use: it neither counts for eviction nor keeps a flight from landing. */
  @Test
  void explaining_asksNothingOfTheOrigin() {
    open(shop());

    assertThat(explain("/p")).contains("stored now: no");

    assertThat(origin.requests()).isZero();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  @Test
  void refusedRequest_goesNoFurther() {
    open(shop());

    assertThat(explainQuery("target=/p&method=TRACE"))
        .containsExactly(
            "generation: 1",
            "refused: 405 method_not_allowed",
            "because: The method is not served here.");
    assertThat(explain("/p", "Content-Length: 1", "Content-Length: 1"))
        .hasSize(2)
        .first()
        .isEqualTo("refused: 400 bad_request");
  }
}
