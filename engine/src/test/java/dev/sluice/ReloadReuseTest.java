package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a reload means for answers that are stored and on their way (DEC-36, CCH-29 to CCH-31). */
class ReloadReuseTest {

  private static final String OVERRIDE = "cache: { override_origin: true, ttl: { max: 10s } }";

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;

  @BeforeEach
  void start() {
    origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.ok(
                        asked.target().startsWith("/own")
                            ? "Cache-Control: private"
                            : "Cache-Control: max-age=60",
                        "page " + asked.number())));
  }

  private Visitors visitors(ProxyFile file) {
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  private void reload(Visitors visitors, ProxyFile file) {
    try {
      visitors.sluice().reload(Running.settings(origin.port(), file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void dec36_withdrawnOverride_withdrawsWhatWasStoredByIt() {
    Visitors visitors = visitors(Visitors.shop(OVERRIDE));
    visitors.get("/own");
    visitors.get("/p");
    assertThat(visitors.get("/own").header("X-Sluice")).isEqualTo("HIT");

    reload(visitors, Visitors.shop());

    assertThat(visitors.get("/own").header("X-Sluice")).isEqualTo("MISS");
    // What the origin allowed itself is served as before.
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    // And the entry is gone, not hidden.
    reload(visitors, Visitors.shop(OVERRIDE));
    assertThat(visitors.get("/own").header("X-Sluice")).isEqualTo("MISS");
  }

  @Test
  void dec36_withdrawnCookieAssertion_withdrawsWhatWasStoredByIt() {
    Visitors visitors = visitors(Visitors.shop("cookies: { assert_public: true }"));
    visitors.get("/p", "Cookie: session=a");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    reload(visitors, Visitors.shop());

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  /** The origin's confirmation is of bytes that were made for somebody with a cookie. */
  @Test
  void dec36_withdrawnCookieAssertion_withdrawsWhatWasConfirmedSince() {
    String confirmed = "Cache-Control: max-age=60|ETag: \"v\"";
    origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    asked.field("If-None-Match").isEmpty()
                        ? HeldOrigin.ok(confirmed + "|Age: 60", "page " + asked.number())
                        : HeldOrigin.answer("304 Not Modified", confirmed, "")));
    Visitors visitors = visitors(Visitors.shop("cookies: { assert_public: true }"));
    visitors.get("/p", "Cookie: session=a");
    visitors.awaitIdle();
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("REVALIDATED");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");

    reload(visitors, Visitors.shop());

    RawResponse after = visitors.get("/p");
    assertThat(after.header("X-Sluice")).isEqualTo("MISS");
    assertThat(after.text()).isEqualTo("page 2");
  }

  /** DEC-15, DEC-36: what only the override lets be stale is not, once that is taken back. */
  @Test
  void dec36_withdrawnOverride_withdrawsItsStaleWindows() {
    String stale = "stale_while_revalidate: 30s, stale_if_error: 5m";
    origin =
        running.closing(
            HeldOrigin.start(
                asked -> HeldOrigin.ok("Cache-Control: s-maxage=1", "page " + asked.number())));
    MovedTicker ticker = new MovedTicker();
    Visitors visitors =
        new Visitors(
            running,
            running.proxy(
                origin.port(),
                Visitors.shop("cache: { override_origin: true, ttl: { max: 10s }, " + stale + " }"),
                ticker));
    visitors.get("/p");
    visitors.awaitIdle();

    reload(visitors, Visitors.shop("cache: { " + stale + " }"));
    ticker.advance(Duration.ofSeconds(2));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
  }

  /**
   * What is on its way is judged by what its lead's route allowed: whoever comes behind the reload
   * asks anew, and does not wait for what was withdrawn.
   */
  @Test
  void dec36_withdrawnOverride_isNotBoardedAnyMore() {
    Visitors visitors = visitors(Visitors.shop(OVERRIDE));
    origin.hold();
    RawClient old = visitors.ask("GET", "/own");
    origin.awaitRequests(1);

    reload(visitors, Visitors.shop());
    RawClient fresh = visitors.ask("GET", "/own");
    origin.awaitRequests(2);
    origin.release();

    assertThat(List.of(old.readAll().text(), fresh.readAll().text()))
        .containsExactly("page 0", "page 1");
  }

  @Test
  void dec36_withdrawnCookieAssertion_isNotBoardedAnyMore() {
    Visitors visitors = visitors(Visitors.shop("cookies: { assert_public: true }"));
    origin.hold();
    RawClient old = visitors.ask("GET", "/p", "Cookie: session=a");
    origin.awaitRequests(1);

    reload(visitors, Visitors.shop());
    List<RawClient> fresh = visitors.crowd(3, "/p");
    visitors.awaitUnderWay(4);
    origin.awaitRequests(2);
    origin.release();

    assertThat(old.readAll().text()).isEqualTo("page 0");
    assertThat(Visitors.readAll(fresh)).extracting(RawResponse::text).containsOnly("page 1");
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void dec36_routeThatBecamePrivate_servesNothingStored() {
    Visitors visitors = visitors(Visitors.shop());
    visitors.get("/p");

    reload(visitors, Visitors.site("{ id: shop, match: \"/**\", class: private_dynamic }"));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("BYPASS");
  }

  @Test
  void cch30_newDeployment_cannotReachTheOldOnesAnswersAndTheirBytesAreBack() {
    Visitors visitors = visitors(Visitors.shop().block("deployment: { id: one }"));
    visitors.get("/p");
    visitors.get("/q");
    Running.await("two entries", () -> visitors.sluice().cache().occupancy().entries() == 2);

    reload(visitors, Visitors.shop().block("deployment: { id: two }"));

    Running.await("bytes given back", () -> visitors.sluice().cache().occupancy().bytes() == 0);
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("MISS");
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
  }

  /** N10: an answer of the old build that lands behind the change is not kept for the new one. */
  @Test
  void n10_flightOfTheOldBuild_isNotStoredBehindTheChange() {
    Visitors visitors = visitors(Visitors.shop().block("deployment: { id: one }"));
    origin.hold();
    RawClient old = visitors.ask("GET", "/p");
    origin.awaitRequests(1);

    reload(visitors, Visitors.shop().block("deployment: { id: two }"));
    origin.release();

    assertThat(old.readAll().text()).isEqualTo("page 0");
    visitors.awaitIdle();
    assertThat(visitors.sluice().cache().occupancy().entries()).isZero();
    assertThat(visitors.get("/p").text()).isEqualTo("page 1");
  }

  @Test
  void cch31_reloadThatKeepsTheDeployment_leavesTheStoreAsItWas() {
    ProxyFile file = Visitors.shop().block("deployment: { id: one }");
    Visitors visitors = visitors(file);
    visitors.get("/p");

    reload(visitors, file.origin("concurrency: { max: 7 }"));

    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** A flight that is under way goes on, and whoever came under the new file boards it. */
  @Test
  void dec36_flightUnderWay_outlivesTheReload() {
    Visitors visitors = visitors(Visitors.shop().loops(2));
    origin.hold();
    List<RawClient> before = visitors.crowd(3, "/p");
    visitors.awaitUnderWay(3);
    origin.awaitRequests(1);

    reload(visitors, Visitors.shop("priority: normal").loops(2));
    List<RawClient> behind = visitors.crowd(3, "/p");
    visitors.awaitUnderWay(6);
    origin.release();

    assertThat(Visitors.readAll(before)).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(Visitors.readAll(behind)).extracting(RawResponse::text).containsOnly("page 0");
    assertThat(origin.requests()).isEqualTo(1);
  }
}
