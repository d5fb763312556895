package dev.sluice.governor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.http.FieldList;
import dev.sluice.http.Headers;
import dev.sluice.http.caching.Lifetime;
import dev.sluice.outcome.BypassReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9111 3.2 and 4.3.4; and what a stored answer's rights are worth later (DEC-36). */
class FreshenedTest {

  private static final FieldList STORED =
      FieldList.of(
          "Content-Type", "text/html",
          "Content-Length", "36",
          "Content-Encoding", "gzip",
          "ETag", "\"a\"",
          "Vary", "rsc, Accept-Encoding",
          "Cache-Control", "max-age=1",
          "Date", "Sun, 06 Nov 1994 08:49:37 GMT",
          "Age", "7",
          "X-Nextjs-Cache", "STALE",
          "X-One", "1",
          "X-One", "2",
          "X-Kept", "k");

  private static List<String> merged(String... notModified) {
    return lines(((Freshening.Merged) Judge.freshened(STORED, FieldList.of(notModified))).fields());
  }

  private static List<String> lines(Headers headers) {
    var lines = new ArrayList<String>();
    for (int i = 0; i < headers.size(); i++) {
      lines.add(headers.name(i) + ": " + headers.value(i));
    }
    return lines;
  }

  @Test
  void freshened_fieldsOfThe304_replaceTheStoredOnes() {
    assertThat(merged("cache-control", "max-age=3600", "x-one", "3", "Content-Foo", "new"))
        .contains("cache-control: max-age=3600", "x-one: 3", "Content-Foo: new", "X-Kept: k")
        .doesNotContain("Cache-Control: max-age=1", "X-One: 1", "X-One: 2");
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Length, 10",
    "Content-Encoding, br",
    "Content-MD5, N7UdGUp1E+RbVvZSTy1R8g==",
    "Repr-Digest, 'sha-256=:AAAA:'",
    "Content-Range, bytes 0-1/2",
    "Vary, rsc",
    "Connection, close",
    "Transfer-Encoding, chunked",
    "Keep-Alive, timeout=5",
    "Trailer, X"
  })
  void freshened_whatTheStoredBytesDependOn_staysAsItIs(String name, String value) {
    assertThat(merged(name, value)).isEqualTo(merged());
    assertThat(merged())
        .contains("Content-Length: 36", "Content-Type: text/html", "Content-Encoding: gzip")
        .contains("Vary: rsc, Accept-Encoding");
  }

  @Test
  void freshened_contentType_isTheNewOne() {
    assertThat(merged("Content-Type", "text/html; charset=utf-8"))
        .contains("Content-Type: text/html; charset=utf-8")
        .doesNotContain("Content-Type: text/html");
  }

  @Test
  void freshened_otherTag_whereNothingElseWasAskedAbout_confirmsAndUpdatesNothing() {
    String date = "Mon, 07 Nov 1994 08:49:37 GMT";
    assertThat(merged("ETag", "\"b\"", "Date", date, "Cache-Control", "max-age=9", "X-One", "3"))
        .contains("ETag: \"a\"", "Date: " + date, "Cache-Control: max-age=1", "X-One: 1")
        .doesNotContain("ETag: \"b\"", "X-One: 3");
  }

  @Test
  void freshened_fieldOfThisHopOnly_isNotTaken() {
    assertThat(merged("Connection", "x-hop", "X-Hop", "1")).doesNotContain("X-Hop: 1");
  }

  @Test
  void freshened_whatToldOfTheMoment_isTheNewAnswersOrGone() {
    assertThat(merged()).noneMatch(line -> line.matches("(Age|Date|X-Nextjs-Cache):.*"));
    assertThat(merged("Age", "3", "Date", "d", "x-nextjs-cache", "HIT"))
        .contains("Age: 3", "Date: d", "x-nextjs-cache: HIT");
  }

  @Test
  void freshened_barrierOnThe304_isBarred() {
    assertThat(Judge.freshened(STORED, FieldList.of("Set-Cookie", "a=b")))
        .isEqualTo(new Freshening.Barred(BypassReason.SET_COOKIE));
    assertThat(Judge.freshened(STORED, FieldList.of("Vary", "*")))
        .isEqualTo(new Freshening.Barred(BypassReason.VARY_STAR));
    FieldList dated =
        FieldList.of("ETag", "\"a\"", "Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(Judge.freshened(dated, FieldList.of("ETag", "\"b\"")))
        .isEqualTo(new Freshening.Barred(BypassReason.OTHER_VALIDATOR));
    assertThat(merged("ETag", "W/\"a\"")).contains("ETag: W/\"a\"");
  }

  @Test
  void rights_takenBackByAReload_areNotGranted() {
    int all =
        Rights.PLAIN
            | Rights.OVERRIDE
            | Rights.COOKIES_ASSERTED
            | Rights.HEURISTIC
            | Rights.EXPLICIT_STATUSES;
    var cache = new CachePolicy(true, true, null, null, Duration.ZERO, true, true);
    var generous =
        new SharePolicy(
            true,
            false,
            cache,
            new CookiePolicy(true, List.of()),
            SharePolicy.KeyPolicy.WHOLE_TARGET);
    assertThat(Rights.areGrantedBy(all, generous)).isTrue();
    for (int right = Rights.OVERRIDE; right <= Rights.EXPLICIT_STATUSES; right <<= 1) {
      assertThat(Rights.areGrantedBy(Rights.PLAIN | right, Policies.PLAIN)).isFalse();
    }
    assertThat(Rights.areGrantedBy(Rights.PLAIN, Policies.PLAIN)).isTrue();
    assertThat(Rights.areGrantedBy(Rights.PLAIN, SharePolicy.NONE)).isFalse();
  }

  @Test
  void lifetime_ages_areWithinTheirWindows() {
    var lifetime = new Lifetime(0, 2000, 30_000, 300_000);
    assertThat(lifetime.isFreshAt(1999)).isTrue();
    assertThat(lifetime.isFreshAt(2000)).isFalse();
    assertThat(lifetime.servesAt(31_999)).isTrue();
    assertThat(lifetime.servesAt(32_000)).isFalse();
    assertThat(lifetime.standsInAt(301_999)).isTrue();
    assertThat(lifetime.standsInAt(302_000)).isFalse();
  }
}
