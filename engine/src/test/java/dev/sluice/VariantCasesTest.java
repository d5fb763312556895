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

/** Answers that vary by fields of the request (C10, C11, SHR-08, BEY-05, KEY-14, DEC-34). */
class VariantCasesTest {

  @RegisterExtension static final Running running = new Running();

  // Each test begins with visitors(...).
  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  private Visitors visitors(ProxyFile file, HeldOrigin.Answers answers) {
    origin = running.closing(HeldOrigin.start(answers));
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  /** An origin that compresses, as most do. */
  private static String coded(HeldOrigin.Asked asked) {
    boolean gzip = asked.field("Accept-Encoding").contains("gzip");
    return HeldOrigin.ok(
        "Cache-Control: max-age=60|Vary: Accept-Encoding|ETag: \"e\""
            + (gzip ? "|Content-Encoding: gzip" : ""),
        gzip ? "zipped" : "plain");
  }

  @Test
  void c10_spellingsOfAcceptEncoding_shareOneAnswer() {
    Visitors visitors = visitors(Visitors.shop(), VariantCasesTest::coded);
    for (String accepted : new String[] {"gzip, br", "br, gzip", "gzip;q=1.0", "GZIP", "*"}) {
      RawResponse answer = visitors.get("/p", "Accept-Encoding: " + accepted);
      assertThat(answer.text()).isEqualTo("zipped");
    }
    assertThat(origin.requests()).isEqualTo(1);
    assertThat(origin.request(0).field("Accept-Encoding")).isEqualTo("gzip");
  }

  /** Nobody is given a coding that it did not accept; identity and gzip are two answers. */
  @Test
  void c11_clientWithoutGzip_isGivenPlainBytes() {
    Visitors visitors = visitors(Visitors.shop(), VariantCasesTest::coded);
    for (int round = 0; round < 2; round++) {
      assertThat(visitors.get("/p", "Accept-Encoding: gzip").text()).isEqualTo("zipped");
      assertThat(visitors.get("/p").text()).isEqualTo("plain");
      assertThat(visitors.get("/p", "Accept-Encoding: br").text()).isEqualTo("plain");
      assertThat(visitors.get("/p", "Accept-Encoding: gzip;q=0").text()).isEqualTo("plain");
    }
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** The tag that a client was given leads back to 304, with Vary on both. */
  @Test
  void c11_validator_makesARoundTripInEachCoding() {
    Visitors visitors = visitors(Visitors.shop(), VariantCasesTest::coded);
    for (String accepted : new String[] {"Accept-Encoding: gzip", "X-None: 1"}) {
      String tag = visitors.get("/p", accepted).header("ETag");
      RawResponse again = visitors.get("/p", accepted, "If-None-Match: " + tag);
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(again.header("ETag")).isEqualTo(tag);
    }
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void c11_codingThatNobodyAskedFor_isNotShared() {
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked -> HeldOrigin.ok("Cache-Control: max-age=60|Content-Encoding: br", "squeezed"));

    visitors.get("/p", "Accept-Encoding: gzip");
    RawResponse second = visitors.get("/p", "Accept-Encoding: gzip");

    assertThat(second.header("Cache-Status")).endsWith("detail=coding");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void dec34_clientThatRefusesIdentity_goesAlone() {
    Visitors visitors = visitors(Visitors.shop(), VariantCasesTest::coded);

    RawResponse answer = visitors.get("/p", "Accept-Encoding: br, identity;q=0");

    assertThat(answer.header("Cache-Status"))
        .isEqualTo("sluice; fwd=bypass; detail=identity_refused");
    assertThat(origin.request(0).field("Accept-Encoding")).isEqualTo("br, identity;q=0");
  }

  private static String spoken(HeldOrigin.Asked asked) {
    return HeldOrigin.ok(
        "Cache-Control: max-age=60|Vary: Accept-Language",
        "in " + asked.field("Accept-Language") + ".");
  }

  @Test
  void bey05_unknownVary_makesASecondLevelOfTheKey() {
    Visitors visitors = visitors(Visitors.shop(), VariantCasesTest::spoken);
    for (int round = 0; round < 3; round++) {
      for (String language : new String[] {"de", "fr"}) {
        RawResponse answer = visitors.get("/p", "Accept-Language: " + language);
        assertThat(answer.text()).isEqualTo("in " + language + ".");
        assertThat(answer.header("X-Sluice")).isEqualTo(round == 0 ? "MISS" : "HIT");
      }
    }
    assertThat(visitors.get("/p").text()).isEqualTo("in .");
    // One that taught the name, without it, and one for each language.
    assertThat(origin.requests()).isEqualTo(3);
  }

  /** DEC-35, other variant: everybody returns once, and one leads for each. */
  @Test
  void dec35_crowdOfTwoLanguages_isOneFlightForEach() {
    Visitors visitors = visitors(Visitors.shop().loops(2), VariantCasesTest::spoken);
    origin.hold();
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      crowd.add(visitors.ask("GET", "/p", "Accept-Language: " + (i % 2 == 0 ? "de" : "fr")));
    }
    visitors.awaitUnderWay(12);
    origin.awaitRequests(1);
    assertThat(origin.request(0).field("Accept-Language")).isEmpty();

    origin.release();

    for (int i = 0; i < 12; i++) {
      assertThat(crowd.get(i).readAll().text()).isEqualTo(i % 2 == 0 ? "in de." : "in fr.");
    }
    assertThat(origin.requests()).isEqualTo(3);
  }

  /** A name that no key can have stays a barrier. */
  @ParameterizedTest
  @ValueSource(strings = {"*", "X-Forwarded-For", "Traceparent", "Accept-Language, *"})
  void shr08_varyThatCannotBeKept_isABarrier(String vary) {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { override_origin: true, ttl: { max: 1m } }"),
            asked -> HeldOrigin.ok("Cache-Control: max-age=60|Vary: " + vary, "page"));
    visitors.get("/p");

    RawResponse second = visitors.get("/p");

    assertThat(second.header("X-Sluice")).isEqualTo("MISS");
    assertThat(second.header("Cache-Status"))
        .containsPattern("detail=(vary_star|unsupported_vary)");
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** Variants of one page are bounded; past the bound answers pass, and none is thrown out. */
  @Test
  void c10_variantExplosion_isBoundedAndDoesNotThrash() {
    Visitors visitors =
        visitors(
            Visitors.shop(),
            asked ->
                HeldOrigin.ok(
                    "Cache-Control: max-age=60|Vary: Accept-Encoding, User-Agent",
                    "for " + asked.field("User-Agent")));
    for (int i = 0; i < 200; i++) {
      assertThat(visitors.get("/p", "User-Agent: browser-" + i).text())
          .isEqualTo("for browser-" + i);
    }

    assertThat(visitors.sluice().cache().occupancy().entries()).isBetween(2L, 17L);
    assertThat(visitors.get("/p", "User-Agent: browser-0").header("X-Sluice")).isEqualTo("HIT");
    RawResponse over = visitors.get("/p", "User-Agent: browser-199");
    assertThat(over.header("Cache-Status")).endsWith("detail=unsupported_vary");
  }

  /** KEY-15, NXT-15: what the route declares is in the key from the start. */
  @Test
  void key15_declaredHeader_separatesAndReachesTheOrigin() {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { vary: { headers: [Accept] } }"),
            asked ->
                HeldOrigin.ok("Cache-Control: max-age=60|Vary: Accept", asked.field("Accept")));
    for (int round = 0; round < 2; round++) {
      assertThat(visitors.get("/p", "Accept: image/webp").text()).isEqualTo("image/webp");
      assertThat(visitors.get("/p", "Accept: image/png").text()).isEqualTo("image/png");
    }
    assertThat(origin.requests()).isEqualTo(2);
  }

  /** DEC-34: a request that goes out whole is kept apart by the answer's Vary alone. */
  @Test
  void dec34_wholeRequest_isKeptApartByVary() {
    Visitors visitors =
        visitors(
            Visitors.shop("cache: { request: whole }"),
            asked ->
                HeldOrigin.ok(
                    "Cache-Control: max-age=60|Vary: X-Country", asked.field("X-Country") + "!"));
    for (int round = 0; round < 2; round++) {
      assertThat(visitors.get("/p", "X-Country: de", "X-Other: " + round).text()).isEqualTo("de!");
      assertThat(visitors.get("/p", "X-Country: fr", "X-Other: " + round).text()).isEqualTo("fr!");
    }
    assertThat(origin.request(0).field("X-Other")).isEqualTo("0");
    assertThat(origin.requests()).isEqualTo(2);
  }
}
