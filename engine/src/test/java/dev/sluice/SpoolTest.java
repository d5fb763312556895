package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Slow clients with and without the spool (SPL-01 to SPL-19, BEY-01). */
class SpoolTest {

  private static final int ONE_MIB = 1 << 20;
  private static final int LARGE = 3 << 20;
  private static final int SMALL_BUFFER = 8 << 10;

  @RegisterExtension static final Running running = new Running();

  @TempDir Path folder;
  private SlowOrigin origin;

  @BeforeEach
  void start() {
    origin = running.slowOrigin();
  }

  private Path log() {
    return folder.resolve("access.log");
  }

  /** One permit; a spooled route, a route without, and one that shares. */
  private Visitors visitors(String... blocks) {
    ProxyFile file =
        Visitors.site(
                "{ id: spooled, match: \"/s/**\", class: private_dynamic, spool: { enabled: true } }",
                "{ id: shared, match: \"/c/**\", class: public_ssr }",
                "{ id: plain, match: \"/**\", class: private_dynamic }")
            .origin("concurrency: { max: 1, queue: { max: 10, timeout: 9s, predict: false } }")
            .accessLog(log().toString());
    for (String block : blocks) {
      file = file.block(block);
    }
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  private RawClient slow(Visitors visitors, String target) {
    return running.slowReader(visitors.sluice(), SMALL_BUFFER).get(target);
  }

  /** The line of the access log with this path, as soon as it is there. */
  private String line(String path) {
    String[] found = {""};
    Running.await(
        "a line of " + path,
        () -> {
          for (String line : lines()) {
            if (line.contains("\"path\":\"" + path + "\"")) {
              found[0] = line;
            }
          }
          return !found[0].isEmpty();
        });
    return found[0];
  }

  private List<String> lines() {
    try {
      return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void spl06_spooledResponse_returnsThePermitAtTheOriginsEnd() {
    Visitors visitors = visitors();
    RawClient slow = slow(visitors, "/s/a?bytes=" + ONE_MIB);

    // The only permit is free again although the client has read next to nothing.
    assertThat(visitors.get("/next?bytes=9").body()).isEqualTo(Bodies.expected("/next", 9));
    Running.await("the origin's end", () -> origin.stats().finishedWriting() == 2);
    Running.awaitInFlight(visitors.sluice(), 0);

    // SPL-07: what was taken from the origin is all there.
    assertThat(slow.readAll().body()).isEqualTo(Bodies.expected("/s/a", ONE_MIB));
    assertThat(line("/s/a"))
        .contains("\"spool\":\"complete\"", "\"permit_released\":\"origin_end\"");
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
  }

  @Test
  void spl18_withoutTheSpool_slowReaderKeepsThePermit() {
    Visitors visitors = visitors();
    RawClient slow = slow(visitors, "/p?bytes=" + LARGE);
    Running.awaitInFlight(visitors.sluice(), 1);

    RawClient next = running.client(visitors.sluice()).get("/next?bytes=9");
    Running.awaitWaiting(visitors.sluice(), 1);

    assertThat(slow.readAll().body()).isEqualTo(Bodies.expected("/p", LARGE));
    assertThat(next.readAll().status()).isEqualTo(200);
    assertThat(line("/p")).contains("\"spool\":\"-\"", "\"permit_released\":\"body_end\"");
  }

  /** SPL-16. */
  @Test
  void spl16_hit_hasNoPermitToReturn() {
    Visitors visitors = visitors();
    visitors.get("/c/a?h=Cache-Control:max-age%3D60");
    visitors.get("/c/a?h=Cache-Control:max-age%3D60");

    Running.await("two lines", () -> lines().size() == 2);
    assertThat(lines().get(1)).contains("\"cache\":\"hit\"", "\"permit_released\":\"-\"");
  }

  /** SPL-02, SPL-09: what does not fit is streamed, and nothing of it is lost. */
  @Test
  void spl09_bodyBeyondTheBound_isStreamedWhole() {
    Visitors visitors = visitors("spool: { max_body: 256KiB }");
    for (String framing : new String[] {"length", "chunked"}) {
      String path = "/s/" + framing;
      assertThat(visitors.get(path + "?framing=" + framing + "&bytes=" + LARGE).body())
          .isEqualTo(Bodies.expected(path, LARGE));
      assertThat(line(path))
          .contains("\"spool\":\"body_too_large\"", "\"permit_released\":\"body_end\"");
    }
    assertThat(visitors.sluice().bodies().used()).isZero();
  }

  /** SPL-03, SPL-10: the budget is everybody's, and who finds none is streamed. */
  @Test
  void spl10_budgetExhausted_isStreamedWhole() {
    Visitors visitors =
        visitors("spool: { max_body: 1MiB, max_memory: 1MiB }\ncoalesce: { max_body: 1MiB }");
    RawClient first = slow(visitors, "/s/a?bytes=1000000");
    Running.await("the origin's end", () -> origin.stats().finishedWriting() == 1);
    Running.awaitInFlight(visitors.sluice(), 0);

    RawClient second = running.client(visitors.sluice()).get("/s/b?bytes=1000000");

    assertThat(second.readAll().body()).isEqualTo(Bodies.expected("/s/b", 1_000_000));
    assertThat(line("/s/b")).contains("\"spool\":\"budget_exhausted\"");
    assertThat(visitors.sluice().bodies().used()).isLessThanOrEqualTo(ONE_MIB + (64 << 10));
    assertThat(first.readAll().body()).isEqualTo(Bodies.expected("/s/a", 1_000_000));
  }

  /** SPL-11, SPL-19: once it is streamed its client's pace counts again. */
  @Test
  void spl11_stalledClientOfADegradedSpool_isCutAndThePermitReturns() {
    Visitors visitors =
        visitors("spool: { max_body: 256KiB }", "timeouts: { downstream_write: 300ms }");
    RawClient stalled = slow(visitors, "/s/a?framing=chunked&bytes=" + LARGE);
    Running.awaitInFlight(visitors.sluice(), 1);

    assertThat(visitors.get("/next?bytes=9").status()).isEqualTo(200);

    assertThat(line("/s/a")).contains("\"cause\":\"slow_client\"");
    Running.awaitInFlight(visitors.sluice(), 0);
    assertThat(stalled.awaitEnd()).isIn(PeerEnd.FIN, PeerEnd.RST);
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
  }

  /** SPL-17: without the spool a stalled client's origin is not read ahead without bound. */
  @Test
  void spl17_withoutTheSpool_readAheadIsBounded() {
    int huge = 64 << 20;
    Visitors visitors =
        new Visitors(
            running,
            running.proxy(
                origin.port(),
                Visitors.site("{ id: plain, match: \"/**\", class: private_dynamic }")));
    slow(visitors, "/p?bytes=" + huge);
    Running.awaitRequests(origin, 1);

    // On the same loop and behind it: by then the first has had its time.
    for (int i = 0; i < 4; i++) {
      assertThat(visitors.get("/next?bytes=" + LARGE).body()).hasSize(LARGE);
    }

    assertThat(origin.stats().bytesWritten() - 4L * LARGE).isLessThan(huge / 2);
    assertThat(visitors.sluice().bodies().used()).isZero();
  }

  /**
   * A client that leaves its spooled answer gives the bytes back, and the origin ends as it does.
   */
  @Test
  void spl07_clientThatLeaves_givesItsBytesBack() {
    Visitors visitors = visitors();
    RawClient slow = slow(visitors, "/s/a?bytes=" + ONE_MIB);
    Running.await("bytes", () -> visitors.sluice().bodies().used() > 0);

    slow.reset();

    visitors.awaitIdle();
    Running.await("bytes given back", () -> visitors.sluice().bodies().used() == 0);
    Running.awaitInFlight(visitors.sluice(), 0);
  }
}
