package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.VisitOutcome;
import dev.sluice.fixture.crowd.VisitRecord;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A flight that fails is no herd behind it (DEC-35). */
class LeaderFailsGate {

  private static final int CROWD = 20;
  private static final int BYTES = 20_000;

  @Test
  void originResetsInPlaceOfAHead_everyoneGetsOne502() {
    judge(
        "reset",
        "fail=reset",
        crowd -> Map.of("statuses", crowd.statuses()),
        Map.of("statuses", Map.of(502, (long) CROWD)));
  }

  @Test
  void originEndsShort_everyoneIsCutAtTheSameByte() {
    judge(
        "short",
        "fail=short&bytes=" + BYTES,
        crowd ->
            Map.of(
                "cut", crowd.count(VisitOutcome.CUT),
                "with_half_of_the_body",
                    crowd.visits().stream()
                        .filter(visit -> visit.bodyBytes() == BYTES / 2)
                        .count()),
        Map.of("cut", (long) CROWD, "with_half_of_the_body", (long) CROWD));
  }

  @Test
  void originAnswers500_theLeadGetsItAndTheOthersItsStatus() {
    judge(
        "500",
        "status=500&bytes=" + BYTES,
        crowd ->
            Map.of(
                "statuses", crowd.statuses(),
                "with_the_origins_body", withRender(crowd),
                "others_may_be_kept", crowd.visits().stream().filter(this::mayBeKept).count()),
        Map.of(
            "statuses", Map.of(500, (long) CROWD),
            "with_the_origins_body", 1L,
            "others_may_be_kept", 0L));
  }

  private static long withRender(CrowdResult crowd) {
    return crowd.visits().stream()
        .filter(visit -> visit.header("x-render") != null && visit.bodyBytes() == BYTES)
        .count();
  }

  private boolean mayBeKept(VisitRecord visit) {
    return visit.header("x-render") == null
        && !Objects.equals(visit.header("cache-control"), "no-store");
  }

  /** What clients saw, by the name of the figure. */
  private interface Sight {
    Map<String, Object> of(CrowdResult crowd);
  }

  private static void judge(String name, String failure, Sight sight, Map<String, Object> seen) {
    Shop.claim("leader-fails-" + name, "A flight that fails fails once for all aboard.")
        .given("crowd", CROWD)
        .given("origin", failure)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                var apart = shop.crowd(CROWD, "/apart/page?ms=500&" + failure);
                gate.control("statuses", apart.statuses());
                gate.control("renders", shop.renders(), exactly(CROWD));

                shop.origin().reset();
                var together = shop.crowd(CROWD, "/shop/page?ms=1000&" + failure);
                gate.measured("renders", shop.renders(), exactly(1));
                sight
                    .of(together)
                    .forEach(
                        (key, value) ->
                            gate.measured(
                                key, value, equalTo(Objects.requireNonNull(seen.get(key)))));
              }
            });
  }

  private static ShopFile file() {
    return ShopFile.of(
        "cache: { enabled: true }",
        "routes:",
        // A broken answer has no Cache-Control.
        publicRoute("shop", "coalesce: { override_origin: true }"),
        publicRoute("apart", "coalesce: { enabled: false }", "cache: { enabled: false }"));
  }
}
