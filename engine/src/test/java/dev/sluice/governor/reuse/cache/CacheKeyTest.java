package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CacheKeyTest {

  @Test
  void keys_areEqualByTheirBytes() {
    assertThat(Entries.key("abc"))
        .isEqualTo(Entries.key("abc"))
        .hasSameHashCodeAs(Entries.key("abc"));
    assertThat(Entries.key("abc")).isNotEqualTo(Entries.key("abd"));
    byte[] longer = "abcdef".getBytes(StandardCharsets.UTF_8);
    assertThat(new CacheKey(longer, 3)).isEqualTo(Entries.key("abc"));
    longer[0] = 'x';
    assertThat(new CacheKey(longer, 3)).isEqualTo(Entries.key("xbc"));
  }

  /** KEY-24: "Aa" and "BB" hash alike, as do all strings made of them. */
  @Test
  void keysOfOneHash_areDifferentAndOrdered() {
    CacheKey one = Entries.key("AaBBAa");
    CacheKey other = Entries.key("BBAaBB");
    assertThat(one).hasSameHashCodeAs(other).isNotEqualTo(other);
    assertThat(one.compareTo(other)).isNegative();
    assertThat(other.compareTo(one)).isPositive();
    assertThat(one.compareTo(Entries.key("AaBBAa"))).isZero();
  }
}
