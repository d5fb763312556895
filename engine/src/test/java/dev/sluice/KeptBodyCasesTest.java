package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kept and sliding bodies with readers of all speeds (DEC-26, K04, CCH-05), on two loops. */
class KeptBodyCasesTest {

  private static final int LARGE = 2 << 20;

  /** More than the kernel takes between an origin and a client that does not read (DEC-37). */
  private static final int BEYOND_SOCKETS = 16 << 20;

  private static final int SMALL_BUFFER = 8 << 10;
  private static final String FRESH = "&h=Cache-Control:max-age%3D60";

  @RegisterExtension static final Running running = new Running();

  private SlowOrigin origin;

  @BeforeEach
  void start() {
    origin = running.slowOrigin();
  }

  private Visitors visitors(String coalesce) {
    return new Visitors(
        running,
        running.proxy(
            origin.port(),
            Visitors.site(
                    "{ id: shop, match: \"/**\", class: public_ssr, cache: { enabled: false } }")
                .loops(2)
                .block(coalesce)));
  }

  private RawClient slow(Visitors visitors, String target) {
    return running.slowReader(visitors.sluice(), SMALL_BUFFER).get(target);
  }

  /** A body within its bound: who does not read holds up neither the origin nor the others. */
  @Test
  void dec26_slowReaderOfAKeptBody_holdsUpNobody() {
    Visitors visitors = visitors("coalesce: { max_body: 16MiB }");
    String target = "/p?ms=300&bytes=" + LARGE + FRESH;
    RawClient slow = slow(visitors, target);
    List<RawClient> others =
        List.of(slow(visitors, target).send(""), running.client(visitors.sluice()).get(target));
    visitors.awaitUnderWay(3);

    RawResponse fast = others.get(1).readAll();

    assertThat(fast.body()).isEqualTo(Bodies.expected("/p", LARGE));
    Running.await("the origin's end", () -> origin.stats().finishedWriting() == 1);
    Running.awaitInFlight(visitors.sluice(), 0);
    // The slow ones still have theirs to read, whole.
    assertThat(slow.readAll().body()).isEqualTo(Bodies.expected("/p", LARGE));
    assertThat(others.get(0).readAll().body()).isEqualTo(Bodies.expected("/p", LARGE));
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
    assertThat(origin.stats().rendersBegun()).isEqualTo(1);
  }

  /** Past its bound the window slides, and who stands at its tail is cut, never ended tidily. */
  @Test
  void dec26_laggardOfASlidingBody_isCutShort() {
    Visitors visitors = visitors("coalesce: { max_body: 256KiB, laggard_grace: 300ms }");
    String target = "/p?ms=300&framing=chunked&bytes=" + LARGE + FRESH;
    RawClient fast = running.client(visitors.sluice()).get(target);
    RawClient laggard = slow(visitors, target);
    visitors.awaitUnderWay(2);

    assertThat(fast.readAll().body()).isEqualTo(Bodies.expected("/p", LARGE));

    visitors.awaitUnderWay(0);
    byte[] seen = readAllThereIs(laggard);
    assertThat(seen.length).isLessThan(LARGE);
    assertThat(new String(seen, java.nio.charset.StandardCharsets.US_ASCII))
        .doesNotEndWith("0\r\n\r\n");
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
    assertThat(origin.stats().rendersBegun()).isEqualTo(1);
  }

  private static byte[] readAllThereIs(RawClient client) {
    try {
      return client.readUntilClose();
    } catch (java.io.UncheckedIOException reset) {
      return new byte[0];
    }
  }

  private static void awaitSliding(Visitors visitors) {
    Running.await(
        "closed boarding",
        () ->
            visitors.sluice().status().work().flights() == 1
                && visitors.sluice().governor().boardableFlights() == 0
                && visitors.sluice().bodies().used() > 0);
  }

