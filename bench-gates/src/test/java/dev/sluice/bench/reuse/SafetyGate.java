package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A session is nobody else's, whatever the configuration says: SHR-04, 12, COA-06, 07, BEY-03. */
class SafetyGate {

  private static final int CROWD = 50;
  private static final int CEILING = 10;
  private static final int HOSTS = 20;
  private static final int RENDER_MILLIS = 1_000;

  /** Two renders one behind the other, less what a timer may be early. */
  private static final double TWO_RENDERS_MILLIS = 1.95 * RENDER_MILLIS;

  @ParameterizedTest
  @CsvSource({"shop,max-age%3D60", "override,private"})
  void crowdOnAPageWithASession_getsOneSessionEach(String route, String cacheControl) {
    Shop.claim("safety-" + route, "An answer that sets a cookie is its one client's.")
        .given("crowd", CROWD)
        .given("ceiling", CEILING)
        .given("route", route)
        .given("cache_control", cacheControl)
        .judge(
            gate -> {
              var concurrency =
                  "concurrency: { max: %d, queue: { max: 100, timeout: 30s, predict: false } }"
                      .formatted(CEILING);
              try (var shop = Shop.open(file("").origin(concurrency))) {
                String said = "&h=Cache-Control:" + cacheControl;
                var plain = shop.crowd(CROWD, "/" + route + "/plain?ms=300" + said);
                gate.control("answered_200", plain.complete(200), exactly(CROWD));
                gate.control("renders_without_cookie", shop.renders(), exactly(1));
                gate.control(
                    "told_hit_without_cookie", Shop.told(plain, "HIT"), exactly(CROWD - 1));

                shop.origin().reset();
                var crowd = shop.crowd(CROWD, "/" + route + "/login?ms=100&cookie=1" + said);
                gate.measured("answered_200", crowd.complete(200), exactly(CROWD));
                gate.measured("sessions", sessions(crowd), exactly(CROWD));
                gate.measured("renders", shop.renders(), exactly(CROWD));
                // Those who waited for the first one's answer had looked, and found nothing.
                gate.measured("told_miss", Shop.told(crowd, "MISS"), exactly(CROWD));
                gate.measured("told_hit", Shop.told(crowd, "HIT"), exactly(0));
                gate.measured("origin_peak", shop.counted().peakInFlight(), exactly(CEILING));
              }
            });
  }

  private static long sessions(CrowdResult crowd) {
    return crowd.byHeader("set-cookie").keySet().stream()
        .filter(value -> value.startsWith("session="))
        .count();
  }

  /** RFC 9111 2: the same path of another host is another page, under way and kept. */
  @Test
  void pageOfAnotherHost_isAnotherPage() {
    Shop.claim("safety-hosts", "A page of one host is never given to a visitor of another.")
        .given("hosts", HOSTS)
        .given("asked_of_each", 2)
        .judge(
            gate -> {
              try (var shop = Shop.open(file(""))) {
                renderFor(shop, "one.test");
                renderFor(shop, "one.test");
                gate.control("renders_of_one_host", shop.renders(), exactly(1));

                shop.origin().reset();
                Set<String> seen = new HashSet<>();
                for (int host = 0; host < HOSTS; host++) {
                  seen.add(renderFor(shop, "h" + host + ".test"));
                }
                for (int host = 0; host < HOSTS; host++) {
                  seen.add(renderFor(shop, "h" + host + ".test"));
                }
                gate.measured("renders", shop.renders(), exactly(HOSTS));
                gate.measured("different_pages", seen.size(), exactly(HOSTS));
              }
            });
  }

  /** Which render a visitor of this host got. */
  private static String renderFor(Shop shop, String host) {
    String head = "GET /shop/page?ms=5" + Shop.FRESH + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    try (var client = shop.connect()) {
      return client.send(head).readAll().header("X-Render");
    }
  }

  @Test
  void secondWave_waitsBehindNobody() {
    Shop.claim("safety-remembered", "Where nothing is shared a second wave waits behind nobody.")
        .given("crowd", CROWD)
        .given("page_millis", RENDER_MILLIS)
        .judge(
            gate -> {
              Wave forgotten = secondWave("coalesce: { remember: 0s }");
              gate.control("first_wave_slowest_millis", forgotten.firstSlowest());
              gate.control(
                  "second_wave_slowest_millis", forgotten.slowest(), above(TWO_RENDERS_MILLIS));
              gate.control("second_wave_origin_peak", forgotten.peak(), exactly(CROWD - 1));

              Wave remembered = secondWave("");
              gate.measured(
                  "first_wave_slowest_millis",
                  remembered.firstSlowest(),
                  above(TWO_RENDERS_MILLIS));
              gate.measured(
                  "second_wave_slowest_millis", remembered.slowest(), below(TWO_RENDERS_MILLIS));
              gate.measured("second_wave_origin_peak", remembered.peak(), exactly(CROWD));
              gate.measured("second_wave_sessions", remembered.sessions(), exactly(CROWD));
            });
  }

  private record Wave(double firstSlowest, double slowest, long peak, long sessions) {}

  private static Wave secondWave(String coalesce) {
    String target = "/shop/login?cookie=1&ms=" + RENDER_MILLIS + Shop.FRESH;
    try (var shop = Shop.open(file(coalesce))) {
      double first = shop.crowd(CROWD, target).totals().maxMillis();
      shop.origin().reset();
      var second = shop.crowd(CROWD, target);
      return new Wave(
          first, second.totals().maxMillis(), shop.counted().peakInFlight(), sessions(second));
    }
  }

  private static ShopFile file(String coalesce) {
    return ShopFile.of(
        "cache: { enabled: true }",
        coalesce,
        "routes:",
        publicRoute("shop"),
        publicRoute(
            "override",
            "cookies: { assert_public: true }",
            "cache: { override_origin: true, ttl: { max: 60s } }"));
  }
}
