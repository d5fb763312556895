package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import org.junit.jupiter.api.Test;

/** What a reload takes back is not served any more: CCH-29, 31, DEC-36. */
class ReloadGate {

  /** The origin forbids what the route's override allows. */
  private static final String PRIVATE = "/shop/private?h=Cache-Control:private,%20no-store";

  private static final String FRESH = "/shop/page?bytes=1000" + Shop.FRESH;

  @Test
  void overrideThatIsWithdrawn_takesItsStoredAnswersWithIt() {
    Shop.claim("reload-override", "A withdrawn override takes the answers with it that it stored.")
        .given("origin_says", "private, no-store")
        .given("override", "ttl of 60 s; withdrawn by the second reload, back with the third")
        .judge(
            gate -> {
              String override = "cache: { override_origin: true, ttl: { max: 60s } }";
              try (var shop = Shop.open(file("", override))) {
                shop.fetch(PRIVATE);
                gate.control("told", shop.fetch(PRIVATE).how(), equalTo("HIT"));
                shop.reload(file("", override));
                gate.control("told_after_reload", shop.fetch(PRIVATE).how(), equalTo("HIT"));
                gate.control("renders", shop.renders(), exactly(1));

                shop.reload(file("", "cache: { ttl: { max: 60s } }"));
                gate.measured("told", shop.fetch(PRIVATE).how(), equalTo("MISS"));
                gate.measured("told_again", shop.fetch(PRIVATE).how(), equalTo("MISS"));
                gate.measured("renders", shop.renders(), exactly(3));

                // It is gone, not hidden.
                shop.reload(file("", override));
                gate.measured("told_with_it_again", shop.fetch(PRIVATE).how(), equalTo("MISS"));
                gate.measured("renders_at_the_end", shop.renders(), exactly(4));
              }
            });
  }

  @Test
  void newDeployment_servesNothingOfTheOld() {
    Shop.claim("reload-deployment", "Nothing of one deployment is served under the next one's id.")
        .given("deployment", "blue, blue reloaded, then green")
        .given("origin_says", "max-age=60")
        .judge(
            gate -> {
              try (var shop = Shop.open(file("deployment: { id: blue }"))) {
                shop.fetch(FRESH);
                shop.reload(file("deployment: { id: blue }"));
                gate.control("told", shop.fetch(FRESH).how(), equalTo("HIT"));
                gate.control("renders", shop.renders(), exactly(1));

                shop.reload(file("deployment: { id: green }"));
                gate.measured("told", shop.fetch(FRESH).how(), equalTo("MISS"));
                gate.measured("told_again", shop.fetch(FRESH).how(), equalTo("HIT"));
                gate.measured("renders", shop.renders(), exactly(2));
              }
            });
  }

  private static ShopFile file(String deployment, String... keys) {
    return ShopFile.of(
        "cache: { enabled: true }", deployment, "routes:", publicRoute("shop", keys));
  }
}
