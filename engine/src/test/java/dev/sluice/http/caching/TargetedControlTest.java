package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9213 (BEY-21). */
class TargetedControlTest {

  private static CacheControl cdn(String value) {
    return TargetedControl.governing(
        FieldList.of("Cache-Control", "no-store, max-age=7", "CDN-Cache-Control", value));
  }

  @Test
  void governing_validTargetedField_standsInForTheCommonOne() {
    CacheControl control = cdn("max-age=3600, foobar, stale-while-revalidate=9;x=1");
    assertThat(control.maxAge()).isEqualTo(3600);
    assertThat(control.staleWhileRevalidate()).isEqualTo(9);
    assertThat(control.noStore()).isFalse();
    assertThat(control.isTargeted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "max-age=10000, &&&&&",
        "max-age=\"10000\"",
        "max-age=10.5",
        "max-age=token",
        "max-age =100",
        "max-age= 100",
        "MaX-aGe=3600",
        "max-age=3600,",
        "max-age=3600+600",
        "no-store, content=\"ESI/1.0",
        "max-age=1234567890123456",
        "private=(\"a\" \"b\""
      })
  void governing_invalidTargetedField_isAsIfAbsent(String value) {
    CacheControl control = cdn(value);
    assertThat(control.noStore()).isTrue();
    assertThat(control.maxAge()).isEqualTo(7);
    assertThat(control.isTargeted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private",
        "private=(\"a\" \"b\");x",
        "private=?1",
        "private=1",
        "private=\"x\"",
        "private=:YQ==:"
      })
  void governing_privateInAnyForm_counts(String value) {
    assertThat(cdn(value).isPrivate()).isTrue();
  }

  @Test
  void governing_falseFlag_isNone() {
    assertThat(cdn("no-store=?0, max-age=5").noStore()).isFalse();
  }

  @Test
  void governing_negativeOrMissingSeconds_areStale() {
    assertThat(cdn("max-age=-1").maxAge()).isZero();
    assertThat(cdn("max-age").maxAge()).isZero();
    assertThat(cdn("max-age=99999999999").maxAge()).isEqualTo(1L << 31);
  }

  @Test
  void governing_twoLines_areOneDictionaryInWhichTheLastHolds() {
    CacheControl control =
        TargetedControl.governing(
            FieldList.of("CDN-Cache-Control", "max-age=5", "CDN-Cache-Control", "max-age=9"));
    assertThat(control.maxAge()).isEqualTo(9);
  }

  @Test
  void governing_bothTargeted_theCdnFieldWins() {
    CacheControl both =
        TargetedControl.governing(
            FieldList.of("Surrogate-Control", "max-age=5", "CDN-Cache-Control", "max-age=9"));
    CacheControl fallback =
        TargetedControl.governing(
            FieldList.of("Surrogate-Control", "max-age=5", "CDN-Cache-Control", "&"));
    assertThat(both.maxAge()).isEqualTo(9);
    assertThat(fallback.maxAge()).isEqualTo(5);
  }
}