  /** With one reader nothing is lost: it paces the origin again, and nobody else may board. */
  @Test
  void dec26_slidingBodyWithOneReader_isPacedByIt() {
    Visitors visitors = visitors("coalesce: { max_body: 256KiB, laggard_grace: 100ms }");
    String target = "/p?framing=chunked&bytes=" + BEYOND_SOCKETS + FRESH;
    RawClient only = slow(visitors, target);
    awaitSliding(visitors);

    RawClient late = running.client(visitors.sluice()).get(target);
    Running.awaitRequests(origin, 2);

    assertThat(late.readAll().body()).isEqualTo(Bodies.expected("/p", BEYOND_SOCKETS));
    Running.awaitInFlight(visitors.sluice(), 1);
    Running.await("the late one's end", () -> origin.stats().finishedWriting() == 1);
    assertThat(only.readAll().body()).isEqualTo(Bodies.expected("/p", BEYOND_SOCKETS));
    visitors.awaitIdle();
    assertThat(visitors.sluice().bodies().used()).isZero();
  }

  /** The process's budget does the same to bodies that would fit their own bound. */
  @Test
  void dec26_budgetSpent_slidesAndLosesNothing() {
    Visitors visitors =
        visitors("spool: { max_memory: 2MiB, max_body: 2MiB }\ncoalesce: { max_body: 2MiB }");
    List<RawClient> slow =
        List.of(
            slow(visitors, "/a?bytes=2000000" + FRESH),
            slow(visitors, "/b?bytes=2000000" + FRESH),
            slow(visitors, "/c?bytes=2000000" + FRESH));
    Running.await(
        "two sliding",
        () ->
            origin.stats().requests() == 3 && visitors.sluice().governor().boardableFlights() <= 1);

    assertThat(visitors.sluice().bodies().used()).isLessThan(3 << 20);
    assertThat(slow.get(2).readAll().body()).isEqualTo(Bodies.expected("/c", 2_000_000));
    assertThat(slow.get(1).readAll().body()).isEqualTo(Bodies.expected("/b", 2_000_000));
    assertThat(slow.get(0).readAll().body()).isEqualTo(Bodies.expected("/a", 2_000_000));
    visitors.awaitIdle();
    assertThat(visitors.sluice().bodies().used()).isZero();
  }

  /** CCH-05: too large to be stored is not too large to be shared. */
  @Test
  void cch05_bodyBeyondTheStoresBound_isSharedAndNotStored() {
    ProxyFile file =
        ProxyFile.plain()
            .loops(2)
            .server("debug_headers: true")
            .block("cache: { enabled: true, max_body_size: 64KiB }")
            .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]");
    Visitors visitors = new Visitors(running, running.proxy(origin.port(), file));
    for (String framing : new String[] {"length", "chunked"}) {
      String path = "/" + framing;
      String target = path + "?ms=300&framing=" + framing + "&bytes=100000" + FRESH;
      List<RawClient> crowd =
          List.of(
              running.client(visitors.sluice()).get(target),
              running.client(visitors.sluice()).get(target));
      for (RawResponse answer : Visitors.readAll(crowd)) {
        assertThat(answer.body()).isEqualTo(Bodies.expected(path, 100_000));
      }
      visitors.awaitIdle();
      assertThat(origin.stats().requestsUnder(path)).isEqualTo(1);
      RawResponse later = running.client(visitors.sluice()).get(target).readAll();
      assertThat(later.header("X-Sluice")).isEqualTo("MISS");
    }
    assertThat(visitors.sluice().cache().occupancy().entries()).isZero();
  }

  /** A client that resets while it is being cut, or behind it, leaves nothing behind. */
  @Test
  void dec26_readersThatLeaveASlidingBody_giveItsBytesBack() {
    Visitors visitors = visitors("coalesce: { max_body: 256KiB, laggard_grace: 9s }");
    String target = "/p?ms=200&framing=chunked&bytes=" + LARGE + FRESH;
    List<RawClient> crowd =
        List.of(slow(visitors, target), slow(visitors, target), slow(visitors, target));
    visitors.awaitUnderWay(3);
    awaitSliding(visitors);

    crowd.forEach(RawClient::reset);

    visitors.awaitIdle();
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
  }
}
