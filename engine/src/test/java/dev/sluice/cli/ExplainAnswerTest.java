package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** BEY-07: what {@code sluice explain} says of a request and its answer, row by row of SHR. */
class ExplainAnswerTest {

  @TempDir private Path folder;

  private String explain(String... words) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("test.yaml"),
            """
            version: 1
            server: { listen: "127.0.0.1:1" }
            origin: { upstreams: ["127.0.0.1:2"] }
            cache: { enabled: true, max_body_size: 1MiB }
            coalesce: { max_body: 2MiB }
            routes:
              - { id: shop, match: "/shop/**", class: public_ssr }
              - id: vouched
                match: "/vouched/**"
                class: public_ssr
                cache: { override_origin: true, ttl: { max: 2s } }
                cookies: { assert_public: true }
              - id: together
                match: "/together/**"
                class: public_ssr
                cache: { enabled: false }
                coalesce: { override_origin: true }
              - { id: off, match: "/off/**", class: public_ssr, cache: { enabled: false }, coalesce: { enabled: false } }
            """);
    List<String> line = new ArrayList<>(List.of("explain", "-c", file.toString()));
    line.addAll(List.of(words));
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Cli.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(line.toArray(String[]::new));
    return exitCode == ExitCode.OK ? out.toString() : exitCode + " " + err;
  }

  /** What the answer's fields alone decide, on a route that asserts nothing further. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // SHR-01
        "200 |                                | nobody else's (no_freshness)",
        "200 | Cache-Control: max-age=60      | stored",
        // SHR-04
        "200 | Set-Cookie: a=b                | nobody else's (set_cookie)",
        // SHR-07
        "500 | Cache-Control: max-age=60      | nobody else's (status)",
        "206 | Cache-Control: max-age=60      | nobody else's (partial)",
        // SHR-08 and BEY-05
        "200 | Vary: *                        | nobody else's (vary_star)",
        "200 | Vary: Cookie, X-Forwarded-For  | nobody else's (unsupported_vary)",
        // SHR-09 to SHR-11
        "200 | Cache-Control: private, max-age=60  | nobody else's (private)",
        "200 | Cache-Control: no-store        | nobody else's (no_store)",
        "200 | Cache-Control: no-cache        | nobody else's (no_cache)",
        "404 | Cache-Control: s-maxage=5      | stored"
      })
  void answer_isJudged(String status, String field, String verdict) throws IOException {
    String said =
        field == null
            ? explain("/shop/a", "--status", status)
            : explain("/shop/a", "--status", status, "-R", field);

    assertThat(said).contains("\nverdict: " + verdict + "\n");
  }

  /** SHR-09 to SHR-12: the override reaches the origin's word, and no barrier. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Cache-Control: private   | stored",
        "Cache-Control: no-store  | stored",
        "Cache-Control: no-cache  | stored",
        "Set-Cookie: a=b          | nobody else's (set_cookie)",
        "Vary: *                  | nobody else's (vary_star)",
        "Content-Encoding: br     | nobody else's (coding)",
        "Content-Type: text/event-stream | nobody else's (event_stream)"
      })
  void override_doesNotReachPastABarrier(String field, String verdict) throws IOException {
    String said = explain("/vouched/a", "-R", field);

    assertThat(said).contains("\nverdict: " + verdict + "\n");
    if (verdict.equals("stored")) {
      assertThat(said)
          .contains("\nby right of: cache.override_origin\n", "\nlifetime: fresh for 2s, ");
    }
  }

  /** SHR-05, SHR-06, SHR-13: the request decides, and the answer changes nothing. */
  @ParameterizedTest
  @CsvSource({
    "/shop/a,GET,Authorization: Basic eA==,authorization",
    "/vouched/a,GET,Authorization: Basic eA==,authorization",
    "/shop/a,POST,X: y,method",
    "/vouched/a,DELETE,X: y,method",
    "/shop/a,GET,Cookie: a=b,cookie",
    "/shop/a,GET,Cookie: __prerender_bypass=1,draft",
    "/elsewhere,GET,X: y,private_route",
    "/off/a,GET,X: y,reuse_off"
  })
  void request_thatGoesAlone_isAloneWhateverIsAnswered(
      String target, String method, String field, String reason) throws IOException {
    String said =
        explain(target, "-X", method, "-H", field, "-R", "Cache-Control: public, max-age=60");

    assertThat(said)
        .contains("\nshared: no (" + reason + ")\n")
        .contains("\nverdict: nobody else's (" + reason + ")\n");
  }

  /** SHR-14. */
  @Test
  void cookies_thatTheRouteAssertsToBePublic_areARight() throws IOException {
    assertThat(
            explain("/vouched/a", "-H", "Cookie: a=b", "-R", "Cache-Control: public, max-age=60"))
        .contains("\nverdict: stored\n", "\nby right of: cookies.assert_public\n");
  }

  /** SHR-15: the weaker override shares and does not keep. */
  @Test
  void coalescingOnly_isSharedWithThoseWhoWait() throws IOException {
    assertThat(explain("/together/a", "-R", "Cache-Control: private, no-store"))
        .contains("\nverdict: shared with those who wait for it, not stored (no_store)\n")
        .contains("\nbecause: The origin said no-store.\n");
    assertThat(explain("/together/a", "-R", "Cache-Control: max-age=9"))
        .contains("\nverdict: shared with those who wait for it, not stored (cache_off)\n");
  }

  @Test
  void keptAnswer_hasItsLifetime_itsVariantsAndItsTags() throws IOException {
    String said =
        explain(
            "/shop/a?b=2&a=1",
            "-H",
            "Accept-Language: de",
            "-H",
            "Referer: r",
            "-R",
            "Cache-Control: s-maxage=60, stale-while-revalidate=30, stale-if-error=300",
            "-R",
            "Age: 10",
            "-R",
            "Vary: RSC, Accept-Language",
            "-R",
            "X-Sluice-Cache-Tags: a , b");

    assertThat(said)
        .contains("\nroute: shop (/shop/**)\n".substring(1))
        .contains("\nkey resource: http://localhost/shop/a?a=1&b=2\n")
        .contains("\ndropped from it: accept-language, referer\n")
        .contains("\nlimits: 1 of 64 units, ")
        .contains("\nverdict: stored\n")
        .contains("\nby right of: the origin's word\n")
        .contains("\nlifetime: fresh for 60s, of an age of 10s already\n")
        .contains("\nstale: 30s more while it is refreshed, 300s more where the origin fails")
        .contains("\nvaries by: accept-language, rsc (each value is an answer of its own)\n")
        .contains("\ntags: a, b\n");
  }

  /** A body is a body here, too: whoever sends one shares nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 5", "Transfer-Encoding: chunked"})
  void requestWithABody_sharesNothing(String framing) throws IOException {
    assertThat(explain("/shop/a")).contains("\nshared: yes");
    assertThat(explain("/shop/a", "-H", framing)).contains("request_body").doesNotContain("key ");
  }

  /** What the proxy refuses at its head is refused here, for the same reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Length: 5 | Content-Length: 5          | 400 bad_request",
        "Content-Length: 5 | Transfer-Encoding: chunked | 400 bad_request",
        "Host: a           | Host: b                    | 400 bad_request",
        "Host: a           | Expect: tea                | 417 expectation_failed",
        "Host: a/b         | X: y                       | 400 bad_request"
      })
  void headThatIsRefused_goesNoFurther(String one, String other, String said) throws IOException {
    assertThat(explain("/shop/a", "-H", one, "-H", other))
        .startsWith("refused: " + said + "\nbecause: ")
        .doesNotContain("route:");
  }

  @Test
  void answerThatIsTooLarge_isNobodyElses() throws IOException {
    assertThat(
            explain("/shop/a", "-R", "Cache-Control: max-age=60", "-R", "Content-Length: 2097153"))
        .contains("\nverdict: nobody else's (oversize)\n");
    assertThat(
            explain("/shop/a", "-R", "Cache-Control: max-age=60", "-R", "Content-Length: 1048577"))
        .contains("\nverdict: shared with those who wait for it, not stored (oversize)\n");
    assertThat(
            explain("/shop/a", "-R", "Cache-Control: max-age=60", "-R", "Content-Length: 1048576"))
        .contains("\nverdict: stored\n");
  }

  @Test
  void withoutAnAnswer_nothingIsSaidOfOne() throws IOException {
    assertThat(explain("/shop/a")).contains("shared: yes").doesNotContain("verdict");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--status=199", "--status=1000", "--status=x", "-R=nonsense", "-R=:x"})
  void answerThatIsNone_isAWrongCommandLine(String option) throws IOException {
    assertThat(explain("/shop/a", option)).startsWith(ExitCode.USAGE + " sluice: ");
  }
}
