package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({"1500ms,1500", "2s,2000", "5m,300000", "1h,3600000"})
  void duration_withItsUnit_isRead(String text, long millis) {
    assertThat(Units.duration(text, false)).isEqualTo(new Good(Duration.ofMillis(millis)));
    assertThat(Units.print(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"512B,512", "64KiB,65536", "2MiB,2097152", "1GiB,1073741824"})
  void size_withItsUnit_isRead(String text, long bytes) {
    assertThat(Units.size(text)).isEqualTo(new Good(bytes));
    assertThat(Units.print(bytes)).isEqualTo(text);
  }

  @Test
  void largestSize_isReadInItsSmallestUnit() {
    assertThat(Units.size("1125899906842624B")).isEqualTo(new Good(1L << 50));
    assertThat(Units.size("1125899906842625B")).isInstanceOf(Bad.class);
    assertThat(Units.size("999999999999999999GiB")).isInstanceOf(Bad.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"5", "", "5 s", "-5s", "1.5s", "5S", "5d", "s", "0", "0s", "99999999h", "5s/s"})
  void duration_thatIsNone_isRefused(String text) {
    assertThat(Units.duration(text, false)).isInstanceOf(Bad.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "5KB", "5kib", "5 KiB", "1KiB/s", "99999999999999GiB"})
  void size_thatIsNone_isRefused(String text) {
    assertThat(Units.size(text)).isInstanceOf(Bad.class);
  }

  @Test
  void rate_needsItsUnit_orIsOff() {
    assertThat(Units.rate("1KiB/s")).isEqualTo(new Good(1024L));
    assertThat(Units.rate("0")).isEqualTo(new Good(0L));
    assertThat(Units.rate("1KiB")).isInstanceOf(Bad.class);
    assertThat(Units.rate("1024")).isInstanceOf(Bad.class);
  }

  @Test
  void zero_whereItIsOff_needsNoUnit() {
    assertThat(Units.duration("0", true)).isEqualTo(new Good(Duration.ZERO));
    assertThat(Units.duration("0s", true)).isEqualTo(new Good(Duration.ZERO));
  }

  @Test
  void decimalUnit_isToldTheBinaryOne() {
    assertThat(((Bad) Units.size("5MB")).remedy()).contains("MiB");
  }
}
