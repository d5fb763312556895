package dev.sluice.governor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every request, answer and policy. */
class SharingLawsTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final Set<Integer> ALWAYS_STORABLE =
      Set.of(200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 410);

  @Provide
  Arbitrary<SharePolicy> policies() {
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    Arbitrary<Duration> duration = Arbitraries.integers().between(0, 1000).map(Duration::ofSeconds);
    Arbitrary<CachePolicy> cache =
        Combinators.combine(
                flag,
                flag,
                duration.injectNull(0.2),
                duration.injectNull(0.2),
                duration,
                flag,
                flag)
            .as(CachePolicy::new);
    return Combinators.combine(flag, flag, cache, flag)
        .as(
            (coalesce, override, kept, cookies) ->
                new SharePolicy(
                    coalesce,
                    override,
                    kept,
                    new CookiePolicy(cookies, List.of()),
                    KeyPolicy.WHOLE_TARGET));
  }

  @Provide
  Arbitrary<Asked> asked() {
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    Arbitrary<RouteClass> routeClass =
        Arbitraries.of(
            RouteClass.PUBLIC_SSR,
            RouteClass.PUBLIC_DYNAMIC,
            RouteClass.STATIC,
            RouteClass.PRIVATE_DYNAMIC,
            RouteClass.STREAMING);
    return Combinators.combine(
            routeClass,
            Arbitraries.of(RequestClass.class),
            flag,
            flag,
            Arbitraries.of("/p", "/a.js", "/a.css", "/_next/static/c.js"),
            Arbitraries.of("gzip", "br").injectNull(0.3),
            flag,
            flag)
        .as(Asked::new);
  }

  @Provide
  Arbitrary<ResponseHead> heads() {
    Arbitrary<Integer> status =
        Arbitraries.oneOf(Arbitraries.just(200), Arbitraries.integers().between(100, 599));
    Arbitrary<String> line =
        Arbitraries.of(
            "Cache-Control: public, max-age=60",
            "Cache-Control: s-maxage=5, stale-while-revalidate=31535995",
            "Cache-Control: private, no-cache, no-store, max-age=0, must-revalidate",
            "Cache-Control: max-age=9, stale-if-error=999",
            "Cache-Control: max-age=0",
            "CDN-Cache-Control: max-age=100",
            "Set-Cookie: a=b",
            "Vary: *",
            "Vary: Cookie, Accept",
            "Vary: X-Forwarded-For",
            "Content-Encoding: gzip",
            "Content-Encoding: br",
            "Content-Type: text/html",
            "Content-Type: text/x-component",
            "Content-Type: text/event-stream",
            "Content-Type: text/javascript",
            "X-Nextjs-Cache: STALE",
            "ETag: \"a\"",
            "Last-Modified: Mon, 11 Jan 2027 08:00:00 GMT",
            "Age: 7",
            "Age: 70");
    return Combinators.combine(status, line.list().uniqueElements().ofMaxSize(6))
        .as((code, lines) -> head(code, lines));
  }

  private static ResponseHead head(int status, List<String> lines) {
    var fields = new ArrayList<String>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      fields.add(line.substring(0, colon));
      fields.add(line.substring(colon + 2));
    }
    return new ResponseHead(
        status, "", FieldList.of(fields.toArray(String[]::new)), Framing.Chunked.INSTANCE);
  }

  /** SHR-12: whatever the policy, what stands behind a barrier stays with who asked. */
  @Property(tries = 5000)
  void share_behindABarrier_isAloneUnderEveryPolicy(
      @ForAll("asked") Asked asked,
      @ForAll("heads") ResponseHead head,
      @ForAll("policies") SharePolicy policy) {
    if (isBarred(asked, head)) {
      assertThat(Judge.share(asked, head, policy, NOW)).isInstanceOf(Sharing.Alone.class);
    }
  }

  /** The barriers once more, written down without a look at the engine's. */
  private static boolean isBarred(Asked asked, ResponseHead head) {
    Headers headers = head.headers();
    String type = String.join(",", values(headers, "content-type"));
    String coding = String.join(",", values(headers, "content-encoding"));
    String vary = String.join(",", values(headers, "vary")).toLowerCase(Locale.ROOT);
    boolean publicly =
        Set.of(RouteClass.PUBLIC_SSR, RouteClass.PUBLIC_DYNAMIC, RouteClass.STATIC)
            .contains(asked.effectiveClass());
    boolean file =
        asked.effectiveClass() == RouteClass.STATIC || asked.path().startsWith("/_next/static/");
    return !publicly
        || asked.requestClass() == RequestClass.DRAFT
        || !values(headers, "set-cookie").isEmpty()
        || head.status() < 200
        || head.status() == 206
        || head.status() == 304
        || (file && head.status() != 200)
        || vary.contains("*")
        || vary.contains("x-forwarded-for")
        || (vary.contains("cookie") && asked.originGotCookies())
        || type.contains("event-stream")
        || (asked.rsc() ? type.contains("text/html") : type.contains("x-component"))
        || (asked.effectiveClass() == RouteClass.STATIC && !type.equals("text/javascript"))
        || (!asked.wholeRequest() && !coding.isEmpty() && !coding.equals(asked.coding()));
  }

  private static List<String> values(Headers headers, String name) {
    var values = new ArrayList<String>();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).equalsIgnoreCase(name)) {
        values.add(headers.value(i));
      }
    }
    return values;
  }

  /** CCH-06: a ceiling, whatever origin and override say. */
  @Property(tries = 5000)
  void share_kept_neverOutlivesTheRoutesCeilings(
      @ForAll("asked") Asked asked,
      @ForAll("heads") ResponseHead head,
      @ForAll("policies") SharePolicy policy) {
    if (Judge.share(asked, head, policy, NOW) instanceof Sharing.Kept kept) {
      CachePolicy cache = policy.cache();
      Lifetime lifetime = kept.lifetime();
      assertThat(cache.enabled()).isTrue();
      if (cache.ttlMax() != null) {
        assertThat(lifetime.freshMillis()).isLessThanOrEqualTo(cache.ttlMax().toMillis());
      }
      Duration stale = cache.staleWhileRevalidate();
      assertThat(lifetime.staleWhileRevalidateMillis())
          .isBetween(0L, stale == null ? 60_000L : stale.toMillis());
      assertThat(lifetime.staleIfErrorMillis())
          .isGreaterThanOrEqualTo(lifetime.staleWhileRevalidateMillis());
      assertThat(Rights.areGrantedBy(kept.rights() & ~Rights.COOKIES_ASSERTED, policy)).isTrue();
    }
  }

  /** DEC-11, SHR-01: without override, heuristic or the origin's freshness nothing is shared. */
  @Property(tries = 5000)
  void share_withoutTheOriginsWord_needsTheOperators(
      @ForAll("asked") Asked asked,
      @ForAll("heads") ResponseHead head,
      @ForAll("policies") SharePolicy policy) {
    boolean vouched =
        policy.coalesceOverride() || policy.cache().override() || policy.cache().heuristic();
    boolean said =
        !values(head.headers(), "cache-control").isEmpty()
            || !values(head.headers(), "cdn-cache-control").isEmpty();
    boolean always = ALWAYS_STORABLE.contains(head.status());
    if ((!said && !vouched) || (!always && !policy.cache().explicitStatuses())) {
      assertThat(Judge.share(asked, head, policy, NOW)).isInstanceOf(Sharing.Alone.class);
    }
  }

  /** Who may not share a flight may not share what is stored of it either, and the reverse. */
  @Property(tries = 3000)
  void share_storeOff_sharesNoMoreThanStoreOn(
      @ForAll("asked") Asked asked,
      @ForAll("heads") ResponseHead head,
      @ForAll("policies") SharePolicy policy) {
    CachePolicy cache = policy.cache();
    CachePolicy off =
        new CachePolicy(
            false,
            cache.override(),
            cache.ttlMax(),
            cache.staleWhileRevalidate(),
            cache.staleIfError(),
            cache.explicitStatuses(),
            cache.heuristic());
    SharePolicy without =
        new SharePolicy(
            policy.coalesce(), policy.coalesceOverride(), off, policy.cookies(), policy.key());
    Sharing sharing = Judge.share(asked, head, without, NOW);
    assertThat(sharing).isNotInstanceOf(Sharing.Kept.class);
    if (sharing instanceof Sharing.Together && cache.enabled()) {
      assertThat(Judge.share(asked, head, policy, NOW)).isNotInstanceOf(Sharing.Alone.class);
    }
  }
}
