package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.ALL;
import static dev.sluice.governor.reuse.Asking.get;
import static dev.sluice.governor.reuse.Asking.head;
import static dev.sluice.governor.reuse.Asking.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.BypassReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class EligibilityTest {

  private final Asking shop = shop(ALL);

  private static Asking withCookies(CookiePolicy cookies) {
    return shop(RouteClass.PUBLIC_SSR, ALL, cookies, Framework.NEXTJS);
  }

  @ParameterizedTest
  @EnumSource(
      value = RouteClass.class,
      mode = Mode.INCLUDE,
      names = {"PRIVATE_DYNAMIC", "STREAMING"})
  void routeThatIsNotPublic_sharesNothing(RouteClass routeClass) {
    Asking route = shop(routeClass, ALL, CookiePolicy.PRIVATE, Framework.NEXTJS);

    assertThat(route.reason(get("/a"))).isEqualTo(BypassReason.PRIVATE_ROUTE);
    assertThat(route.reason(get("/_next/static/a.js"))).isEqualTo(BypassReason.PRIVATE_ROUTE);
  }

  /** What goes alone is under attack, too: a refusal costs no object. */
  @Test
  void requestsThatGoAlone_ofOneReason_areOneSelection() {
    assertThat(shop.select(get("/a", "Authorization", "x")))
        .isSameAs(shop.select(get("/b", "Authorization", "y")));
  }

  @Test
  void routeWithoutAnyReuse_saysSo() {
    SharePolicy off = new SharePolicy(false, false, CachePolicy.OFF, CookiePolicy.PRIVATE, ALL);

    assertThat(shop(RouteClass.PUBLIC_SSR, off, Framework.NEXTJS, "").reason(get("/a")))
        .isEqualTo(BypassReason.REUSE_OFF);
  }

  // SHR-06
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "BREW"})
  void methodOtherThanGetAndHead_goesAlone(String method) {
    assertThat(shop.reason(head(method, "shop.example", "/a"))).isEqualTo(BypassReason.METHOD);
  }

  // SHR-05
  @Test
  void authorization_goesAlone() {
    Asking asserted = withCookies(Asking.ASSERTED);

    assertThat(asserted.reason(get("/a", "AUTHORIZATION", "")))
        .isEqualTo(BypassReason.AUTHORIZATION);
  }

  // C14
  @Test
  void getWithABody_goesAlone() {
    assertThat(shop.reason(withFraming(new Framing.Length(7))))
        .isEqualTo(BypassReason.REQUEST_BODY);
    assertThat(shop.select(withFraming(new Framing.Length(0)))).isInstanceOf(Keyed.class);
  }

  private static RequestHead withFraming(Framing framing) {
    return new RequestHead(
        "GET", Target.ofOriginForm("/a"), "shop.example", 1, FieldList.EMPTY, framing);
  }

  // SHR-13, SHR-14, DEC-08
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "session=1 | true",
        "_ga=1 | false",
        "_ga=1; _gid=2; _hjSession_7=3 | false",
        "_ga=1; session=1 | true",
        "_GA=1 | true",
        "_gax=1 | true",
        "_ga | true",
        "_hj=1 | false",
        "x_hj=1 | true",
        "' ; ; ' | false",
        "'' | false",
        "_ga = 1 | false",
        "_ga=\"x; session=1\" | true",
        "=1 | true",
        "_hj*=1 | false"
      })
  void cookies_countUnlessIgnored(String sent, boolean counts) {
    Asking asked = withCookies(new CookiePolicy(false, List.of("_ga", "_gid", "_hj*")));

    if (counts) {
      assertThat(asked.reason(get("/a", "Cookie", sent))).isEqualTo(BypassReason.COOKIE);
      assertThat(asked.reason(get("/a", "Cookie", "_ga=1", "cookie", sent)))
          .isEqualTo(BypassReason.COOKIE);
    } else {
      assertThat(asked.keyed("/a", "Cookie", sent).key()).isEqualTo(asked.keyed("/a").key());
    }
  }

  /** A prefix is one of the name: what stands behind it does not count. */
  @Test
  void ignoredPrefix_endsWithTheName() {
    Asking asked = withCookies(new CookiePolicy(false, List.of("theme", "a=*")));

    assertThat(asked.reason(get("/a", "Cookie", "theme=dark; a=b"))).isEqualTo(BypassReason.COOKIE);
  }

  // SHR-14
  @Test
  void assertedRoute_sharesWithCookies() {
    Asking asked = withCookies(Asking.ASSERTED);

    assertThat(asked.keyed("/a", "Cookie", "session=1").key()).isEqualTo(asked.keyed("/a").key());
  }

  // DEC-43
  @Test
  void staticRoute_doesNotCountCookies() {
    Asking files = shop(RouteClass.STATIC, ALL, CookiePolicy.PRIVATE, Framework.NEXTJS);

    assertThat(files.select(get("/a.js", "Cookie", "__prerender_bypass=1; s=1")))
        .isInstanceOf(Keyed.class);
  }

  // N05, NXT-10, NXT-11
  @ParameterizedTest
  @ValueSource(strings = {"theme=d; __prerender_bypass=abc", "__next_preview_data=1"})
  void drafts_goAlone_evenWhereCookiesAreAsserted(String cookie) {
    assertThat(withCookies(Asking.ASSERTED).reason(get("/a", "Cookie", cookie)))
        .isEqualTo(BypassReason.DRAFT);
    assertThat(
            withCookies(new CookiePolicy(false, List.of("*"))).reason(get("/a", "Cookie", cookie)))
        .isEqualTo(BypassReason.DRAFT);
  }

  // N05: a name as part of another is none.
  @Test
  void cookieThatOnlyContainsADraftsName_isNoDraft() {
    assertThat(withCookies(Asking.ASSERTED).select(get("/a", "Cookie", "x__prerender_bypass=1")))
        .isInstanceOf(Keyed.class);
  }

  // N04
  @ParameterizedTest
  @ValueSource(strings = {"/d?__nextDataReq=1", "/d?a=1&nxtPslug=x", "/d?%6extPslug=x"})
  void internalParameters_goAlone(String target) {
    assertThat(shop.reason(get(target))).isEqualTo(BypassReason.INTERNAL_PARAMETER);
  }

  // N03: the fields are stripped on the way out, so they make no difference here.
  @Test
  void internalFields_areNotInTheKey() {
    assertThat(
            shop.keyed("/a", "X-Middleware-Subrequest", "middleware", "x-now-route-matches", "1"))
        .extracting(Keyed::key)
        .isEqualTo(shop.keyed("/a").key());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%2fb", "/a/../b", "/a;x", "//a", "/a%00", "/a?b#c"})
  void ambiguousTargets_goAlone(String target) {
    assertThat(shop.reason(get(target))).isEqualTo(BypassReason.AMBIGUOUS_TARGET);
  }

  @Test
  void requestWithoutHost_goesAlone() {
    assertThat(shop.reason(head("GET", "", "/a"))).isEqualTo(BypassReason.AMBIGUOUS_TARGET);
  }

  // DEC-34, N01; the digests are what the framework's own code gives.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // target | prefetch | segment | tree | next-url
        "/p?_rsc=5CB68i4pnAekjehf | 1 | /_tree | - | /",
        "/p?a=1&_rsc=5CB68i4pnAekjehf | 1 | /_tree | - | /",
        "/p?_rsc=1r34m | 1 | /_tree | - | /",
        "/p?_rsc=Q-QD8qG9tiX4t5R- | - | - | %5B%22%22%5D | /catalog",
        "/p?_rsc=tbnx1 | - | - | %5B%22%22%5D | /catalog",
        "/p?_rsc=wnwCWMZWHwg9nwL- | - | - | - | \u00e9",
        "/p?_rsc=1p9gk | - | - | - | \u00e9",
        "/p?_rsc | - | - | - | -",
        "/p?_rsc= | - | - | - | -",
        "/p?_rsc | 0 | - | - | -"
      })
  void rscParameter_thatFits_mayShare(
      String target, String prefetch, String segment, String tree, String url) {
    Keyed keyed = shop.keyed(get(target, rsc(prefetch, segment, tree, url)));

    assertThat(KeyParts.of(keyed.key()).query()).isIn(null, "a=1");
  }

  // DEC-34, N01
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "/p | - | - | - | -",
        "/p | 1 | /_tree | - | /",
        "/p?_rsc | 1 | /_tree | - | /",
        "/p?_rsc=5CB68i4pnAekjehf | 1 | /_tree | - | /other",
        "/p?_rsc=5CB68i4pnAekjehf | - | - | - | -",
        "/p?_rsc=5cb68i4pnaekjehf | 1 | /_tree | - | /",
        "/p?_rsc=1r34m0 | 1 | /_tree | - | /",
        "/p?_rsc=1r34n | 1 | /_tree | - | /",
        "/p?_rsc=0r34m | 1 | /_tree | - | /",
        "/p?_rsc=1r34 | 1 | /_tree | - | /",
        "/p?_rsc=abc | - | - | - | -",
        "/p?_rsc=5CB68i4pnAekjehf&_rsc=5CB68i4pnAekjehf | 1 | /_tree | - | /"
      })
  void rscParameter_thatDoesNotFit_goesAlone(
      String target, String prefetch, String segment, String tree, String url) {
    assertThat(shop.reason(get(target, rsc(prefetch, segment, tree, url))))
        .isEqualTo(BypassReason.RSC_MISMATCH);
  }

  // N01: the parameter of a payload on the page itself
  @Test
  void rscParameter_withoutThePayload_goesAlone() {
    assertThat(shop.reason(get("/p?_rsc=5CB68i4pnAekjehf"))).isEqualTo(BypassReason.RSC_MISMATCH);
    assertThat(shop.reason(get("/p?_rsc", "RSC", "0"))).isEqualTo(BypassReason.RSC_MISMATCH);
  }

  private static String[] rsc(String prefetch, String segment, String tree, String url) {
    String[] names = {
      "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url"
    };
    String[] values = {prefetch, segment, tree, url};
    var fields = new ArrayList<String>(List.of("rsc", "1"));
    for (int i = 0; i < names.length; i++) {
      if (values[i] != null) {
        fields.add(names[i]);
        fields.add(values[i]);
      }
    }
    return fields.toArray(String[]::new);
  }

  // DEC-34
  @ParameterizedTest
  @ValueSource(
      strings = {
        "identity;q=0",
        "gzip, identity;q=0.0",
        "*;q=0",
        "gzip;q=1, *;q=0",
        "IDENTITY;Q=0"
      })
  void refusedIdentity_goesAlone(String sent) {
    assertThat(shop.reason(get("/a", "Accept-Encoding", sent)))
        .isEqualTo(BypassReason.IDENTITY_REFUSED);
  }

  @Test
  void keyBeyondItsBound_goesAlone() {
    String tree = "x".repeat(KeyWriter.LONGEST - 200);

    assertThat(shop.select(get("/a", "next-router-state-tree", tree))).isInstanceOf(Keyed.class);
    assertThat(shop.reason(get("/a", "next-router-state-tree", tree + tree)))
        .isEqualTo(BypassReason.KEY_TOO_LONG);
    // The buffer forgets it.
    assertThat(shop.select(get("/a"))).isInstanceOf(Keyed.class);
  }

  // DEC-34: a stored answer may still serve these.
  @Test
  void rangesAndConditions_areToldNotRefused() {
    Keyed range = shop.keyed("/a", "Range", "bytes=0-1");
    assertThat(range.hasRange()).isTrue();
    assertThat(range.aloneUnlessStored()).isEqualTo(BypassReason.RANGE);
    assertThat(range.key()).isEqualTo(shop.keyed("/a").key());

    Keyed match = shop.keyed("/a", "If-Match", "\"x\"");
    assertThat(match.hasPrecondition()).isTrue();
    assertThat(match.aloneUnlessStored()).isEqualTo(BypassReason.CONDITION);
    assertThat(shop.keyed("/a", "If-Unmodified-Since", "x").hasPrecondition()).isTrue();

    Keyed conditional = shop.keyed("/a", "If-None-Match", "\"x\"");
    assertThat(conditional.hasCondition()).isTrue();
    assertThat(conditional.aloneUnlessStored()).isNull();
    assertThat(shop.keyed("/a", "If-Modified-Since", "x").hasCondition()).isTrue();

    assertThat(shop.keyed(head("HEAD", "shop.example", "/a", "Range", "bytes=0-1")).hasRange())
        .isFalse();
    assertThat(shop.keyed("/a").hasCondition()).isFalse();
  }
}
