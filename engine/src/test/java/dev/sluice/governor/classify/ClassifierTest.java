package dev.sluice.governor.classify;

import static dev.sluice.governor.classify.Requests.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Classification.AnsweredHere;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classification.Refused;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassifierTest {

  private final Classifier next = Requests.shop(Framework.NEXTJS);
  private final Classifier plain = Requests.shop(Framework.NONE);

  private static Classified classified(Classifier classifier, RequestHead head) {
    return (Classified) classifier.classify(head);
  }

  private static Classified get(Classifier classifier, String target, String... fields) {
    return classified(classifier, head("GET", target, fields));
  }

  @ParameterizedTest(name = "{6}: {0} {1}")
  @CsvSource({
    "GET,    /_next/static/x.js, assets,   STATIC_ASSET,     STATIC,          STATIC,    RTE-09",
    "HEAD,   /_next/static/x.js, assets,   STATIC_ASSET,     STATIC,          STATIC,    RTE-09",
    "POST,   /_next/static/x.js, assets,   MUTATION,         PRIVATE_DYNAMIC, RENDER,    DEC-33",
    "OPTIONS,/_next/static/x.js, assets,   OTHER,            PRIVATE_DYNAMIC, RENDER,    DEC-33",
    "GET,    /_next/image?url=a, images,   IMAGE,            PUBLIC_DYNAMIC,  RENDER,    NXT-17",
    "GET,    /products/1,        products, PUBLIC_DOCUMENT,  PUBLIC_SSR,      RENDER,    RTE-16",
    "HEAD,   /products/1,        products, PUBLIC_DOCUMENT,  PUBLIC_SSR,      RENDER,    RTE-16",
    "POST,   /products/1,        products, MUTATION,         PRIVATE_DYNAMIC, RENDER,    NXT-07",
    "PURGE,  /products/1,        products, MUTATION,         PRIVATE_DYNAMIC, RENDER,    DEC-46",
    "get,    /products/1,        products, MUTATION,         PRIVATE_DYNAMIC, RENDER,    DEC-46",
    "GET,    /account,           rest,     PRIVATE_DOCUMENT, PRIVATE_DYNAMIC, RENDER,    RTE-07",
    "DELETE, /account,           rest,     MUTATION,         PRIVATE_DYNAMIC, RENDER,    RTE-14",
    "GET,    /api/chat,          chat,     OTHER,            STREAMING,       STREAMING, RTE-15",
    "POST,   /api/chat,          chat,     MUTATION,         STREAMING,       STREAMING, DEC-33",
    "BREW,   /api/chat,          chat,     MUTATION,         PRIVATE_DYNAMIC, RENDER,    DEC-46",
  })
  void classify_methodAndPath_decideTheClass(
      String method,
      String target,
      String route,
      RequestClass requestClass,
      RouteClass effective,
      PermitKind kind,
      String row) {
    Classified found = classified(next, head(method, target));
    assertThat(found.route().id()).as(row).isEqualTo(route);
    assertThat(found.requestClass()).as(row).isEqualTo(requestClass);
    assertThat(found.effectiveClass()).as(row).isEqualTo(effective);
    assertThat(found.permitKind()).as(row).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_next/static/../../account",
        "/_next/static/%2e%2e/%2e%2e/account",
        "/_next/static/..%2f..%2faccount",
        "/_next/static/chunks/..%5c..%5c..%5caccount",
        "/_next/image/../../account",
        "/products/%2e%2e/account",
        "/products/..%2faccount",
        "/products/account;a.css",
        "/products/account%00.css",
        "/products/account%23.css",
        "/products//account",
        "/products/%c0%af",
        "/products/a%2fb"
      })
  void classify_C16_ambiguousTarget_isPrivateUnderTheImplicitRoute(String target) {
    Classified found = get(next, target);
    assertThat(found.route()).isSameAs(Route.IMPLICIT);
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
    assertThat(found.permitKind()).isEqualTo(PermitKind.RENDER);
    assertThat(found.treatment().ground()).isEqualTo(Ground.AMBIGUOUS_TARGET);
  }

  @Test
  void classify_encodedUnreserved_routesByWhatItMeans() {
    assertThat(get(next, "/pr%6fducts/1").route().id()).isEqualTo("products");
  }

  @ParameterizedTest
  @CsvSource({"1, true", "true, false", "0, false", "'1, 1', false", "'', false"})
  void classify_rscHeader_countsOnlyAsOne(String value, boolean rsc) {
    Classified found = get(next, "/products/1", "RSC", value, "Accept", "*/*");
    assertThat(found.rsc()).isEqualTo(rsc);
    assertThat(found.requestClass() == RequestClass.RSC_PAYLOAD).isEqualTo(rsc);
  }

  @Test
  void classify_repeatedRscLine_isTheDocumentAsAtTheOrigin() {
    assertThat(get(next, "/products/1", "RSC", "1", "rsc", "1").rsc()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Next-Router-Prefetch,         1",
    "Next-Router-Prefetch,         2",
    "Next-Router-Prefetch,         3",
    "Next-Router-Segment-Prefetch, /_tree",
  })
  void classify_BEY24_routerPrefetch_queuesLow(String name, String value) {
    Classified found = get(next, "/products/1", "RSC", "1", name, value);
    assertThat(found.requestClass()).isEqualTo(RequestClass.PREFETCH);
    assertThat(found.prefetch()).isTrue();
    assertThat(found.priority()).isEqualTo(Priority.LOW);
    assertThat(found.audience()).isEqualTo(Audience.PREFETCH);
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PUBLIC_SSR);
  }

  @Test
  void classify_prefetchHeaderWithoutRsc_isTheDocument() {
    Classified found = get(next, "/products/1", "Next-Router-Prefetch", "1");
    assertThat(found.requestClass()).isEqualTo(RequestClass.PUBLIC_DOCUMENT);
    assertThat(found.priority()).isEqualTo(Priority.HIGH);
  }

  @Test
  void classify_pagesData_isNoDocument() {
    String target = "/_next/data/build/ssr.json";
    assertThat(get(next, target, "x-nextjs-data", "1").requestClass())
        .isEqualTo(RequestClass.OTHER);
    Classified prefetch = get(next, target, "x-nextjs-data", "1", "Purpose", "prefetch");
    assertThat(prefetch.requestClass()).isEqualTo(RequestClass.PREFETCH);
    assertThat(prefetch.audience()).isEqualTo(Audience.PREFETCH);
  }

  @ParameterizedTest
  @CsvSource({"Sec-Purpose, prefetch;prerender", "Sec-Purpose, prefetch", "Purpose, prefetch"})
  void classify_browserSpeculation_queuesLowAndGetsNoPage(String name, String value) {
    for (Classifier classifier : List.of(next, plain)) {
      Classified found =
          get(
              classifier,
              "/products/1",
              name,
              value,
              "Accept",
              "text/html",
              "Sec-Fetch-Mode",
              "navigate");
      assertThat(found.requestClass()).isEqualTo(RequestClass.PREFETCH);
      assertThat(found.priority()).isEqualTo(Priority.LOW);
      assertThat(found.audience()).isEqualTo(Audience.PLAIN);
    }
  }

  @Test
  void classify_NXT06_serverAction_isAMutation() {
    Classified found =
        classified(
            next, head("POST", "/products/1", "Next-Action", "7f", "Accept", "text/x-component"));
    assertThat(found.requestClass()).isEqualTo(RequestClass.MUTATION);
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
    assertThat(found.permitKind()).isEqualTo(PermitKind.RENDER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "__prerender_bypass=abc",
        "theme=d; __prerender_bypass=abc",
        "theme=d;\t__next_preview_data=x; a=b",
        "__next_preview_data",
        "a=__prerender_bypass; __prerender_bypass=x"
      })
  void classify_NXT10_draftCookie_makesPrivateUnderItsOwnRoute(String cookie) {
    Classified found = get(next, "/products/1", "Cookie", cookie);
    assertThat(found.requestClass()).isEqualTo(RequestClass.DRAFT);
    assertThat(found.route().id()).isEqualTo("products");
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
    assertThat(found.permitKind()).isEqualTo(PermitKind.RENDER);
    assertThat(found.treatment().ground()).isEqualTo(Ground.DRAFT_COOKIE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x__prerender_bypass=abc",
        "__prerender_bypass2=abc",
        "a=__prerender_bypass",
        "a=b c __prerender_bypass=1",
        "__PRERENDER_BYPASS=1"
      })
  void classify_N05_similarCookie_isNoDraft(String cookie) {
    assertThat(get(next, "/products/1", "Cookie", cookie).requestClass())
        .isEqualTo(RequestClass.PUBLIC_DOCUMENT);
  }

  @Test
  void classify_draftCookieInASecondLine_counts() {
    Classified found = get(next, "/search", "Cookie", "a=b", "Cookie", "__prerender_bypass=1");
    assertThat(found.requestClass()).isEqualTo(RequestClass.DRAFT);
  }

  @Test
  void classify_DEC43_cookiesOfAStaticRequest_countForNothing() {
    Classified found = get(next, "/_next/static/x.js", "Cookie", "__prerender_bypass=1");
    assertThat(found.requestClass()).isEqualTo(RequestClass.STATIC_ASSET);
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.STATIC);
  }

  @Test
  void classify_draftCookieOnAStream_staysAStream() {
    Classified found = get(next, "/api/chat", "Cookie", "__prerender_bypass=1");
    assertThat(found.requestClass()).isEqualTo(RequestClass.DRAFT);
    assertThat(found.permitKind()).isEqualTo(PermitKind.STREAMING);
  }

  @Test
  void classify_N04_internalParameter_isPrivate() {
    Classified found = get(next, "/products/1?__nextDataReq=1");
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
    assertThat(found.treatment().ground()).isEqualTo(Ground.INTERNAL_PARAMETER);
  }

  @Test
  void classify_NXT14_staticPathUnderTheCatchAll_takesNoRenderPermit() {
    var bare =
        new Classifier(new ClassifySettings(Framework.NEXTJS, List.of(Route.IMPLICIT), List.of()));
    Classified found = get(bare, "/_next/static/x.js", "Cookie", "__prerender_bypass=1");
    assertThat(found.requestClass()).isEqualTo(RequestClass.STATIC_ASSET);
    assertThat(found.permitKind()).isEqualTo(PermitKind.STATIC);
    assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
  }

  @Test
  void classify_RTE18_frameworkNone_knowsNoNextRule() {
    String[] fields = {
      "RSC", "1", "Next-Router-Prefetch", "1", "Cookie", "__prerender_bypass=1", "Accept", "*/*"
    };
    Classified found = get(plain, "/products/1?__nextDataReq=1", fields);
    assertThat(found.requestClass()).isEqualTo(RequestClass.PUBLIC_DOCUMENT);
    assertThat(found.rsc()).isFalse();
    assertThat(found.priority()).isEqualTo(Priority.HIGH);
    assertThat(get(plain, "/_next/image").requestClass()).isEqualTo(RequestClass.PUBLIC_DOCUMENT);
    var bare =
        new Classifier(new ClassifySettings(Framework.NONE, List.of(Route.IMPLICIT), List.of()));
    assertThat(get(bare, "/_next/static/x.js").permitKind()).isEqualTo(PermitKind.RENDER);
  }

  @ParameterizedTest(name = "{0} {1} {2} -> {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "GET,  text/html,                       -,        NAVIGATION, ADM-11",
        "HEAD, 'text/html,*/*;q=0.8',           -,        NAVIGATION, ADM-11",
        "GET,  */*,                             navigate, NAVIGATION, ADM-11",
        "POST, text/html,                       navigate, PLAIN,      ADM-11",
        "GET,  text/html,                       cors,     PLAIN,      a script's fetch shows nobody a page",
        "GET,  application/json,                -,        JSON,       ADM-13",
        "GET,  'application/json, text/html',   -,        JSON,       ADM-13",
        "POST, application/problem+json,        -,        JSON,       ADM-13",
        "GET,  text/html;q=0,                   -,        PLAIN,      RFC 9110 12.5.1",
        "GET,  'text/html; level=1; q=0.000',   -,        PLAIN,      RFC 9110 12.5.1",
        "GET,  text/html;q=0.1,                 -,        NAVIGATION, RFC 9110 12.5.1",
        "GET,  TEXT/HTML,                       -,        NAVIGATION, RFC 9110 8.3.1",
        "GET,  text/html-like,                  -,        PLAIN,      RFC 9110 12.5.1",
        "GET,  */*,                             -,        PLAIN,      DEC-46",
        "GET,  -,                               -,        PLAIN,      DEC-46",
      })
  void classify_acceptAndFetchMetadata_decideTheAudience(
      String method, String accept, String mode, Audience audience, String row) {
    var fields = new java.util.ArrayList<String>();
    if (accept != null) {
      fields.addAll(List.of("Accept", accept));
    }
    if (mode != null) {
      fields.addAll(List.of("Sec-Fetch-Mode", mode));
    }
    Classified found = classified(next, head(method, "/account", fields.toArray(new String[0])));
    assertThat(found.audience()).as(row).isEqualTo(audience);
  }

  @Test
  void classify_ADM14_rscNavigation_getsNoPage() {
    Classified found = get(next, "/account", "RSC", "1", "Accept", "text/html");
    assertThat(found.navigation()).isFalse();
    assertThat(found.audience()).isEqualTo(Audience.PLAIN);
  }

  @ParameterizedTest
  @CsvSource({
    "document, PRIVATE_DOCUMENT",
    "iframe,   PRIVATE_DOCUMENT",
    "empty,    OTHER",
    "image,    OTHER",
    "script,   OTHER",
  })
  void classify_fetchDestination_tellsDocuments(String destination, RequestClass expected) {
    assertThat(get(next, "/account", "Sec-Fetch-Dest", destination).requestClass())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"CONNECT", "TRACE"})
  void classify_DEC46_connectAndTrace_areRefused(String method) {
    assertThat(next.classify(head(method, "/products/1")))
        .isEqualTo(new Refused(Refusal.METHOD, Audience.PLAIN));
  }

  @Test
  void classify_DEC46_asterisk_isAnsweredForOptionsOnly() {
    assertThat(next.classify(head("OPTIONS", "*"))).isEqualTo(new AnsweredHere(204));
    assertThat(next.classify(head("GET", "*")))
        .isEqualTo(new Refused(Refusal.ASTERISK, Audience.PLAIN));
  }

  @Test
  void classify_DEC46_unknownHost_isMisdirectedBeforeRouting() {
    var hosted =
        new Classifier(
            new ClassifySettings(Framework.NEXTJS, Requests.SHOP, List.of("other.example")));
    assertThat(hosted.classify(head("GET", "/products/1", "Accept", "text/html")))
        .isEqualTo(new Refused(Refusal.HOST, Audience.NAVIGATION));
    assertThat(hosted.classify(head("OPTIONS", "*")))
        .isEqualTo(new Refused(Refusal.HOST, Audience.PLAIN));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,  1, websocket,        true",
    "GET,  1, WebSocket,        true",
    "GET,  1, 'h2c, websocket', true",
    "GET,  1, h2c,              false",
    "GET,  1, foo,              false",
    "GET,  1, websockets,       false",
    "GET,  0, websocket,        false",
    "POST, 1, websocket,        false",
  })
  void classify_DEC41_onlyAWebSocketHandshakeIsRefused(
      String method, int minorVersion, String upgrade, boolean refused) {
    var request =
        new RequestHead(
            method,
            Target.ofOriginForm("/api/chat"),
            "a",
            minorVersion,
            FieldList.of("Connection", "Upgrade", "Upgrade", upgrade),
            Framing.None.INSTANCE);
    assertThat(next.classify(request) instanceof Refused).isEqualTo(refused);
  }
}
