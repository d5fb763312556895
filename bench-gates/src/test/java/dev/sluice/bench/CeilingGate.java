package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import dev.sluice.reports.Point;
import dev.sluice.reports.Sampler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The origin's own peak is the ceiling's, whatever arrives: ADM-01, 02, 18, 19, DEC-33, BEY-14. */
class CeilingGate {

  /** Units of all, and of the one page that needs them all. */
  private static final int HEAVY = 4;

  private static final String IN_FLIGHT = "requests in flight at the origin";
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String PATIENT = "queue: { max: 500, timeout: 30s, predict: false }";

  @Test
  void crowdOfDistinctPages_originPeak_isTheCeiling() {
    int crowd = 60;
    int ceiling = 10;
    claim("ceiling", "The origin's own peak is the ceiling, however many distinct pages are asked.")
        .given("crowd", crowd)
        .given("ceiling", ceiling)
        .given("page", "1 s")
        .judge(
            gate -> {
              String page = "/page/%d?ms=1000";
              try (var stack = new Stack("", concurrency(ceiling), "")) {
                var direct =
                    watched(
                        stack,
                        () -> Stack.crowd(stack.originPort(), crowd, page).join(),
                        points -> gate.controlSeries(IN_FLIGHT, "", "direct", points));
                gate.control("answered_200", direct.complete(200), exactly(crowd));
                gate.control("origin_peak", stack.counted().peakInFlight(), exactly(crowd));
                // All at once.
                gate.control("wall_millis", direct.wall().toMillis(), between(950, 3_000));

                stack.resetCounts();
                var governed =
                    watched(
                        stack,
                        () -> stack.crowd(crowd, page).join(),
                        points -> gate.series(IN_FLIGHT, "", "governed", points));
                gate.limit(IN_FLIGHT, "ceiling", ceiling);
                gate.measured("answered_200", governed.complete(200), exactly(crowd));
                gate.measured("origin_peak", stack.counted().peakInFlight(), exactly(ceiling));
                // Six times ten of them, with no pause between.
                gate.measured("wall_millis", governed.wall().toMillis(), between(5_900, 9_000));
              }
            });
  }

  /** Runs the crowd and tells what the origin said meanwhile that it had in flight. */
  private static CrowdResult watched(
      Stack stack, Supplier<CrowdResult> crowd, Consumer<List<Point>> tell) {
    Sampler inFlight = Sampler.every(LOOK, () -> stack.counted().inFlight());
    CrowdResult result;
    try {
      result = crowd.get();
    } finally {
      inFlight.close();
    }
    tell.accept(inFlight.points());
    return result;
  }

  @Test
  void routeCeiling_holdsForItsRouteOnly() {
    int crowd = 20;
    int ceiling = 3;
    claim("ceiling-route", "A route's ceiling holds for that route only.")
        .given("crowd", crowd)
        .given("route_ceiling", ceiling)
        .given("global_ceiling", crowd)
        .judge(
            gate -> {
              String routes =
                  "routes:\n  - { id: search, match: \"/search/**\", class: private_dynamic,"
                      + " concurrency: { max: %d, queue: { max: 100, timeout: 30s } } }\n"
                          .formatted(ceiling);
              try (var stack = new Stack("", concurrency(crowd), routes)) {
                stack.crowd(crowd, "/other/%d?ms=500").join();
                gate.control(
                    "origin_peak_elsewhere", stack.counted().peakInFlight(), exactly(crowd));

                stack.resetCounts();
                stack.crowd(crowd, "/search/%d?ms=500").join();
                gate.measured("origin_peak", stack.counted().peakInFlight(), exactly(ceiling));
              }
            });
  }

  @Test
  void tierCeiling_holdsAndLeavesRoomForTheHigher() {
    int ceiling = 10;
    int percent = 30;
    claim("ceiling-tier", "A tier's ceiling leaves room for the tier above.")
        .given("ceiling", ceiling)
        .given("low_percent", percent)
        .given("low_requests", ceiling)
        .judge(
            gate -> {
              Beside full = besideLow(ceiling, 100);
              gate.control("origin_peak", full.peak(), exactly(ceiling));
              gate.control("page_beside_it_millis", full.tookMillis(), above(500));

              Beside kept = besideLow(ceiling, percent);
              // Its own three, and the page that was asked beside them.
              gate.measured("origin_peak", kept.peak(), exactly(ceiling * percent / 100 + 1));
              gate.measured("page_beside_it_millis", kept.tookMillis(), below(500));
            });
  }

