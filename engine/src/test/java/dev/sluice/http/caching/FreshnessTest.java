package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 4.2, 5.1, 5.3. */
class FreshnessTest {

  private static final long NOW = 1_800_000_000_000L;

  /** Name and value in turns; a value {@code @n} is the date n seconds from now. */
  private static Freshness of(String... fields) {
    List<String> lines = new ArrayList<>();
    for (String text : fields) {
      lines.add(
          text.startsWith("@")
              ? HttpDate.format(NOW + 1000 * Long.parseLong(text.substring(1)))
              : text);
    }
    FieldList headers = FieldList.of(lines.toArray(String[]::new));
    return Freshness.of(headers, TargetedControl.governing(headers), NOW);
  }

  @Test
  void lifetime_severalSources_followTheirPrecedence() {
    String[] all = {"Expires", "@900", "Date", "@0", "Cache-Control", "max-age=60, s-maxage=30"};
    assertThat(of(all).lifetimeSeconds()).isEqualTo(30);
    assertThat(of("Expires", "@900", "Cache-Control", "max-age=60").lifetimeSeconds())
        .isEqualTo(60);
    assertThat(of("Expires", "@900", "Date", "@-100").lifetimeSeconds()).isEqualTo(1000);
    assertThat(of("Expires", "@900", "Date", "foo").lifetimeSeconds()).isEqualTo(900);
    assertThat(of("Cache-Control", "max-age=0, s-maxage=60", "Expires", "@-10").lifetimeSeconds())
        .isEqualTo(60);
    assertThat(of("CDN-Cache-Control", "foo", "Expires", "@900").isExplicit()).isFalse();
    assertThat(of("Date", "@0").isExplicit()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, @0", "-1, @0", "@-5, @0", "@0, @0", "@300, @400", "tomorrow, @0"})
  void lifetime_expiresPastOrInvalid_isZero(String expires, String date) {
    Freshness freshness = of("Expires", expires, "Date", date);
    assertThat(freshness.isExplicit()).isTrue();
    assertThat(freshness.lifetimeSeconds()).isZero();
  }

  @Test
  void lifetime_twoExpires_isTheStricter() {
    assertThat(of("Expires", "@900", "Expires", "@5").lifetimeSeconds()).isEqualTo(5);
    assertThat(of("Expires", "@900", "Expires", "soon").lifetimeSeconds()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "7200 | 7200",
        "2147483647 | 2147483647",
        "2147483649 | 2147483648",
        "99999999999999999999 | 2147483648"
      })
  void initialAge_ofTheAgeField_isItsSeconds(String age, long seconds) {
    assertThat(of("Date", "@0", "Age", age).initialAgeMillis()).isEqualTo(seconds * 1000);
  }

  /** What cannot be read is older than any lifetime, not new (RFC 9111 5.1, on the safe side). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "-7200",
        "+0",
        "7200.0",
        "0;foo=bar",
        "0 0",
        "0,7200",
        "0, 0",
        "3600, 3600",
        "0,"
      })
  void initialAge_ofAnUnreadableAge_isThatOfNothingFresh(String age) {
    assertThat(of("Date", "@0", "Age", age).initialAgeMillis()).isEqualTo(1000L << 31);
  }

  @Test
  void initialAge_twoLines_areUnreadable() {
    assertThat(of("Age", "0", "Age", "7200").initialAgeMillis()).isEqualTo(1000L << 31);
    assertThat(of("Age", "0", "Age", "0").initialAgeMillis()).isEqualTo(1000L << 31);
  }

  // RFC 9111 4.2.3; DEC-49
  @Test
  void initialAge_dateBehind_isTheLargerOfBoth() {
    assertThat(of("Date", "@-7200", "Age", "5").initialAgeMillis()).isEqualTo(7_200_000);
    assertThat(of("Date", "@-10", "Age", "25").initialAgeMillis()).isEqualTo(25_000);
    assertThat(of("Date", "@10", "Age", "15").initialAgeMillis()).isEqualTo(15_000);
    assertThat(of("Date", "@100").initialAgeMillis()).isZero();
  }

  @Test
  void initialAge_dateOfThisSecondOrTheLast_isNone() {
    assertThat(of("Date", "@-1").initialAgeMillis()).isZero();
    assertThat(of("Date", "@-2").initialAgeMillis()).isEqualTo(2000);
  }

  @Test
  void heuristic_lastModified_isATenthOfItsAge() {
    assertThat(of("Last-Modified", "@-1000", "Date", "@0").heuristicSeconds()).isEqualTo(100);
    assertThat(of("Last-Modified", "@-1000", "Date", "@-500").heuristicSeconds()).isEqualTo(50);
    assertThat(of("Last-Modified", "@10").heuristicSeconds()).isZero();
    assertThat(of("Last-Modified", "@-1000", "Cache-Control", "max-age=1").heuristicSeconds())
        .isZero();
  }
}
