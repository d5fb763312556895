package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who waits for another's render reads it as it comes, from its first byte: COA-04, 05. */
class StreamGate {

  private static final int EARLY = 10;
  private static final int LATE = 10;
  private static final int BYTES = 50_000;
  private static final int CHUNKS = 5;
  private static final long EVERY_MILLIS = 400;

  /** From the first chunk to the last. */
  private static final long RENDER_MILLIS = (CHUNKS - 1) * EVERY_MILLIS;

  private static final long LATE_MILLIS = 900;

  /** What is far below the render on a slow machine, too. */
  private static final double FIRST_BYTE_MILLIS_MAX = 0.375 * RENDER_MILLIS;

  /** The render, and room for a machine of half the speed with other work. */
  private static final double WHOLE_MILLIS_MAX = RENDER_MILLIS + 1_000;

  @Test
  void crowdOnAStream_readsItAsItComes_wheneverEachCame() {
    Shop.claim("stream", "Each of a crowd reads one stream from its first byte, as it comes.")
        .given("early", EARLY)
        .given("late", LATE)
        .given("late_by_millis", LATE_MILLIS)
        .given("chunks", CHUNKS)
        .given("every_millis", EVERY_MILLIS)
        .given("render_millis", RENDER_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                warmUp(shop);
                var apart = crowd(shop, "/apart/stream");
                gate.control(
                    "whole_bodies",
                    Shop.whole(apart, "/apart/stream", BYTES),
                    exactly(EARLY + LATE));
                gate.control("renders", shop.renders(), exactly(EARLY + LATE));
                // A render of its own makes the late ones wait for all of it.
                gate.control(
                    "late_whole_millis",
                    most(late(apart), VisitRecord::totalNanos),
                    atLeast(RENDER_MILLIS));

                shop.origin().reset();
                var shared = crowd(shop, "/shop/stream");
                gate.measured(
                    "whole_bodies",
                    Shop.whole(shared, "/shop/stream", BYTES),
                    exactly(EARLY + LATE));
                gate.measured("renders", shop.renders(), exactly(1));
                gate.measured("told_miss", Shop.told(shared, "MISS"), exactly(1));
                gate.measured(
                    "first_byte_millis",
                    most(early(shared), VisitRecord::firstByteNanos),
                    below(RENDER_MILLIS / 2.0));
                gate.measured(
                    "whole_millis",
                    most(early(shared), VisitRecord::totalNanos),
                    between(RENDER_MILLIS, WHOLE_MILLIS_MAX));
                gate.measured(
                    "late_first_byte_millis",
                    most(late(shared), VisitRecord::firstByteNanos),
                    below(EVERY_MILLIS));
                gate.measured(
                    "late_whole_millis",
                    most(late(shared), VisitRecord::totalNanos),
                    below(RENDER_MILLIS - EVERY_MILLIS));
              }
            });
  }

  /** GTE-16 to 18: all of them are there before the first chunk is. */
  @Test
  void crowdAtOnce_isOneRequest_andReadsFromTheFirstChunkOn() {
    int crowd = 20;
    Shop.claim(
            "stream-at-once", "Of a crowd at once one asks the origin, and all read as it comes.")
        .given("crowd", crowd)
        .given("chunks", CHUNKS)
        .given("every_millis", EVERY_MILLIS)
        .given("render_millis", RENDER_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                warmUp(shop);
                var apart = shop.crowd(crowd, target("/apart/stream"));
                gate.control("answered_200", apart.complete(200), exactly(crowd));
                gate.control("origin_requests", shop.counted().requests(), exactly(crowd));

                shop.origin().reset();
                var shared = shop.crowd(crowd, target("/shop/stream"));
                gate.measured("answered_200", shared.complete(200), exactly(crowd));
                gate.measured(
                    "whole_bodies", Shop.whole(shared, "/shop/stream", BYTES), exactly(crowd));
                gate.measured("origin_requests", shop.counted().requests(), exactly(1));
                gate.measured(
                    "first_byte_median_millis", Math.round(shared.firstBytes().medianMillis()));
                gate.measured(
                    "first_byte_millis",
                    most(shared.visits().stream(), VisitRecord::firstByteNanos),
                    below(FIRST_BYTE_MILLIS_MAX));
                gate.measured(
                    "whole_millis",
                    most(shared.visits().stream(), VisitRecord::totalNanos),
                    between(RENDER_MILLIS, WHOLE_MILLIS_MAX));
              }
            });
  }

  /** Both ways once, so that neither is measured cold. */
  private static void warmUp(Shop shop) {
    shop.crowd(EARLY + LATE, "/apart/warm?chunks=3&every=20&bytes=" + BYTES);
    shop.crowd(EARLY + LATE, "/shop/warm?chunks=3&every=20&bytes=" + BYTES + Shop.FRESH);
    shop.origin().reset();
  }

  private static String target(String path) {
    return "%s?bytes=%d&chunks=%d&every=%d%s"
        .formatted(path, BYTES, CHUNKS, EVERY_MILLIS, Shop.FRESH);
  }

  private static CrowdResult crowd(Shop shop, String path) {
    Visit visit = Visit.get(target(path));
    List<Visit> visits = new ArrayList<>();
    for (int i = 0; i < EARLY + LATE; i++) {
      boolean late = i >= EARLY;
      visits.add(late ? visit.startingAfter(Duration.ofMillis(LATE_MILLIS)) : visit);
    }
    return shop.crowd(visits);
  }

  private static Stream<VisitRecord> early(CrowdResult crowd) {
    return crowd.visits().stream().limit(EARLY);
  }

  private static Stream<VisitRecord> late(CrowdResult crowd) {
    return crowd.visits().stream().skip(EARLY);
  }

  private static long most(Stream<VisitRecord> visits, ToLongFunction<VisitRecord> nanos) {
    return visits.mapToLong(nanos).max().orElseThrow() / 1_000_000;
  }

  private static ShopFile file() {
    return ShopFile.of(
        "cache: { enabled: true }",
        "routes:",
        publicRoute("shop"),
        publicRoute("apart", "coalesce: { enabled: false }", "cache: { enabled: false }"));
  }
}
