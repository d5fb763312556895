package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the key, and what is not in the key and must not matter (C13 to C16, KEY). */
class KeyCasesTest {

  private static final int LARGE = 12 << 10;

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;
  private Visitors visitors;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(KeyCasesTest::page));
    visitors =
        new Visitors(
            running,
            running.proxy(
                origin.port(),
                Visitors.site(
                    "{ id: assets, match: \"/static/**\", class: static }",
                    "{ id: account, match: \"/account/**\", class: public_ssr }",
                    "{ id: whole, match: \"/whole/**\", class: public_ssr,"
                        + " cache: { request: whole } }",
                    "{ id: shop, match: \"/**\", class: public_ssr }")));
  }

  /** Puts into its page whatever the request told it that could poison one. */
  private static String page(HeldOrigin.Asked asked) {
    if (asked.target().startsWith("/account")) {
      // C16: a page of one visitor's, and nothing that says so.
      return HeldOrigin.ok("Content-Type: text/html", "secret of " + asked.field("Cookie"));
    }
    if (asked.target().startsWith("/static")) {
      return HeldOrigin.ok(
          "Content-Type: text/html|Cache-Control: max-age=60",
          "secret of " + asked.field("Cookie"));
    }
    if (asked.field("X-Big").length() > 8000) {
      return HeldOrigin.answer(
          "431 Request Header Fields Too Large", "Cache-Control: max-age=60", "too large");
    }
    if (asked.target().startsWith("/status/")) {
      String status = asked.target().substring(8, 11);
      return HeldOrigin.answer(status + " Some", "Cache-Control: max-age=60", "refused");
    }
    String told =
        String.join(
            ",",
            asked.field("Host"),
            asked.field("X-Forwarded-Host"),
            asked.field("X-Forwarded-Scheme"),
            asked.field("X-Forwarded-Port"),
            asked.field("X-Original-URL"),
            asked.field("X-Rewrite-URL"),
            asked.field("X-HTTP-Method-Override"),
            asked.field("Forwarded"),
            asked.field("Origin"),
            asked.field("X-Forwarded-Proto"));
    return HeldOrigin.ok("Cache-Control: max-age=60", told);
  }

  @Test
  void c13_hosts_haveAnswersOfTheirOwn() {
    assertThat(visitors.get("/", "Host: a.example").text()).startsWith("a.example");
    assertThat(visitors.get("/", "Host: b.example").text()).startsWith("b.example");
    assertThat(visitors.get("/", "Host: a.example:443").text()).startsWith("a.example:443");
    assertThat(origin.requests()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"A.EXAMPLE", "a.example.", "a.example:80", "A.Example.:80"})
  void c13_spellingsOfOneHost_areOne(String spelling) {
    visitors.get("/", "Host: a.example");

    assertThat(visitors.get("/", "Host: " + spelling).header("X-Sluice")).isEqualTo("HIT");
  }

  /** RFC 9112 3.2.2: the absolute form's host is the host. */
  @Test
  void c13_absoluteForm_winsOverHost() {
    visitors.get("/", "Host: a.example");

    RawResponse other = visitors.get("http://b.example/", "Host: a.example");

    assertThat(other.text()).doesNotStartWith("a.example");
    assertThat(visitors.get("/", "Host: b.example").text()).startsWith("b.example");
  }

  /** KEY-04, KEY-05: nobody who is not trusted says what the scheme was. */
  @Test
  void key05_inventedSchemes_makeNoPartitions() {
    for (int i = 0; i < 20; i++) {
      visitors.get("/", "X-Forwarded-Proto: scheme" + i);
    }
    assertThat(origin.requests()).isEqualTo(1);
    assertThat(origin.request(0).field("X-Forwarded-Proto")).isEqualTo("http");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Scheme: evil",
        "X-Forwarded-Port: evil",
        "X-Original-URL: /evil",
        "X-Rewrite-URL: /evil",
        "X-HTTP-Method-Override: evil",
        "Forwarded: host=evil.example",
        "Origin: https://evil.example"
      })
  void c14_fieldOutsideTheKey_neverReachesAPageOfOthers(String field) {
    assertThat(visitors.get("/pricing", field).text()).doesNotContain("evil");
    assertThat(visitors.get("/pricing").text()).doesNotContain("evil");
  }

  /**
   * The operator lets the rest of a whole request through and answers for it, but not for these.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Scheme: evil",
        "X-Forwarded-Port: evil",
        "X-Original-URL: /evil",
        "X-Rewrite-URL: /evil",
        "x-http-method-override: evil"
      })
  void c14_wholeRequest_leavesBehindWhatNamesAnotherResource(String field) {
    assertThat(visitors.get("/whole/pricing", field).text()).doesNotContain("evil");
    assertThat(visitors.get("/whole/pricing").header("X-Sluice")).isEqualTo("HIT");
  }

  @Test
  void c14_getWithABody_isNobodyElses() {
    RawResponse crafted =
        visitors
            .ask(
                "GET",
                "/pricing",
                "X-Forwarded-Host: evil.example",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: 7\r\n\r\nq=owned")
            .readAll();

    assertThat(crafted.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=request_body");
    RawResponse clean = visitors.get("/pricing");
    assertThat(clean.header("X-Sluice")).isEqualTo("MISS");
    assertThat(clean.text()).doesNotContain("evil");
  }

  @Test
  void c15_fieldThatTheOriginRejects_doesNotTakeThePageDown() {
    // What is not in the key is not sent, so it does no harm at all.
    assertThat(visitors.get("/app.js", "X-Big: " + "x".repeat(LARGE)).status()).isEqualTo(200);
    assertThat(visitors.get("/app.js").header("X-Sluice")).isEqualTo("HIT");

    RawResponse refused = visitors.get("/whole/app.js", "X-Big: " + "x".repeat(LARGE));
    assertThat(refused.status()).isEqualTo(431);
    assertThat(visitors.get("/whole/app.js").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"400", "405", "411", "413", "414", "431", "501", "403", "429", "500"})
  void c15_errorStatus_isNotStored(String status) {
    visitors.get("/status/" + status);

    assertThat(visitors.get("/status/" + status).header("X-Sluice")).isEqualTo("MISS");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"203", "300", "301", "308", "404", "410"})
  void dec11_cacheableStatusWithFreshness_isStored(String status) {
    visitors.get("/status/" + status);

    RawResponse second = visitors.get("/status/" + status);

    assertThat(second.header("X-Sluice")).isEqualTo("HIT");
    assertThat(second.status()).isEqualTo(Integer.parseInt(status));
  }

  @Test
  void c15_controlCharacter_isRefusedAtTheDoor() {
    assertThat(visitors.get("/app.js", "X-M: a\u0007b").status()).isEqualTo(400);
    assertThat(origin.requests()).isZero();
  }

  static Stream<String> deceptions() {
    return Stream.of(
        "/account;a.css",
        "/account%2Fa.css",
        "/account%00.css",
        "/account/..%2fstatic/a.js",
        "/static/..%2faccount",
        "/account%23.css",
        "/account/a.css?x",
        "/account/a.css",
        "/account%5ca.css",
        "/static/%2e%2e/account",
        "/static/../account/a.css",
        "/static/account.css");
  }

  /** The victim is signed in and is led to it; the attacker comes behind, and without a cookie. */
  @ParameterizedTest
  @MethodSource("deceptions")
  void c16_pageUnderAStaticLookingName_staysItsOwners(String target) {
    visitors.get(target, "Cookie: session=victim");
    visitors.get(target, "Cookie: session=victim");

    RawResponse attack = visitors.get(target);

    assertThat(attack.text()).doesNotContain("victim");
    assertThat(attack.header("X-Sluice")).isNotEqualTo("HIT");
  }
}
