package dev.sluice.http.caching;

import static dev.sluice.http.caching.Preconditions.FAILED;
import static dev.sluice.http.caching.Preconditions.NOT_MODIFIED;
import static dev.sluice.http.caching.Preconditions.PROCEED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entity tags, preconditions, If-Range and Vary (RFC 9110 8.8.3, 12.5.5, 13). */
class ConditionsTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final String EARLY = HttpDate.format(NOW - 9_000_000);
  private static final String MIDDLE = HttpDate.format(NOW - 5_000_000);
  private static final String LATE = HttpDate.format(NOW - 1_000_000);
  private static final FieldList STORED =
      FieldList.of("ETag", "\"a\"", "Last-Modified", MIDDLE, "Date", LATE);

  private static Preconditions of(String... request) {
    return Preconditions.of(FieldList.of(request), 200, STORED, NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"a\" | \"a\" | true",
        "W/\"a\" | \"a\" | true",
        "\"a\" | W/\"a\" | true",
        "\"1\", \"a\" , \"2\" | \"a\" | true",
        "\"x,y\",\"b\" | \"x,y\" | true",
        "\"x,a\",\"b\" | \"a\" | false",
        "\"x,\",\"b\" | \"x,\" | true",
        "W/\"x,\",\"b\" | \"x,\" | true",
        "\"b\", stiY3Qm | stiY3Qm | true",
        "\"b\", W/ | \"a\" | false",
        "* | \"a\" | true",
        "*, \"b\" | \"a\" | false",
        "stiY3Qm | stiY3Qm | true",
        "\"stiY3Qm\" | stiY3Qm | false",
        "stiY3Qm-not | stiY3Qm | false",
        "\"a | \"a\" | false",
        "\"a\"x | \"a\" | false",
        "w/\"a\" | \"a\" | false",
        ", , | \"a\" | false"
      })
  void matchWeakly_listOfTags_comparesThemAsTheyStand(String list, String tag, boolean matches) {
    var tags = EntityTags.of(FieldList.of("If-None-Match", list), FieldName.IF_NONE_MATCH);
    assertThat(tags.matchWeakly(tag)).isEqualTo(matches);
  }

  @Test
  void matchStrongly_weakTag_neverMatches() {
    var tags = EntityTags.of(FieldList.of("If-Match", "W/\"a\", \"b\""), FieldName.IF_MATCH);
    assertThat(tags.matchStrongly("W/\"a\"")).isFalse();
    assertThat(tags.matchStrongly("\"a\"")).isFalse();
    assertThat(tags.matchStrongly("\"b\"")).isTrue();
    assertThat(tags.matchStrongly(null)).isFalse();
  }

  @Test
  void of_noCondition_proceeds() {
    assertThat(of()).isEqualTo(PROCEED);
  }

  @Test
  void of_ifNoneMatch_goesBeforeIfModifiedSince() {
    assertThat(of("If-None-Match", "\"a\"", "If-Modified-Since", EARLY)).isEqualTo(NOT_MODIFIED);
    assertThat(of("If-None-Match", "\"b\"", "If-Modified-Since", LATE)).isEqualTo(PROCEED);
  }

  @Test
  void of_ifModifiedSince_comparesWithLastModified() {
    assertThat(of("If-Modified-Since", EARLY)).isEqualTo(PROCEED);
    assertThat(of("If-Modified-Since", MIDDLE)).isEqualTo(NOT_MODIFIED);
    assertThat(of("If-Modified-Since", LATE)).isEqualTo(NOT_MODIFIED);
    assertThat(of("If-Modified-Since", "yesterday")).isEqualTo(PROCEED);
    assertThat(of("If-Modified-Since", LATE, "If-Modified-Since", LATE)).isEqualTo(PROCEED);
  }

  // RFC 9111 4.3.2
  @Test
  void of_ifModifiedSinceWithoutLastModified_comparesWithDateThenReceipt() {
    FieldList since = FieldList.of("If-Modified-Since", LATE);
    assertThat(Preconditions.of(since, 200, FieldList.of("Date", MIDDLE), NOW))
        .isEqualTo(NOT_MODIFIED);
    assertThat(Preconditions.of(since, 200, FieldList.EMPTY, NOW)).isEqualTo(PROCEED);
  }

  @Test
  void of_ifMatch_goesBeforeIfUnmodifiedSince() {
    assertThat(of("If-Match", "\"a\"", "If-Unmodified-Since", EARLY)).isEqualTo(PROCEED);
    assertThat(of("If-Match", "\"b\"", "If-Unmodified-Since", LATE)).isEqualTo(FAILED);
    assertThat(of("If-Match", "*")).isEqualTo(PROCEED);
    assertThat(of("If-Unmodified-Since", EARLY)).isEqualTo(FAILED);
    assertThat(of("If-Unmodified-Since", MIDDLE)).isEqualTo(PROCEED);
    assertThat(of("If-Unmodified-Since", "yesterday")).isEqualTo(PROCEED);
    assertThat(of("If-Match", "\"a\"", "If-None-Match", "\"a\"")).isEqualTo(NOT_MODIFIED);
  }

  // RFC 9110 13.2.1
  @Test
  void of_storedErrorOrRedirect_ignoresConditions() {
    FieldList any = FieldList.of("If-None-Match", "*", "If-Match", "\"b\"");
    assertThat(Preconditions.of(any, 404, STORED, NOW)).isEqualTo(PROCEED);
    assertThat(Preconditions.of(any, 301, STORED, NOW)).isEqualTo(PROCEED);
    assertThat(Preconditions.of(any, 300, STORED, NOW)).isEqualTo(PROCEED);
    assertThat(Preconditions.of(any, 199, STORED, NOW)).isEqualTo(PROCEED);
    assertThat(Preconditions.of(any, 299, STORED, NOW)).isEqualTo(FAILED);
  }

  // DEC-34: a strong validator only; C04: `If-Range: W/"x"`.
  @Test
  void ifRangeHolds_onlyForAStrongValidator() {
    FieldList weak = FieldList.of("ETag", "W/\"a\"", "Last-Modified", LATE, "Date", LATE);
    assertThat(ifRange(STORED, "\"a\"")).isTrue();
    assertThat(ifRange(STORED, "\"b\"")).isFalse();
    assertThat(ifRange(STORED, "W/\"a\"")).isFalse();
    assertThat(ifRange(weak, "W/\"a\"")).isFalse();
    assertThat(ifRange(STORED, MIDDLE)).isTrue();
    assertThat(ifRange(STORED, LATE)).isFalse();
    assertThat(ifRange(STORED, EARLY)).isFalse();
    assertThat(ifRange(weak, LATE)).isFalse();
    assertThat(ifRange(FieldList.EMPTY, "\"a\"")).isFalse();
    assertThat(ByteRange.ifRangeHolds(FieldList.EMPTY, STORED, NOW)).isTrue();
  }

  /** RFC 9110 8.8.2.2: only a date a second older than the answer is a strong validator. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "2, true"})
  void ifRangeHolds_forADate_aSecondOlderThanTheAnswer(long seconds, boolean holds) {
    String made = HttpDate.format(NOW - 5_000_000 + seconds * 1000);

    assertThat(ifRange(FieldList.of("Last-Modified", MIDDLE, "Date", made), MIDDLE))
        .isEqualTo(holds);
  }

  private static boolean ifRange(FieldList stored, String value) {
    return ByteRange.ifRangeHolds(FieldList.of("If-Range", value), stored, NOW);
  }

  @Test
  void varyNames_severalLines_areSortedAndDistinct() {
    var vary = VaryNames.of(FieldList.of("Vary", "RSC, accept-encoding,,", "Vary", "rsc, Accept"));
    assertThat(vary).isEqualTo(new VaryNames(false, List.of("accept", "accept-encoding", "rsc")));
    assertThat(VaryNames.of(FieldList.EMPTY)).isEqualTo(VaryNames.NONE);
    assertThat(VaryNames.of(FieldList.of("Vary", " "))).isEqualTo(VaryNames.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"*", "*, *", ", *", "*, Foo", "Foo, *", "foo bar", "\"x\"", "a;b"})
  void varyNames_starOrNoName_isStar(String value) {
    assertThat(VaryNames.of(FieldList.of("Vary", value))).isEqualTo(VaryNames.STAR);
    assertThat(VaryNames.of(FieldList.of("Vary", "accept", "Vary", value)).star()).isTrue();
  }
}
