package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheControlTest {

  private static CacheControl of(String... lines) {
    String[] fields = new String[2 * lines.length];
    for (int i = 0; i < lines.length; i++) {
      fields[2 * i] = "cache-control";
      fields[2 * i + 1] = lines[i];
    }
    return CacheControl.of(FieldList.of(fields), FieldName.CACHE_CONTROL);
  }

  @Test
  void saysOnlyWhatItNames() {
    CacheControl said = of("public, max-age=60");
    assertThat(said.isPublic()).isTrue();
    assertThat(said.noStore()).isFalse();
    assertThat(said.noCache()).isFalse();
    assertThat(said.isPrivate()).isFalse();
    assertThat(said.mustRevalidate()).isFalse();
    assertThat(said.proxyRevalidate()).isFalse();
    assertThat(said.onlyIfCached()).isFalse();
    assertThat(said.mustUnderstand()).isFalse();
    assertThat(said.immutable()).isFalse();
    assertThat(said.staleIfError()).isEqualTo(CacheControl.ABSENT);
    assertThat(of("stale-if-error=7").staleIfError()).isEqualTo(7);
    assertThat(of("stale-if-error=7").isPublic()).isFalse();
  }

  // RFC 9111 1.2.2, 4.2.1, 5.2: the value that counts.
  @ParameterizedTest(name = "[{0}] -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "max-age=60 | 60",
        "MaX-aGe=60 | 60",
        "max-age=003600 | 3600",
        "max-age=\"60\" | 60",
        ", ,max-age=60,, | 60",
        "foobar, max-age=60, x=\"a,b\" | 60",
        "ext=\"max-age=3600\", max-age=1 | 1",
        "max-age=1, ext=\"a \\\" max-age=3600\" | 1",
        "max-age=3600, max-age=1 | 1",
        "max-age=1, max-age=3600 | 1",
        "max-age=2147483648 | 2147483648",
        "max-age=99999999999999999999999 | 2147483648",
        "max-age=-3600 | 0",
        "max-age=a60 | 0",
        "max-age=60a | 0",
        "max-age=60.0 | 0",
        "max-age='60' | 0",
        "max-age= 60 | 0",
        "max-age =60 | 0",
        "max-age= | 0",
        "max-age | 0",
        "max-age=\"60 | 0",
        "max-age=60; s-maxage=5 | 0",
        "x-max-age=60 | -1",
        "public | -1",
        "`` | -1",
      })
  void maxAge_anyForm_isTheStricterReading(String line, long seconds) {
    assertThat(of(line).maxAge()).isEqualTo(seconds);
  }

  @Test
  void maxAge_onTwoLines_isTheSmaller() {
    assertThat(of("max-age=1800", "max-age=1").maxAge()).isEqualTo(1);
  }

  // C02 (c): a list of fields does not make them less private; damage does not hide a word.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "private",
        "PRIVATE",
        "private=\"x-user\"",
        "private=x-user",
        "max-age=60, private=\"a, b\"",
        "private; max-age=60",
        "public; private",
        "max-age=60 private",
        "ext=\"never ends, private, max-age=60",
        "private=\"never ends"
      })
  void isPrivate_qualifiedOrDamaged_holds(String line) {
    assertThat(of(line).isPrivate()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext=\"private\"", "x-private", "privateer", "private-ish=1", ""})
  void isPrivate_otherWords_doesNot(String line) {
    assertThat(of(line).isPrivate()).isFalse();
  }

  @Test
  void of_lineWithQuoteThatNeverEnds_grantsNothingBehindIt() {
    CacheControl control = of("ext=\"a, max-age=60, public, no-store, immutable");
    assertThat(control.maxAge()).isEqualTo(CacheControl.ABSENT);
    assertThat(control.isPublic()).isFalse();
    assertThat(control.immutable()).isFalse();
    assertThat(control.noStore()).isTrue();
  }

  @Test
  void flags_allOfThem_areTold() {
    CacheControl control =
        of(
            "no-store, no-cache=\"set-cookie\", public, must-revalidate, proxy-revalidate",
            "only-if-cached, must-understand, immutable");
    assertThat(control.noStore()).isTrue();
    assertThat(control.noCache()).isTrue();
    assertThat(control.isPublic()).isTrue();
    assertThat(control.mustRevalidate()).isTrue();
    assertThat(control.proxyRevalidate()).isTrue();
    assertThat(control.onlyIfCached()).isTrue();
    assertThat(control.mustUnderstand()).isTrue();
    assertThat(control.immutable()).isTrue();
    assertThat(control.isPrivate()).isFalse();
  }

  // N04: valueless stale-while-revalidate is 0, not endless.
  @Test
  void staleWindows_withoutValue_areZero() {
    CacheControl control = of("s-maxage=1, stale-while-revalidate, stale-if-error=x");
    assertThat(control.sMaxAge()).isEqualTo(1);
    assertThat(control.staleWhileRevalidate()).isZero();
    assertThat(control.staleIfError()).isZero();
  }

  @Test
  void requestDirectives_severalValues_keepTheStricter() {
    CacheControl control = of("min-fresh=5, max-stale", "min-fresh=9, max-stale=3");
    assertThat(control.minFresh()).isEqualTo(9);
    assertThat(control.maxStale()).isEqualTo(3);
    assertThat(of("max-stale").maxStale()).isEqualTo(1L << 31);
  }

  @Test
  void of_noSuchField_isNone() {
    assertThat(CacheControl.of(FieldList.EMPTY, FieldName.CACHE_CONTROL))
        .isSameAs(CacheControl.NONE);
    assertThat(CacheControl.NONE.sMaxAge()).isEqualTo(CacheControl.ABSENT);
  }
}
