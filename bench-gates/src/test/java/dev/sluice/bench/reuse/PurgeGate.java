package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.reuse.Shop.Answer;
import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.crowd.CrowdResult;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was old when it was purged is never served later: BEY-08, DEC-39, CCH-20, 21, 24. */
class PurgeGate {

  private static final int CROWD = 10;
  private static final int BYTES = 5_000;
  private static final String OLD = "old";
  private static final String NEW = "new";

  /** A new body from the origin for whoever asks after the flight that is under way. */
  private static final String FROM_NOW_ON = "seed=" + NEW;

  @ParameterizedTest
  @CsvSource({"path,/shop/page", "prefix,/shop/", "tag,sale"})
  void purgeOfAFlightUnderWay_keepsItsAnswerFromWhoComesLater(String selector, String value) {
    Shop.claim("purge-" + selector, "An answer that a purge met under way is never served later.")
        .given("selector", selector + "=" + value)
        .given("aboard", CROWD)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                CrowdResult kept = underway(shop).join();
                gate.control("aboard_got_old", Shop.whole(kept, OLD, BYTES), exactly(CROWD));
                gate.control("later_got_new", isNew(later(shop)), equalTo(false));
                gate.control("renders", shop.renders(), exactly(1));

                // What is stored goes, too.
                gate.measured("purge_status", shop.purge(selector, value), exactly(200));
                shop.origin().override("");
                shop.origin().reset();
                var flown = underway(shop);
                gate.measured("purge_under_way_status", shop.purge(selector, value), exactly(200));
                gate.measured("was_under_way", !flown.isDone(), equalTo(true));
                gate.measured(
                    "aboard_got_old", Shop.whole(flown.join(), OLD, BYTES), exactly(CROWD));
                Answer next = later(shop);
                gate.measured("later_got_new", isNew(next), equalTo(true));
                gate.measured("later_told", next.how(), equalTo("MISS"));
                Answer last = later(shop);
                gate.measured("last_got_new", isNew(last), equalTo(true));
                gate.measured("last_told", last.how(), equalTo("HIT"));
                gate.measured("renders", shop.renders(), exactly(2));
              }
            });
  }

  /** A crowd on one flight that has the old body; the origin has the new one from then on. */
  private static CompletableFuture<CrowdResult> underway(Shop shop) {
    var crowd = shop.crowdBeside(CROWD, page());
    shop.awaitOrigin("the flight", counted -> counted.inFlight() == 1);
    shop.awaitExchanges(CROWD);
    shop.origin().override(FROM_NOW_ON);
    return crowd;
  }

  private static Answer later(Shop shop) {
    return shop.fetch(page());
  }

  private static String page() {
    String tag = "&h=x-sluice-cache-tags:sale";
    return "/shop/page?seed=" + OLD + "&ms=1500&bytes=" + BYTES + tag + Shop.FRESH;
  }

  private static boolean isNew(Answer answer) {
    return Arrays.equals(answer.response().body(), Bodies.expected(NEW, BYTES));
  }

  private static ShopFile file() {
    return ShopFile.of(Shop.PURGED_CACHE, "routes:", publicRoute("shop"));
  }
}
