package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.reuse.Shop.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A stored answer that has gone stale serves while, or because, the origin cannot: CCH-08 to 12.
 */
class StaleGate {

  private static final Duration LIFETIME = Duration.ofMillis(300);
  private static final int RENDER_MILLIS = 1_000;
  private static final String PAGE = "/page?ms=" + RENDER_MILLIS + Shop.FRESH;

  @Test
  void staleAnswer_isGivenAtOnce_andRefreshedOnce() {
    int crowd = 20;
    Shop.claim("stale-while-revalidate", "A stale page is answered at once and refreshed once.")
        .given("crowd", crowd)
        .given("page_millis", RENDER_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                Answer dropped = stored(shop, "/plain");
                Answer waited = shop.fetch("/plain" + PAGE);
                gate.control("answered_after_millis", waited.tookMillis(), atLeast(RENDER_MILLIS));
                gate.control("is_new", differ(dropped, waited), equalTo(true));

                Answer old = stored(shop, "/refreshed");
                shop.origin().reset();
                var stale = shop.crowd(crowd, "/refreshed" + PAGE);
                gate.measured("told_stale", Shop.told(stale, "STALE"), exactly(crowd));
                gate.measured(
                    "old_ones",
                    stale.byHeader("x-render").getOrDefault(old.render(), 0L),
                    exactly(crowd));
                gate.measured(
                    "slowest_millis", stale.totals().maxMillis(), below(RENDER_MILLIS / 2.0));
                shop.awaitOrigin("the refresh", counted -> counted.finishedWriting() == 1);
                gate.measured("renders", shop.renders(), exactly(1));
                // The origin has written it; it is stored a moment later.
                Shop.await("the new page", () -> differ(old, shop.fetch("/refreshed" + PAGE)));
                Answer next = shop.fetch("/refreshed" + PAGE);
                gate.measured("next_is_new", differ(old, next), equalTo(true));
                gate.measured("next_millis", next.tookMillis(), below(RENDER_MILLIS / 2.0));
              }
            });
  }

  @Test
  void originThatIsGone_isStoodInFor() {
    Shop.claim("stale-if-error", "A stale page stands in for an origin that is gone.")
        .given("origin", "killed")
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                stored(shop, "/plain");
                Answer old = stored(shop, "/standing-in");
                shop.origin().process().kill();
                gate.control("status", shop.fetch("/plain" + PAGE).status(), exactly(502));

                Answer stale = shop.fetch("/standing-in" + PAGE);
                gate.measured("status", stale.status(), exactly(200));
                gate.measured("told", stale.how(), equalTo("STALE"));
                gate.measured("detail", detail(stale), equalTo("stale-if-error"));
                gate.measured("is_the_old_one", !differ(old, stale), equalTo(true));
              }
            });
  }

  @Test
  void fullQueue_isStoodInFor() {
    Shop.claim("stale-on-shed", "A stale page is the answer where a request would be shed.")
        .given("ceiling", 1)
        .given("queue", 1)
        .judge(
            gate -> {
              String full =
                  "concurrency: { max: 1, queue: { max: 1, timeout: 20s, predict: false } }";
              try (var shop = Shop.open(file().origin(full))) {
                stored(shop, "/plain");
                Answer old = stored(shop, "/standing-in");
                shop.origin().reset();
                var held = shop.crowdBeside(1, "/held?ms=3000");
                shop.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
                var waiting = shop.crowdBeside(1, "/waiting?ms=1");
                shop.awaitWaiting(1);
                gate.control("status", shop.fetch("/plain" + PAGE).status(), exactly(503));

                Answer stale = shop.fetch("/standing-in" + PAGE);
                gate.measured("status", stale.status(), exactly(200));
                gate.measured("told", stale.how(), equalTo("STALE"));
                gate.measured("detail", detail(stale), equalTo("stale-on-shed"));
                gate.measured("is_the_old_one", !differ(old, stale), equalTo(true));
                gate.measured("answered_after_millis", stale.tookMillis(), below(1_000));
                gate.measured("held_was_held", !held.isDone(), equalTo(true));
                gate.measured(
                    "held_and_waiting_served",
                    held.join().complete(200) + waiting.join().complete(200),
                    exactly(2));
                gate.measured("renders", shop.renders(), exactly(2));
              }
            });
  }

  /** Has the page stored and waits until it is fresh no more. */
  private static Answer stored(Shop shop, String route) {
    Answer answer = shop.fetch(route + PAGE);
    Shop.awaitAge(System.nanoTime(), LIFETIME.multipliedBy(2));
    return answer;
  }

  private static boolean differ(Answer one, Answer other) {
    return !one.render().equals(other.render());
  }

  /** The {@code detail} of our member of Cache-Status (RFC 9211 2.8). */
  private static String detail(Answer answer) {
    String status = answer.response().header("Cache-Status");
    return status.substring(status.indexOf("detail=") + "detail=".length());
  }

  private static ShopFile file() {
    return ShopFile.of(
        "cache: { enabled: true }",
        "routes:",
        publicRoute("plain", cache("0s", "0s")),
        publicRoute("refreshed", cache("30s", "0s")),
        publicRoute("standing-in", cache("0s", "5m")));
  }

  private static String cache(String whileRevalidate, String ifError) {
    return "cache: { ttl: { max: %dms }, stale_while_revalidate: %s, stale_if_error: %s }"
        .formatted(LIFETIME.toMillis(), whileRevalidate, ifError);
  }
}
