package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crowd on one public page is one render: COA-01, 02, 03, CCH-03. */
class CoalesceGate {

  private static final int CEILING = 10;
  private static final int BYTES = 20_000;
  private static final int RENDER_MILLIS = 1_000;

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
