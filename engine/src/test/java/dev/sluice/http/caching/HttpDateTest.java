package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 5.6.7. */
class HttpDateTest {

  private static final long NOW = Instant.parse("2026-11-30T08:00:00Z").toEpochMilli();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "SUN, 06 nov 1994 08:49:37 gMT",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994"
      })
  void parse_eachForm_isTheSameMoment(String text) {
    assertThat(HttpDate.parse(text, NOW))
        .isEqualTo(Instant.parse("1994-11-06T08:49:37Z").toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({"75, 2075", "76, 2076", "77, 1977", "99, 1999", "00, 2000", "26, 2026", "50, 2050"})
  void parse_yearOfTwoDigits_isNeverMoreThanFiftyYearsAhead(String two, int year) {
    assertThat(HttpDate.parse("Sunday, 06-Nov-" + two + " 08:49:37 GMT", NOW))
        .isEqualTo(Instant.parse(year + "-11-06T08:49:37Z").toEpochMilli());
  }

  /** In the second half of a century some of its two-digit years are those of the next one. */
  @ParameterizedTest
  @CsvSource({"00, 2100", "05, 2105", "10, 2110", "11, 2011", "59, 2059", "60, 2060", "99, 2099"})
  void parse_yearOfTwoDigits_mayBeOfTheNextCentury(String two, int year) {
    long then = Instant.parse("2060-11-30T08:00:00Z").toEpochMilli();

    assertThat(HttpDate.parse("Sunday, 06-Nov-" + two + " 08:49:37 GMT", then))
        .isEqualTo(Instant.parse(year + "-11-06T08:49:37Z").toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "00:00:00, 00:00:00",
    "00:00:59, 00:00:59",
    "00:59:00, 00:59:00",
    "23:00:00, 23:00:00",
    "23:59:59, 23:59:59",
    "23:59:60, 23:59:59"
  })
  void parse_timeOfTheDay_fromItsFirstToItsLeapSecond(String time, String read) {
    assertThat(HttpDate.parse("Thu, 18 Aug 2050 " + time + " GMT", NOW))
        .isEqualTo(Instant.parse("2050-08-18T" + read + "Z").toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "24:00:00",
        "00:60:00",
        "00:00:61",
        "x0:00:00",
        "00:0x:00",
        "00:00:x0",
        "00.00:00",
        "00:00.00"
      })
  void parse_timeOfNoDay_isInvalid(String time) {
    assertThat(HttpDate.parse("Thu, 18 Aug 2050 " + time + " GMT", NOW))
        .isEqualTo(HttpDate.INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "Thu, 18 Aug 2050 02:01:18 UTC",
        "Thu, 18 Aug 2050 02:01:18 AEST",
        "Thu, 18 Aug 50 02:01:18 GMT",
        "Thu 18 Aug 2050 02:01:18 GMT",
        "Thu,  18  Aug  2050  02:01:18  GMT",
        "Thu, 18-Aug-2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02.01.18 GMT",
        "Thu, 18 Aug 2050 2:01:18 GMT",
        "Thu, 31 Feb 2050 02:01:18 GMT",
        "Thu, 00 Aug 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 24:01:18 GMT",
        "Thu, 18 Aug 2050 02:61:18 GMT",
        "Thu, 18 Aug 20x0 02:01:18 GMT",
        "Thu, 1x Aug 2050 02:01:18 GMT",
        "Thursday, 18-Aug-x0 02:01:18 GMT",
        ",",
        ", 18-Aug-50 02:01:18 GMT",
        "Xxx, 18 Aug 2050 02:01:18 GMT",
        "Thu, 18 Foo 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT",
        "Thursday, 18-Aug-2050 02:01:18 GMT"
      })
  void parse_notToTheLetter_isInvalid(String text) {
    assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
  }

  @Test
  void parse_beforeTheEpoch_isItsBeginning() {
    assertThat(HttpDate.parse("Wed, 01 Jan 1969 00:00:00 GMT", NOW)).isZero();
    assertThat(HttpDate.parse("Sat, 01 Jan 0000 00:00:00 GMT", NOW)).isZero();
  }

  @Test
  void format_parsed_isTheSame() {
    assertThat(HttpDate.format(784111777000L)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(HttpDate.parse(HttpDate.format(NOW), NOW)).isEqualTo(NOW);
  }
}
