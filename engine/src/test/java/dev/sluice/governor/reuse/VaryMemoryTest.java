package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.ALL;
import static dev.sluice.governor.reuse.Asking.get;
import static dev.sluice.governor.reuse.Asking.head;
import static dev.sluice.governor.reuse.Asking.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.VaryMemory.Fit;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.outcome.BypassReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VaryMemoryTest {

  private final Asking shop = shop(ALL);

  private Fit learn(Asking asked, Keyed flown, String... names) {
    return asked.memory.learn(flown, List.of(names));
  }

  // NXT-03
  @Test
  void fieldsInTheKey_orSetByUs_areCovered() {
    assertThat(
            learn(
                shop,
                shop.keyed("/p"),
                "rsc",
                "next-router-state-tree",
                "Next-Router-Prefetch",
                "next-router-segment-prefetch",
                "NEXT-URL",
                "Accept-Encoding",
                "Host",
                "X-Forwarded-Proto",
                "X-Forwarded-Host",
                "Authorization",
                "Connection",
                "Range"))
        .isEqualTo(Fit.COVERED);
    assertThat(shop.memory.ofRoute("all").names()).isEmpty();
  }

  @Test
  void configuredFields_areCovered() {
    assertThat(learn(shop(Asking.vary("x-a")), shop(Asking.vary("x-a")).keyed("/"), "X-A"))
        .isEqualTo(Fit.COVERED);
    assertThat(learn(shop(Asking.forward("x-a")), shop(Asking.forward("x-a")).keyed("/"), "X-A"))
        .isEqualTo(Fit.COVERED);
    assertThat(learn(shop, shop.keyed("/_next/image?w=1"), "Accept")).isEqualTo(Fit.COVERED);
    assertThat(learn(shop, shop.keyed("/p"), "Accept")).isEqualTo(Fit.LEARNED);
  }

  // BEY-05, DEC-34
  @Test
  void unknownName_isLearned_andSeparatesFromThenOn() {
    Keyed before = shop.keyed("/p", "Accept-Language", "de");

    assertThat(learn(shop, before, "Accept-Language")).isEqualTo(Fit.LEARNED);

    Keyed german = shop.keyed("/p", "Accept-Language", "de");
    Keyed english = shop.keyed("/p", "accept-language", "en");
    assertThat(german.key()).isNotEqualTo(english.key()).isNotEqualTo(before.key());
    assertThat(german.primary()).isEqualTo(english.primary()).isEqualTo(before.key());
    assertThat(KeyParts.of(german.key()).secondLevel())
        .containsEntry("accept-language", Optional.of("de"));
    assertThat(learn(shop, german, "accept-language")).isEqualTo(Fit.COVERED);
    // A flight that began before the lesson does not have the name in its key.
    assertThat(learn(shop, before, "accept-language")).isEqualTo(Fit.LEARNED);
  }

  // DEC-34: the answer was asked for without the field, so it is that of requests without it.
  @Test
  void answerOfTheFlight_hasTheKey_ofRequestsWithoutTheField() {
    Keyed flown = shop.keyed("/p?a=1", "Accept-Language", "de");
    assertThat(learn(shop, flown, "accept-language")).isEqualTo(Fit.LEARNED);

    assertThat(KeyRecipe.keyWithout(flown, shop.memory, shop.writer()))
        .isEqualTo(shop.keyed("/p?a=1").key())
        .isNotEqualTo(shop.keyed("/p?a=1", "Accept-Language", "de").key());

    Keyed german = shop.keyed("/p?a=1", "Accept-Language", "de", "X-B", "1");
    assertThat(learn(shop, german, "x-b", "accept-language")).isEqualTo(Fit.LEARNED);
    assertThat(KeyRecipe.keyWithout(german, shop.memory, shop.writer()))
        .isEqualTo(shop.keyed("/p?a=1", "Accept-Language", "de").key());
  }

  /** The writer made another key meanwhile, and one that it had no room for. */
  @Test
  void answerOfTheFlight_hasItsKey_whateverWasWrittenMeanwhile() {
    Keyed flown = shop.keyed("/p", "Accept-Language", "de");
    assertThat(learn(shop, flown, "accept-language")).isEqualTo(Fit.LEARNED);
    CacheKey without = shop.keyed("/p").key();

    shop.keyed(head("GET", "other.example", "/another/path"));
    assertThat(KeyRecipe.keyWithout(flown, shop.memory, shop.writer())).isEqualTo(without);

    assertThat(shop.reason(get("/p", "Next-Url", "x".repeat(KeyWriter.LONGEST))))
        .isEqualTo(BypassReason.KEY_TOO_LONG);
    assertThat(KeyRecipe.keyWithout(flown, shop.memory, shop.writer())).isEqualTo(without);
  }

  // C10: an image's Accept stays one of four, though the route's pages vary by all of it.
  @Test
  void imageAccept_isNotTakenWhole_whenPagesTaughtIt() {
    Keyed image = shop.keyed("/_next/image?w=1", "Accept", "image/webp");
    assertThat(learn(shop, shop.keyed("/p"), "accept", "x-a")).isEqualTo(Fit.LEARNED);

    assertThat(shop.keyed("/_next/image?w=1", "Accept", "image/webp,image/png").key())
        .isEqualTo(shop.keyed("/_next/image?w=1", "Accept", "image/webp").key());
    assertThat(KeyRecipe.keyWithout(image, shop.memory, shop.writer()))
        .isEqualTo(shop.keyed("/_next/image?w=1", "Accept", "image/webp").key());
    assertThat(shop.keyed("/p", "Accept", "a").key()).isNotEqualTo(shop.keyed("/p").key());
  }

  @Test
  void names_moreThanEight_doNotFit_andChangeNothing() {
    Keyed flown = shop.keyed("/p");
    for (int i = 0; i < VaryNames.MOST; i++) {
      assertThat(learn(shop, flown, "X-" + i)).isEqualTo(Fit.LEARNED);
    }
    assertThat(learn(shop, flown, "x-8")).isEqualTo(Fit.UNSUPPORTED);
    assertThat(learn(shop, flown, "x-7")).isEqualTo(Fit.LEARNED);
    assertThat(shop.memory.ofRoute("all").names())
        .containsExactly("x-0", "x-1", "x-2", "x-3", "x-4", "x-5", "x-6", "x-7");

    Asking fresh = shop(ALL);
    assertThat(learn(fresh, fresh.keyed("/p"), "a", "b", "c", "d", "e", "f", "g", "h", "i"))
        .isEqualTo(Fit.UNSUPPORTED);
    assertThat(fresh.memory.ofRoute("all").names()).isEmpty();
  }

  @Test
  void eightNames_atOnce_areLearned() {
    assertThat(learn(shop, shop.keyed("/p"), "a", "b", "c", "d", "e", "f", "g", "h"))
        .isEqualTo(Fit.LEARNED);
  }

  /** A known route learns on when the memory has no room for another one. */
  @Test
  void routes_moreThanTheBound_areNotLearned() {
    Keyed flown = shop.keyed("/p");
    for (int i = 0; i < VaryMemory.MOST_ROUTES; i++) {
      assertThat(learn(shop, ofRoute(flown, "r" + i), "x-a")).isEqualTo(Fit.LEARNED);
    }

    assertThat(learn(shop, ofRoute(flown, "more"), "x-a")).isEqualTo(Fit.UNSUPPORTED);
    assertThat(shop.memory.ofRoute("more").names()).isEmpty();
    assertThat(learn(shop, ofRoute(flown, "r0"), "x-b")).isEqualTo(Fit.LEARNED);
    assertThat(shop.memory.ofRoute("r0").names()).containsExactly("x-a", "x-b");
  }

  private static Keyed ofRoute(Keyed flown, String id) {
    Route of = flown.route();
    Route route =
        new Route(
            id,
            of.match(),
            of.routeClass(),
            of.priority(),
            of.weight(),
            of.onClientAbort(),
            of.limits(),
            of.share(),
            of.spool());
    return new Keyed(flown.key(), flown.primaryLength(), route, flown.head());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-forwarded-for", "Via", "traceparent", "tracestate", "a b", "", "x:y"})
  void names_ofOneClientOnly_orNoNames_areNotLearned(String name) {
    assertThat(learn(shop, shop.keyed("/p"), name)).isEqualTo(Fit.UNSUPPORTED);
    assertThat(learn(shop, shop.keyed("/p"), "x-a", name)).isEqualTo(Fit.UNSUPPORTED);
    assertThat(shop.memory.ofRoute("all").names()).isEmpty();
  }

  @Test
  void longName_isNotLearned() {
    assertThat(learn(shop, shop.keyed("/p"), "x".repeat(63))).isEqualTo(Fit.LEARNED);
    assertThat(learn(shop, shop.keyed("/p"), "x".repeat(64))).isEqualTo(Fit.UNSUPPORTED);
  }

  // SHR-08: where the origin sees cookies, an answer that varies by them is nobody else's.
  @Test
  void cookie_isCovered_onlyWhereTheOriginSeesNone() {
    assertThat(learn(shop, shop.keyed("/p"), "Cookie")).isEqualTo(Fit.COVERED);
    Asking ignoring = withCookies(new CookiePolicy(false, List.of("_ga")), RouteClass.PUBLIC_SSR);
    assertThat(learn(ignoring, ignoring.keyed("/p", "Cookie", "_ga=1"), "Cookie"))
        .isEqualTo(Fit.COVERED);
    Asking asserted = withCookies(Asking.ASSERTED, RouteClass.PUBLIC_SSR);
    assertThat(learn(asserted, asserted.keyed("/p"), "Cookie")).isEqualTo(Fit.UNSUPPORTED);
    Asking files = withCookies(Asking.ASSERTED, RouteClass.STATIC);
    assertThat(learn(files, files.keyed("/a.js"), "Cookie")).isEqualTo(Fit.COVERED);
  }

  private static Asking withCookies(CookiePolicy cookies, RouteClass routeClass) {
    return shop(routeClass, ALL, cookies, Framework.NEXTJS);
  }

  // DEC-34, whole: the names belong to the resource, not to its route.
  @Test
  void wholeRequests_learnForTheirKey() {
    Asking whole = shop(Asking.WHOLE);
    Keyed flown = whole.keyed("/p", "Accept-Encoding", "br");

    assertThat(learn(whole, flown, "accept-encoding")).isEqualTo(Fit.LEARNED);

    assertThat(whole.keyed("/p", "Accept-Encoding", "br").key())
        .isNotEqualTo(whole.keyed("/p", "Accept-Encoding", "gzip").key());
    assertThat(whole.keyed("/q", "Accept-Encoding", "br").key())
        .isEqualTo(whole.keyed("/q", "Accept-Encoding", "gzip").key());
    assertThat(whole.memory.ofRoute("all").names()).isEmpty();
    assertThat(whole.memory.ofKey(flown.primary()).names()).containsExactly("accept-encoding");
  }

  @Test
  void wholeRequests_ofOneKey_learnEightNamesAtMost() {
    Asking whole = shop(Asking.WHOLE);
    Keyed flown = whole.keyed("/p");

    assertThat(learn(whole, flown, "a", "b", "c", "d", "e", "f", "g", "h")).isEqualTo(Fit.LEARNED);
    assertThat(learn(whole, flown, "i")).isEqualTo(Fit.UNSUPPORTED);
    assertThat(learn(whole, whole.keyed("/q"), "i")).isEqualTo(Fit.LEARNED);
  }

  // KEY-21 gives way to what an origin says of a file.
  @Test
  void staticFiles_learnTheFrameworksFields() {
    Asking files = withCookies(CookiePolicy.PRIVATE, RouteClass.STATIC);
    Keyed flown = files.keyed("/a", "RSC", "1");

    assertThat(learn(files, flown, "rsc")).isEqualTo(Fit.LEARNED);
    assertThat(files.keyed("/a", "RSC", "1").key()).isNotEqualTo(files.keyed("/a").key());
  }
}
