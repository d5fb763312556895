package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.ALL;
import static dev.sluice.governor.reuse.Asking.get;
import static dev.sluice.governor.reuse.Asking.head;
import static dev.sluice.governor.reuse.Asking.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRequestTest {

  private static final String AGENT = "User-Agent: " + SharedRequest.USER_AGENT;

  private final Asking shop = shop(ALL);

  private static RequestHead built(Asking asked, String target, String... fields) {
    return SharedRequest.ofLead(asked.keyed(target, fields), Validators.NONE);
  }

  static List<String> lines(RequestHead head) {
    Headers headers = head.headers();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      lines.add(headers.name(i) + ": " + headers.value(i));
    }
    return lines;
  }

  // DEC-34, C14
  @Test
  void whatIsNotInTheKey_staysBehind() {
    RequestHead asked =
        built(
            shop,
            "/%61?b=2&a=1",
            "Host",
            "SHOP.example:80",
            "Accept-Encoding",
            "br, gzip",
            "User-Agent",
            "evil",
            "X-Forwarded-Host",
            "evil.example",
            "X-Original-URL",
            "/admin",
            "X-HTTP-Method-Override",
            "POST",
            "Origin",
            "https://evil",
            "Referer",
            "r",
            "If-None-Match",
            "\"x\"",
            "If-Modified-Since",
            "y",
            "Cache-Control",
            "no-cache",
            "Accept",
            "a",
            "Range",
            "bytes=0-1");

    assertThat(asked.method()).isEqualTo("GET");
    assertThat(asked.target().raw()).isEqualTo("/%61?a=1&b=2");
    assertThat(asked.minorVersion()).isEqualTo(1);
    assertThat(asked.framing()).isEqualTo(Framing.None.INSTANCE);
    assertThat(asked.authority()).isEqualTo("shop.example");
    assertThat(lines(asked)).containsExactly("Host: shop.example", "Accept-Encoding: gzip", AGENT);
  }

  @Test
  void head_isAskedForAsGet_onceItHasAFlight() {
    Keyed asked = shop.keyed(head("HEAD", "shop.example", "/a"));

    assertThat(SharedRequest.ofLead(asked, Validators.NONE).method()).isEqualTo("GET");
  }

  @Test
  void codingIsOne_orIdentity() {
    assertThat(lines(built(shop, "/"))).contains("Accept-Encoding: identity");
    assertThat(lines(built(shop, "/", "Accept-Encoding", "*"))).contains("Accept-Encoding: gzip");
  }

  // DEC-34, DEC-16: the digest fits what is sent, whichever form the client's had.
  @Test
  void payload_isAskedForWithItsFields_andItsParameterLast() {
    RequestHead asked =
        built(
            shop,
            "/p?_rsc=1r34m&q=a",
            "rsc",
            "1",
            "NEXT-ROUTER-PREFETCH",
            "1",
            "next-router-segment-prefetch",
            "/_tree",
            "next-url",
            "/");

    assertThat(asked.target().raw()).isEqualTo("/p?q=a&_rsc=5CB68i4pnAekjehf");
    assertThat(lines(asked))
        .containsExactly(
            "Host: shop.example",
            "RSC: 1",
            "Next-Router-Prefetch: 1",
            "Next-Router-Segment-Prefetch: /_tree",
            "Next-Url: /",
            "Accept-Encoding: identity",
            AGENT);
    assertThat(built(shop, "/p?_rsc", "rsc", "1").target().raw()).isEqualTo("/p?_rsc");
  }

  // DEC-23
  @Test
  void prerenderedPayload_isAskedForWithoutTree_andWithTheDigestOfWhatIsLeft() {
    RequestHead asked =
        built(
            shop(Asking.PRERENDERED),
            "/p?x=1&_rsc=5CB68i4pnAekjehf",
            "rsc",
            "1",
            "next-router-prefetch",
            "1",
            "next-router-segment-prefetch",
            "/_tree",
            "next-url",
            "/");

    assertThat(lines(asked)).noneMatch(line -> line.startsWith("Next-Url"));
    assertThat(asked.target().raw()).matches("/p\\?_rsc=[A-Za-z0-9_-]{16}");
    assertThat(asked.target().raw()).isNotEqualTo("/p?_rsc=5CB68i4pnAekjehf");
    // It is again a request that fits its own fields.
    assertThat(shop(Asking.PRERENDERED).select(asked)).isInstanceOf(Keyed.class);
  }

  @Test
  void crawlers_haveOneFixedAgent_thatTheFrameworkTakesForOne() {
    assertThat(lines(built(shop, "/p", "User-Agent", "Slackbot 1.0")))
        .contains("User-Agent: " + SharedRequest.LIMITED_BOT);
    assertThat(LimitedBots.isNamedIn(SharedRequest.LIMITED_BOT)).isTrue();
    assertThat(LimitedBots.isNamedIn(SharedRequest.USER_AGENT)).isFalse();
  }

  @Test
  void configuredAndLearnedFields_reachTheOrigin() {
    Asking asked =
        shop(
            Asking.policy(
                QueryMode.ALL,
                List.of(),
                List.of("accept-language"),
                List.of("x-country"),
                false,
                false));
    asked.memory.learn(asked.keyed("/p"), List.of("User-Agent", "x-b"));

    assertThat(
            lines(
                built(
                    asked,
                    "/p",
                    "X-COUNTRY",
                    "de",
                    "accept-language",
                    "de",
                    "Accept-Language",
                    "en",
                    "User-Agent",
                    "Phone/1")))
        .containsExactly(
            "Host: shop.example",
            "accept-language: de, en",
            "x-country: de",
            "User-Agent: Phone/1",
            "Accept-Encoding: identity");
    assertThat(lines(built(asked, "/p")))
        .containsExactly("Host: shop.example", "Accept-Encoding: identity", AGENT);
  }

  @Test
  void validators_areTheStoredOnes() {
    assertThat(
            lines(
                SharedRequest.ofLead(
                    shop.keyed("/p", "If-None-Match", "\"client\""),
                    new Validators("\"stored\"", "Mon, 01 Jan 2024 00:00:00 GMT"))))
        .containsExactly(
            "Host: shop.example",
            "Accept-Encoding: identity",
            AGENT,
            "If-None-Match: \"stored\"",
            "If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT");
  }

  // DEC-34, DEC-08
  @Test
  void cookies_areSentOnlyWhereAsserted_withoutTheIgnored() {
    Asking asserted =
        shop(RouteClass.PUBLIC_SSR, ALL, new CookiePolicy(true, List.of("_ga*")), Framework.NEXTJS);
    String[] cookies = {"Cookie", "_ga=1; a=2;b", "cookie", "_gax=3;  c=4"};

    assertThat(lines(built(asserted, "/p", cookies))).contains("Cookie: a=2; b; c=4");
    assertThat(lines(built(asserted, "/p", "Cookie", "_ga=1")))
        .noneMatch(line -> line.startsWith("Cookie"));
    Asking files = shop(RouteClass.STATIC, ALL, Asking.ASSERTED, Framework.NEXTJS);
    assertThat(lines(built(files, "/a.js", cookies))).noneMatch(line -> line.startsWith("Cookie"));
  }

  // DEC-40
  @Test
  void refresh_isTheLeadsRequest_withoutTheLead() {
    Asking asserted = shop(RouteClass.PUBLIC_SSR, ALL, Asking.ASSERTED, Framework.NEXTJS);
    Keyed lead = asserted.keyed(get("/p?a=1", "Cookie", "s=1"), "https");

    assertThat(SharedRequest.ofRefresh(lead.key(), Validators.NONE).target().raw())
        .isEqualTo("/p?a=1");
    assertThat(lines(SharedRequest.ofRefresh(lead.key(), Validators.NONE)))
        .containsExactly("Host: shop.example", "Accept-Encoding: identity", AGENT);
    assertThat(SharedRequest.scheme(lead.key())).isEqualTo("https");
    assertThat(SharedRequest.scheme(shop.keyed("/").key())).isEqualTo("http");
  }

  // DEC-34, DEC-17
  @Test
  void whole_goesAsItCame_butForTheClientsConditions() {
    Asking whole = shop(Asking.WHOLE);
    RequestHead sent =
        get(
            "/p?b&a&_rsc",
            "Host",
            "SHOP.example",
            "rsc",
            "1",
            "x-a",
            "1",
            "If-None-Match",
            "\"x\"",
            "Cache-Control",
            "no-cache",
            "Accept-Encoding",
            "br, zstd");

    RequestHead asked = SharedRequest.ofLead(whole.keyed(sent), new Validators("\"stored\"", null));

    assertThat(asked.target()).isEqualTo(sent.target());
    assertThat(asked.authority()).isEqualTo(sent.authority());
    assertThat(lines(asked))
        .containsExactly(
            "Host: SHOP.example",
            "rsc: 1",
            "x-a: 1",
            "Accept-Encoding: br, zstd",
            "If-None-Match: \"stored\"");
  }

  // DEC-08, DEC-34
  @Test
  void whole_hasTheCookiesThatCount_andNoOthers() {
    var ignoring = new CookiePolicy(false, List.of("_ga*"));
    var asserted = new CookiePolicy(true, List.of("_ga*"));
    String[] sent = {"Host", "shop.example", "Cookie", "_ga=1"};

    assertThat(lines(built(whole(ignoring), "/p", sent))).containsExactly("Host: shop.example");
    assertThat(lines(built(whole(asserted), "/p", "Cookie", "_ga=1; a=2", "cookie", "b=3")))
        .contains("Cookie: a=2; b=3");
  }

  private static Asking whole(CookiePolicy cookies) {
    return shop(RouteClass.PUBLIC_SSR, Asking.WHOLE, cookies, Framework.NEXTJS);
  }
}
