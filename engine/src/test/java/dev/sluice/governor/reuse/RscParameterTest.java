package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the digest is made of: each selector's value, or 0 where it does not count. */
class RscParameterTest {

  private final RscParameter rsc = new RscParameter();

  private String of(String... fields) {
    return rsc.of(FieldList.of(fields));
  }

  /** Twelve octets of the SHA-256 in base64url. */
  private static String digest(String input) throws Exception {
    byte[] octets = input.getBytes(StandardCharsets.UTF_8);
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(octets);
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sha256, 12));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "3"})
  void prefetch_ofAKnownKind_counts(String kind) throws Exception {
    assertThat(of("Next-Router-Prefetch", kind)).isEqualTo(digest(kind + ",0,0,0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "4", "10", "x"})
  void prefetch_ofAnyOther_doesNot(String kind) throws Exception {
    assertThat(of("Next-Router-Prefetch", kind)).isEmpty();
    assertThat(of("Next-Router-Prefetch", kind, "Next-Url", "/")).isEqualTo(digest("0,0,0,/"));
  }

  @Test
  void segment_thatIsEmpty_doesNotCount_butTreeAndUrlDo() throws Exception {
    assertThat(of("Next-Router-Segment-Prefetch", "")).isEmpty();
    assertThat(of("Next-Router-Segment-Prefetch", "/")).isEqualTo(digest("0,/,0,0"));
    assertThat(of("Next-Router-State-Tree", "")).isEqualTo(digest("0,0,,0"));
    assertThat(of("Next-Url", "")).isEqualTo(digest("0,0,0,"));
  }

  /** RFC 9110 5.3: as the origin joins them. */
  @Test
  void selectorOnTwoLines_isOneList() throws Exception {
    assertThat(of("Next-Url", "/a", "X-A", "1", "next-url", "/b"))
        .isEqualTo(digest("0,0,0,/a, /b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u007f", "\u0080", "\u00bf", "\u00c0", "\u00ff"})
  void octetsBeyondAscii_areDigestedAsUtf8(String value) throws Exception {
    assertThat(of("Next-Url", value)).isEqualTo(digest("0,0,0," + value));
  }

  @ParameterizedTest
  @ValueSource(ints = {240, 249, 250, 251, 252, 511, 512, 5000})
  void selectorOfAnyLength_isDigestedWhole(int length) throws Exception {
    String ascii = "x".repeat(length);
    String octets = "x" + "\u00e9".repeat(length);

    assertThat(of("Next-Url", ascii)).isEqualTo(digest("0,0,0," + ascii));
    assertThat(new RscParameter().of(FieldList.of("Next-Url", octets)))
        .isEqualTo(digest("0,0,0," + octets));
  }

  @Test
  void digest_isTheSame_howeverOftenItIsMade() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(of("Next-Url", "/" + i)).isEqualTo(digest("0,0,0,/" + i));
    }
  }
}
