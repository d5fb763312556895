package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110 5.6. */
class ScanTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a,b | 0 | 1", ",a,b | 0 | 0", ",a,b | 1 | 2", "a | 0 | 1", "a,b | 2 | 3"})
  void nextComma_isTheFirstFromThere_orTheEnd(String text, int from, int comma) {
    assertThat(Scan.nextComma(text, from)).isEqualTo(comma);
  }

  /** RFC 9110 5.6.2. */
  @Test
  void tokenChars_areThoseOfTheRule_andNoOther() {
    String tchar = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (char c = 0; c <= 0x17f; c++) {
      assertThat(Scan.isTokenChar(c)).as("character %d", (int) c).isEqualTo(tchar.indexOf(c) >= 0);
    }
  }
}
