package dev.sluice.governor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTableTest {

  private final HostTable table = new HostTable(List.of("Shop.example", "*.cdn.example", "[::1]"));

  @ParameterizedTest
  @CsvSource({
    "shop.example,        true",
    "SHOP.EXAMPLE.:8080,  true",
    "www.shop.example,    false",
    "a.cdn.example,       true",
    "a.b.cdn.example:443, true",
    "cdn.example,         false",
    "evilcdn.example,     false",
    "[::1]:80,            true",
    "'',                  false",
    "shop.example/x,      false",
    "u@shop.example,      false",
  })
  void serves_DEC46_namesAndSuffixes(String authority, boolean expected) {
    assertThat(table.serves(authority)).isEqualTo(expected);
  }

  @Test
  void serves_noHosts_isAny() {
    assertThat(new HostTable(List.of()).serves("anything")).isTrue();
    assertThat(new HostTable(List.of()).serves("")).isTrue();
  }
}
