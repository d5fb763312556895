package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the log tells of reuse and spooling (OBS-18, OBS-19, OBS-22, SPL-09, SPL-12 to SPL-16). */
class ReuseRowsTest {

  private static final String FRESH = "h=Cache-Control:max-age%3D60";
  private static final int MIB = 1 << 20;

  @RegisterExtension static final Running running = new Running();
  @TempDir Path folder;

  private SlowOrigin origin;

  @BeforeEach
  void start() {
    origin = running.slowOrigin();
  }

  private Visitors visitors(String... blocks) {
    ProxyFile file =
        ProxyFile.plain()
            .server("debug_headers: true")
            .accessLog(folder.resolve("access.log").toString())
            .block(
                """
                routes:
                  - { id: shop, match: "/shop/**", class: public_ssr }
                  - { id: spooled, match: "/spooled/**", class: private_dynamic, spool: { enabled: true } }
                """);
    for (String block : blocks) {
      file = file.block(block);
    }
    return new Visitors(running, running.proxy(origin.port(), file));
  }

  /** Ends the proxy and reads {@code cache bypass_reason spool permit_released} of each line. */
  private List<String> rows(Visitors visitors) throws IOException {
    visitors.awaitIdle();
    visitors.sluice().close();
    var rows = new ArrayList<String>();
    for (String line : Files.readAllLines(folder.resolve("access.log"))) {
      JsonNode row = new ObjectMapper().readTree(line);
      rows.add(
          row.get("cache").asText()
              + " "
              + row.get("bypass_reason").asText()
              + " "
              + row.get("spool").asText()
              + " "
              + row.get("permit_released").asText());
    }
    return rows;
  }

  private static String word(RawResponse answer) {
    return answer.header("X-Sluice");
  }

  /** OBS-18, SPL-13, SPL-16: a kept body paces nobody, whether the route spools or not. */
  @Test
  void missThenHit_asTheClientIsTold() throws IOException {
    Visitors visitors = visitors("cache: { enabled: true }");

    assertThat(word(visitors.get("/shop/a?" + FRESH))).isEqualTo("MISS");
    assertThat(word(visitors.get("/shop/a?" + FRESH))).isEqualTo("HIT");

    assertThat(rows(visitors)).containsExactly("miss - - origin_end", "hit - - -");
  }

  /** OBS-19: the word why, in the log as in Cache-Status. */
  @Test
  void whyNot_isSaidInTheSameWord() throws IOException {
    Visitors visitors = visitors("cache: { enabled: true }");
    List<RawResponse> answers =
        List.of(
            visitors.get("/shop/a?h=Vary:*&" + FRESH),
            visitors.get("/shop/b?cookie=1&" + FRESH),
            visitors.get("/shop/c"),
            visitors.get("/shop/d?" + FRESH, "Authorization: Basic eA=="),
            visitors.get("/shop/e?" + FRESH, "Cookie: a=b"),
            visitors.get("/elsewhere?" + FRESH));

    List<String> rows = rows(visitors);
    assertThat(rows)
        .containsExactly(
            "miss vary_star - body_end",
            "miss set_cookie - body_end",
            "miss no_freshness - body_end",
            "bypass authorization - body_end",
            "bypass cookie - body_end",
            "bypass private_route - body_end");
    for (int i = 0; i < rows.size(); i++) {
      String reason = rows.get(i).split(" ", -1)[1];
      assertThat(answers.get(i).header("Cache-Status")).endsWith("; detail=" + reason);
    }
  }

  /** A crowd: one asks, the others share its answer, and hold no permit. */
  @Test
  void crowd_isOneMissAndHits() throws IOException {
    Visitors visitors = visitors("cache: { enabled: true }");

    Visitors.readAll(visitors.crowd(4, "/shop/a?ms=600&" + FRESH));

    assertThat(rows(visitors))
        .containsExactlyInAnyOrder("miss - - origin_end", "hit - - -", "hit - - -", "hit - - -");
    assertThat(origin.stats().requests()).isEqualTo(1);
  }

  /** What had no room in the store says so, in the line of who asked for it. */
  @Test
  void answerThatIsNotKept_saysWhy() throws IOException {
    Visitors visitors = visitors("cache: { enabled: true, max_body_size: 1MiB, max_memory: 1MiB }");

    visitors.get("/shop/a?bytes=700000&" + FRESH);
    visitors.awaitIdle();
    visitors.get("/shop/b?bytes=700000&" + FRESH);
    visitors.awaitIdle();
    visitors.get("/shop/c?bytes=1100000&" + FRESH);

    assertThat(rows(visitors))
        .containsExactly(
            "miss - - origin_end", "miss store_full - origin_end", "miss oversize - origin_end");
  }

  /** SPL-12, SPL-14. */
  @Test
  void spooled_isCompleteAndTheOriginsEndReturnsThePermit() throws IOException {
    Visitors visitors = visitors();

    visitors.get("/spooled/a?bytes=100000");

    assertThat(rows(visitors)).containsExactly("bypass private_route complete origin_end");
  }

  /** SPL-09, SPL-15: the rest streams, whole. */
  @Test
  void spooledPastOneBodysBound_streamsTheRest() throws IOException {
    Visitors visitors = visitors("spool: { max_body: 1MiB }");

    RawResponse whole = visitors.get("/spooled/a?chunks=64&bytes=" + 3 * MIB);

    assertThat(whole.body()).isEqualTo(Bodies.expected("/spooled/a", 3 * MIB));
    assertThat(rows(visitors)).containsExactly("bypass private_route body_too_large body_end");
  }

  /** SPL-10: another body has taken the room. */
  @Test
  void spooledPastAllBodiesBound_streamsTheRest() throws IOException {
    Visitors visitors =
        visitors("spool: { max_body: 1MiB, max_memory: 1MiB }", "coalesce: { max_body: 1MiB }");
    RawClient reader = running.slowReader(visitors.sluice(), 4096);
    reader.get("/spooled/held?bytes=" + (MIB - 50_000));
    Running.await(
        "the first is spooled", () -> visitors.sluice().status().memory().spoolHeld() > MIB / 2);

    RawResponse second = visitors.get("/spooled/b?chunks=16&bytes=" + (MIB - 50_000));

    assertThat(second.body()).isEqualTo(Bodies.expected("/spooled/b", MIB - 50_000));
    assertThat(reader.readAll().body()).isEqualTo(Bodies.expected("/spooled/held", MIB - 50_000));
    assertThat(rows(visitors))
        .containsExactlyInAnyOrder(
            "bypass private_route budget_exhausted body_end",
            "bypass private_route complete origin_end");
  }

  /** SPL-13, SPL-15. */
  @Test
  void streamed_hasNoSpool_andTheReadersEndReturnsThePermit() throws IOException {
    Visitors visitors = visitors();

    visitors.get("/elsewhere");
    visitors.get("/_next/static/a.js");

    assertThat(rows(visitors))
        .containsExactly("bypass private_route - body_end", "bypass private_route - -");
  }
}