  /** What a page met, and how long it took. */
  private record Beside(long peak, long tookMillis) {}

  private static Beside besideLow(int ceiling, int percent) {
    String routes =
        "routes:\n  - { id: images, match: \"/img/**\", class: private_dynamic, priority: low }\n";
    String tiers = ", priorities: { low: " + percent + " }";
    try (var stack = new Stack("", concurrency(ceiling) + tiers, routes)) {
      var low = stack.crowd(ceiling, "/img/%d?ms=1500");
      int share = ceiling * percent / 100;
      stack.awaitOrigin("low work at its ceiling", counted -> counted.inFlight() == share);
      long tookMillis = stack.fetch("/page?ms=1").tookMillis();
      low.join();
      return new Beside(stack.counted().peakInFlight(), tookMillis);
    }
  }

  /** A tier's own ceiling is as high here, and would hide that of all of them. */
  @Test
  void crowdsOfAllTiers_originPeak_isTheCeiling() {
    int crowd = 20;
    int all = 3 * crowd;
    int ceiling = 10;
    claim("ceiling-all-tiers", "Where each tier may fill the ceiling, it holds for all together.")
        .given("crowd_of_each_tier", crowd)
        .given("ceiling", ceiling)
        .judge(
            gate -> {
              Together free = allTiers(crowd, all);
              gate.control("answered_200", free.served(), exactly(all));
              gate.control("origin_peak", free.peak(), above(2 * ceiling));

              Together held = allTiers(crowd, ceiling);
              gate.measured("answered_200", held.served(), exactly(all));
              gate.measured("origin_peak", held.peak(), exactly(ceiling));
            });
  }

  private record Together(long served, long peak) {}

  private static Together allTiers(int crowd, int ceiling) {
    String routes =
        "routes:\n  - { id: low, match: \"/low/**\", class: private_dynamic, priority: low }\n"
            + "  - { id: high, match: \"/high/**\", class: private_dynamic, priority: high }\n";
    String tiers = ", priorities: { low: 100 }";
    try (var stack = new Stack("", concurrency(ceiling) + tiers, routes)) {
      var low = stack.crowd(crowd, "/low/%d?ms=500");
      var high = stack.crowd(crowd, "/high/%d?ms=500");
      var normal = stack.crowd(crowd, "/page/%d?ms=500");
      long served =
          low.join().complete(200) + high.join().complete(200) + normal.join().complete(200);
      return new Together(served, stack.counted().peakInFlight());
    }
  }

  /** DEC-30, I5: four units come back one by one, and the page that waits needs them all. */
  @Test
  void heavyPage_isNotOvertakenByALowerTier() {
    int light = 16;
    claim(
            "ceiling-saving",
            "What comes back is saved for a heavy page that waits, and no lower tier overtakes it.")
        .given("ceiling", HEAVY)
        .given("weight_of_the_page", HEAVY)
        .given("light_pages_behind_it", light + " of 200 ms")
        .judge(
            gate -> {
              var higher = Stack.beside(() -> beforeHeavy(light, "high"));
              gate.measured("light_pages_before_it", beforeHeavy(light, "low"), exactly(0));
              gate.control("pages_of_a_higher_tier_before_it", higher.join(), exactly(light));
            });
  }

