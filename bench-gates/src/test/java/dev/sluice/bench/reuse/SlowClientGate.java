package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.PeerClosed;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.CrowdResult;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** One who does not read holds up nobody for long, and is cut, never ended tidily (DEC-26). */
class SlowClientGate {

  private static final int OTHERS = 19;
  private static final int BYTES = 8 << 20;
  private static final long GRACE_MILLIS = 1_000;

  /** So long the others stand where nobody is cut. */
  private static final long STAND_MILLIS = 5_000;

  private static final String PAGE = "/shop/long";
  private static final String TARGET =
      PAGE + "?ms=1000&framing=chunked&bytes=" + BYTES + Shop.FRESH;

  @Test
  void laggardOfABodyPastItsBound_isCut_andTheOthersFinish() {
    Shop.claim("slow-client", "One who does not read a shared body is cut; the others finish.")
        .given("followers", OTHERS + 1)
        .given("body_bytes", BYTES)
        .given("kept_bytes", 256 << 10)
        .given("laggard_grace_millis", GRACE_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file("60s"))) {
                var others = shop.crowdBeside(OTHERS, TARGET);
                try (var laggard = aboard(shop)) {
                  gate.control("others_stand", stand(others), equalTo(true));
                  laggard.reset();
                }
                gate.control(
                    "others_fastest_millis",
                    others.join().totals().minMillis(),
                    above(STAND_MILLIS));
                gate.control(
                    "others_whole", Shop.whole(others.join(), PAGE, BYTES), exactly(OTHERS));
              }
              try (var shop = Shop.open(file(GRACE_MILLIS + "ms"))) {
                double unhindered =
                    shop.crowd(OTHERS, TARGET.replace(PAGE, "/shop/warm")).totals().maxMillis();
                gate.control("without_laggard_slowest_millis", unhindered);
                shop.origin().reset();
                var pending = shop.crowdBeside(OTHERS, TARGET);
                try (var laggard = aboard(shop)) {
                  var others = pending.join();
                  gate.measured("others_whole", Shop.whole(others, PAGE, BYTES), exactly(OTHERS));
                  gate.measured(
                      "others_slowest_millis",
                      others.totals().maxMillis(),
                      atMost(2 * unhindered + 2 * GRACE_MILLIS));
                  gate.measured("laggard_got_all", gotAll(laggard), equalTo(false));
                }
                gate.measured("renders", shop.renders(), exactly(1));
              }
            });
  }

  /** One more on the flight that is under way; it reads nothing. */
  private static RawClient aboard(Shop shop) {
    shop.awaitOrigin("the one render", counted -> counted.inFlight() == 1);
    return shop.connectNarrow().get(TARGET);
  }

  private static boolean stand(CompletableFuture<CrowdResult> others) throws Exception {
    try {
      others.get(STAND_MILLIS, TimeUnit.MILLISECONDS);
      return false;
    } catch (TimeoutException standing) {
      return true;
    } catch (ExecutionException failed) {
      throw new AssertionError("the crowd did not come to its end", failed);
    }
  }

  /** Whether the answer ends as if it were whole. */
  private static boolean gotAll(RawClient client) {
    try {
      client.readAll();
      return true;
    } catch (PeerClosed | UncheckedIOException cut) {
      return false;
    }
  }

  private static ShopFile file(String grace) {
    return ShopFile.of(
        "cache: { enabled: true, max_body_size: 256KiB }",
        "coalesce: { max_body: 256KiB, laggard_grace: " + grace + " }",
        "routes:",
        publicRoute("shop"));
  }
}
