package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Build output and images (NXT-14 to NXT-19, DEC-43, KEY-13, KEY-21). */
class NextAssetCasesTest {

  private static final String IMAGES =
      "{ id: images, match: \"/_next/image\", class: public_dynamic, priority: low, weight: 4,"
          + " concurrency: { max: 20 }, cache: { ttl: { max: 1h },"
          + " query: { mode: include, keys: [url, w, q] }, vary: { headers: [Accept] } } }";
  private static final String REST = "{ id: rest, match: \"/**\", class: public_ssr }";

  @RegisterExtension static final Running running = new Running();

  private final MovedTicker ticker = new MovedTicker();

  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  private static ProxyFile site() {
    return Visitors.site(IMAGES, REST).origin("priorities: { high: 100, normal: 90, low: 50 }");
  }

  private Visitors visitors(ProxyFile file) {
    origin = running.closing(HeldOrigin.start(NextAssetCasesTest::answer));
    return new Visitors(running, running.proxy(origin.port(), file, ticker));
  }

  private static String answer(HeldOrigin.Asked asked) {
    if (asked.target().startsWith("/_next/image")) {
      String type = asked.field("Accept").contains("webp") ? "image/webp" : "image/png";
      return HeldOrigin.ok(
          "Vary: Accept|Cache-Control: public, max-age=14400, must-revalidate|Content-Type: "
              + type,
          type);
    }
    if (asked.target().contains("wrong")) {
      return HeldOrigin.ok("Cache-Control: max-age=60|Content-Type: text/html", "<html>");
    }
    return HeldOrigin.ok(
        "Cache-Control: public, max-age=31536000, immutable|Content-Type: text/javascript",
        "cookie " + asked.field("Cookie"));
  }

  @Test
  void nxt14_buildOutput_isServedWithTheCeilingFull() {
    Visitors visitors =
        visitors(
            Visitors.site(REST).origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s } }"));
    origin.hold();
    List<RawClient> busy = List.of(visitors.ask("GET", "/a"), visitors.ask("GET", "/b"));
    Running.awaitWaiting(visitors.sluice(), 1);
    origin.awaitRequests(1);

    RawClient asset = visitors.ask("GET", "/_next/static/chunks/x.js");
    origin.awaitRequests(2);

    assertThat(origin.request(1).target()).isEqualTo("/_next/static/chunks/x.js");
    origin.release();
    assertThat(asset.readAll().status()).isEqualTo(200);
    Visitors.readAll(busy);
  }

  /** DEC-43: a file's cookies count for nothing, and do not reach the origin. */
  @Test
  void dec43_staticAsset_isSharedAmongSignedInVisitors() {
    Visitors visitors = visitors(Visitors.site("{ id: a, match: \"/assets/**\", class: static }"));

    assertThat(visitors.get("/assets/x.js", "Cookie: session=a").text()).isEqualTo("cookie ");
    RawResponse other = visitors.get("/assets/x.js", "Cookie: session=b", "RSC: 1");

    assertThat(other.header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/assets/wrong.js", "/assets/wrong.css", "/assets/wrong"})
  void dec43_pageUnderAFilesName_isNotStored(String target) {
    Visitors visitors = visitors(Visitors.site("{ id: a, match: \"/assets/**\", class: static }"));
    visitors.get(target);

    assertThat(visitors.get(target).header("Cache-Status")).endsWith("detail=content_type");
  }

  @Test
  void nxt15_images_haveAnEntryForEachFormat() {
    Visitors visitors = visitors(site());
    for (int round = 0; round < 2; round++) {
      for (String format : new String[] {"image/webp", "image/png"}) {
        RawResponse image =
            visitors.get("/_next/image?url=%2Fa.png&w=64&q=75&x=" + round, "Accept: " + format);
        assertThat(image.text()).isEqualTo(format);
        assertThat(image.header("X-Sluice")).isEqualTo(round == 0 ? "MISS" : "HIT");
      }
    }
    assertThat(visitors.get("/_next/image?url=%2Fa.png&w=128&q=75").header("X-Sluice"))
        .isEqualTo("MISS");
    assertThat(origin.requests()).isEqualTo(3);
  }

  /** NXT-16 gives way to BEY-05: what is not declared is learned. */
  @Test
  void nxt16_imagesWithoutADeclaredAccept_areNeverMixed() {
    Visitors visitors =
        visitors(Visitors.site("{ id: images, match: \"/**\", class: public_dynamic }"));
    for (int round = 0; round < 3; round++) {
      for (String format : new String[] {"image/webp", "image/png"}) {
        assertThat(visitors.get("/_next/image?url=%2Fa&w=64", "Accept: " + format).text())
            .isEqualTo(format);
      }
    }
  }

  @Test
  void nxt18_ceiling_onlyCapsTheOriginsLifetime() {
    Visitors visitors = visitors(site());
    visitors.get("/_next/image?url=a&w=1&q=1");

    ticker.advance(Duration.ofSeconds(3500));
    assertThat(visitors.get("/_next/image?url=a&w=1&q=1").header("X-Sluice")).isEqualTo("HIT");
    ticker.advance(Duration.ofSeconds(200));
    assertThat(visitors.get("/_next/image?url=a&w=1&q=1").header("X-Sluice")).isNotEqualTo("HIT");
  }

  @Test
  void nxt19_floodOfImages_leavesRoomForPages() {
    Visitors visitors =
        visitors(
            site().loops(2).origin("concurrency: { max: 40, queue: { max: 100, timeout: 9s } }"));
    origin.hold();
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      flood.add(visitors.ask("GET", "/_next/image?url=a&q=1&w=" + i));
    }
    // Five of weight 4 are all that fit under the route's 20 units.
    Running.awaitWaiting(visitors.sluice(), 25);
    origin.awaitRequests(5);

    RawClient page = visitors.ask("GET", "/page");
    origin.awaitRequests(6);

    assertThat(origin.request(5).target()).isEqualTo("/page");
    origin.release();
    assertThat(page.readAll().status()).isEqualTo(200);
    assertThat(Visitors.readAll(flood)).extracting(RawResponse::status).containsOnly(200);
  }
}
