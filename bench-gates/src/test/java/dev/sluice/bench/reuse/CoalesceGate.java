package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crowd on one public page is one render: COA-01, 02, 03, CCH-03. */
class CoalesceGate {

  private static final int CEILING = 10;
  private static final int BYTES = 20_000;
  private static final int RENDER_MILLIS = 1_000;

  private static final int LANDINGS = 20;
  private static final int LARGE = 2_000_000;
  private static final int ASKERS = 10;

  /** So short because the control renders it for each of them. */
  private static final int APART_MILLIS = 20;

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000})
  void crowdOnOnePage_isOneRender(int crowd) {
    Shop.claim("coalesce-" + crowd, "Whoever asks for one public page at once gets one render.")
        .given("crowd", crowd)
        .given("ceiling", CEILING)
        .given("body_bytes", BYTES)
        .given("render_millis", RENDER_MILLIS)
        .given("control_render_millis", APART_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file(crowd))) {
                var apart = shop.crowd(crowd, page("/apart/page", APART_MILLIS));
                gate.control(
                    "whole_bodies", Shop.whole(apart, "/apart/page", BYTES), exactly(crowd));
                gate.control("renders", shop.renders(), exactly(crowd));
                gate.control("origin_peak", shop.counted().peakInFlight(), exactly(CEILING));
                gate.control("wall_millis", apart.wall().toMillis());

                shop.origin().reset();
                var together = shop.crowd(crowd, page("/shop/page", RENDER_MILLIS));
                gate.measured(
                    "whole_bodies", Shop.whole(together, "/shop/page", BYTES), exactly(crowd));
                gate.measured("renders", shop.renders(), exactly(1));
                gate.measured("origin_peak", shop.counted().peakInFlight(), exactly(1));
                gate.measured("told_miss", Shop.told(together, "MISS"), exactly(1));
                gate.measured("told_hit", Shop.told(together, "HIT"), exactly(crowd - 1));
                gate.measured("first_byte", together.firstBytes().toString());
                gate.measured("wall_millis", together.wall().toMillis());

                gate.measured(
                    "one_more_told",
                    shop.fetch(page("/shop/page", RENDER_MILLIS)).how(),
                    equalTo("HIT"));
                gate.measured("renders_at_the_end", shop.renders(), exactly(1));
              }
            });
  }

  /**
   * DEC-47: the store has an answer before its flight takes nobody more. Those who ask all the time
   * while large pages land find either, on whichever loop they are.
   */
  @Test
  void answerThatLands_isAskedForOnce() {
    Shop.claim("coalesce-landing", "Nobody finds a page neither under way nor kept while it lands.")
        .given("pages", LANDINGS)
        .given("body_bytes", LARGE)
        .given("askers_of_each", ASKERS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file(ASKERS))) {
                var answered = new AtomicLong();
                for (int page = 0; page < LANDINGS; page++) {
                  land(shop, "/shop/large" + page, 304, answered);
                }
                gate.measured("renders", shop.renders(), exactly(LANDINGS));
                gate.measured(
                    "answered_while_they_landed", answered.get(), atLeast(LANDINGS * ASKERS));

                shop.origin().reset();
                land(shop, "/apart/large", 200, new AtomicLong());
                gate.control("renders", shop.renders(), above(ASKERS));
              }
            });
  }

  /**
   * One reads the page; the others ask whether it has changed until that one has all of it, and are
   * {@code told} so each time.
   */
  private static void land(Shop shop, String path, int told, AtomicLong answered) {
    String target = path + "?ms=50&bytes=" + LARGE + Shop.FRESH + "&h=ETag:%22a%22";
    String head = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"a\"\r\n\r\n";
    var whole = Shop.beside(() -> shop.fetch(target).status());
    List<CompletableFuture<Void>> askers = new ArrayList<>();
    for (int i = 0; i < ASKERS; i++) {
      askers.add(
          Shop.beside(
              () -> {
                try (var client = shop.connect()) {
                  do {
                    int status = client.send(head).readAll().status();
                    if (status != told) {
                      throw new AssertionError(path + ": " + status);
                    }
                    answered.addAndGet(whole.isDone() ? 0 : 1);
                  } while (!whole.isDone());
                }
                return null;
              }));
    }
    if (whole.join() != 200) {
      throw new AssertionError(path + ": not served");
    }
    askers.forEach(CompletableFuture::join);
  }

  private static ShopFile file(int crowd) {
    return ShopFile.of(
            "cache: { enabled: true }",
            "routes:",
            publicRoute("shop"),
            publicRoute("apart", "coalesce: { enabled: false }", "cache: { enabled: false }"))
        .origin(
            "concurrency: { max: %d, queue: { max: %d, timeout: 30s, predict: false } }"
                .formatted(CEILING, crowd));
  }

  private static String page(String path, int millis) {
    return path + "?ms=" + millis + "&bytes=" + BYTES + Shop.FRESH;
  }
}
