package dev.sluice.reports.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "answered_after_millis | answered after | ms",
        "grown_mib             | grown          | MiB",
        "origin_peak           | origin peak    | ''",
        "bytes_for_each_hit    | bytes for each hit | ''",
        "leak lines            | leak lines     | ''",
        "millis                | millis         | ''",
      })
  void key_isReadAsWordsAndAUnit(String key, String label, String unit) {
    assertThat(Figures.label(key)).isEqualTo(label);
    assertThat(Figures.unit(key)).isEqualTo(unit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "1234567 | 1,234,567",
        "1234.5 | 1,235",
        "17.25 | 17.3",
        "1.5 | 1.5",
        "1.256 | 1.26",
        "0.0312 | 0.031",
        "-54 | -54",
        "NaN | –",
      })
  void number_hasAboutThreeDigits(double number, String text) {
    assertThat(Figures.number(number)).isEqualTo(text);
  }

  @Test
  void value_hasItsUnit() {
    assertThat(Figures.value("took_millis", 1_500)).isEqualTo("1,500 ms");
    assertThat(Figures.value("grown_bytes", 12_582_912)).isEqualTo("12 MiB");
    assertThat(Figures.value("grown_bytes", 512)).isEqualTo("512 B");
    assertThat(Figures.value("has_retry_after", true)).isEqualTo("yes");
    assertThat(Figures.value("seen", "a")).isEqualTo("a");
    assertThat(Figures.value("statuses", new TreeMap<>(Map.of("200", 5, "503", 2))))
        .isEqualTo("200 5, 503 2");
  }

  @Test
  void bound_hasItsNumbersInTheSameUnit() {
    assertThat(Figures.bound("took_millis", "from 1950 to 2600"))
        .isEqualTo("from 1,950 ms to 2,600 ms");
    assertThat(Figures.bound("peak", "exactly 60")).isEqualTo("exactly 60");
    assertThat(Figures.bound("protocol", "equal to HTTP/1.1")).isEqualTo("equal to HTTP/1.1");
  }

  @Test
  void duration_isInSecondsThenInMinutes() {
    assertThat(Figures.duration(14_170)).isEqualTo("14.2 s");
    assertThat(Figures.duration(59_999)).isEqualTo("1 min 0 s");
    assertThat(Figures.duration(125_000)).isEqualTo("2 min 5 s");
  }
}