  /** How many of the light pages had been rendered when the heavy one was, which all can follow. */
  private static long beforeHeavy(int light, String tier) {
    String routes =
        """
        routes:
          - { id: heavy, match: "/heavy", class: private_dynamic, weight: %d }
          - { id: light, match: "/light/**", class: private_dynamic, priority: %s }
        """
            .formatted(HEAVY, tier);
    try (var stack = new Stack("", concurrency(HEAVY) + ", priorities: { low: 100 }", routes)) {
      List<CompletableFuture<CrowdResult>> all = new ArrayList<>();
      for (int i = 1; i <= HEAVY; i++) {
        all.add(stack.crowd(1, "/page/" + i + "?ms=" + (3_000 + 250 * i)));
      }
      stack.awaitHeld(HEAVY);
      all.add(stack.crowd(1, "/heavy?ms=2000"));
      stack.awaitWaiting(1);
      all.add(stack.crowd(light, "/light/%d?ms=200"));
      stack.awaitWaiting(1 + light);
      long before =
          stack
              .awaitOrigin("the heavy page", counted -> counted.requestsUnder("/heavy") == 1)
              .requestsUnder("/light");
      long served = all.stream().mapToLong(crowd -> crowd.join().complete(200)).sum();
      if (served != HEAVY + 1 + light) {
        throw new AssertionError("served: " + served);
      }
      return before;
    }
  }

  @Test
  void reservation_admitsAtOnceBesideAFlood() {
    int ceiling = 4;
    claim("reservation", "What a tier has reserved admits it at once beside a flood.")
        .given("ceiling", ceiling)
        .given("reserved_percent", 25)
        .given("flood", "8 pages of 1.5 s")
        .judge(
            gate -> {
              long without = besideFlood(ceiling, ceiling, "priorities: { low: 100 }");
              gate.control("health_millis", without, above(700));
              long reserved = besideFlood(ceiling, ceiling - 1, "reservations: { high: 25 }");
              gate.measured("health_millis", reserved, below(500));
            });
  }

  private static long besideFlood(int ceiling, int busy, String tiers) {
    String routes =
        "routes:\n  - { id: health, match: \"/healthz2\", class: private_dynamic, priority: high }\n";
    try (var stack = new Stack("", concurrency(ceiling) + ", " + tiers, routes)) {
      var flood = stack.crowd(8, "/flood/%d?ms=1500");
      stack.awaitOrigin("the flood", counted -> counted.inFlight() == busy);
      long tookMillis = stack.fetch("/healthz2?ms=1").tookMillis();
      flood.join();
      return tookMillis;
    }
  }

  @Test
  void staticAndStreaming_haveCeilingsOfTheirOwnAndTakeNoRenderPermit() {
    claim(
            "ceiling-class",
            "Static and streaming requests have ceilings of their own and take no render permit.")
        .given("render_ceiling", 1)
        .given("static_ceiling", 4)
        .given("static_requests", 12)
        .given("streaming_ceiling", 3)
        .given("streaming_requests", 5)
        .judge(
            gate -> {
              var unheld = Stack.beside(() -> besideRender(64, 64));
              Classes held = besideRender(4, 3);
              Classes wide = unheld.join();
              gate.control("static_served", wide.assets(), exactly(12));
              gate.control("streaming_served", wide.events(), exactly(5));
              gate.control("origin_peak", wide.peak(), exactly(13));

              gate.measured("static_served", held.assets(), exactly(4));
              gate.measured("static_shed", held.assetsShed(), exactly(8));
              gate.measured("streaming_served", held.events(), exactly(3));
              gate.measured("origin_peak", held.peak(), exactly(5));
            });
  }

  private record Classes(long assets, long assetsShed, long events, long peak) {}

  private static Classes besideRender(int statics, int streams) {
    String origin =
        "concurrency: { max: 1, static: %d, streaming: %d, %s }"
            .formatted(statics, streams, PATIENT);
    String routes =
        "routes:\n  - { id: assets, match: \"/assets/**\", class: static }\n"
            + "  - { id: events, match: \"/events/**\", class: streaming }\n";
    try (var stack = new Stack("", origin, routes)) {
      var render = stack.crowd(1, "/page/%d?ms=6000");
      stack.awaitOrigin("the one render", counted -> counted.inFlight() == 1);
      var assets = stack.crowd(12, "/assets/%d.js?ms=3000").join();
      var events = stack.crowd(5, "/events/%d?ms=500").join();
      render.join();
      long peak = stack.counted().peakInFlight();
      return new Classes(assets.complete(200), assets.complete(503), events.complete(200), peak);
    }
  }

  private static String concurrency(int ceiling) {
    return "concurrency: { max: " + ceiling + ", " + PATIENT + " }";
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }
}
