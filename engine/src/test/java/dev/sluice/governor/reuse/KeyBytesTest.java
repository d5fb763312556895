package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.governor.reuse.cache.CacheKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The octets of a key: modified UTF-8, decimal ports, and what is no key. */
class KeyBytesTest {

  private final KeyWriter writer = new KeyWriter();

  private byte[] written(String text) {
    writer.begin();
    writer.text(text);
    return writer.key().bytes();
  }

  @Test
  void text_ofAscii_isAnOctetEach_butForNul() {
    assertThat(written("\u0001A~\u007f")).containsExactly(1, 'A', '~', 0x7f);
    assertThat(written("\0")).containsExactly(0xc0, 0x80);
  }

  @Test
  void text_beyondAscii_isUtf8() {
    String text = "\u0080\u00e9\u07ff\u0800\u0fff\u1000\uffff";

    assertThat(written(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0080", "\u07ff", "\u0800", "\u0fff", "\u1000", "\uffff"})
  void text_beyondAscii_readsBack(String text) {
    Asking asked = Asking.shop(Asking.ALL);

    assertThat(asked.parts("/p", "Next-Url", text).fields())
        .containsEntry("next-url", Optional.of(text));
  }

  @ParameterizedTest
  @CsvSource({"0", "9", "10", "11", "99", "100", "65535"})
  void number_isWrittenInDecimals(int number) {
    writer.begin();
    writer.number(number);

    assertThat(new String(writer.key().bytes(), StandardCharsets.US_ASCII))
        .isEqualTo(Integer.toString(number));
  }

  /** Of a configured field also its absence is in the key, whether the vocabulary has it or not. */
  @ParameterizedTest
  @ValueSource(strings = {"accept", "x-country"})
  void fieldThatIsAbsent_isInTheKey_asThat(String name) {
    Asking asked = Asking.shop(Asking.vary(name));

    assertThat(asked.parts("/p").fields()).containsEntry(name, Optional.empty());
    assertThat(asked.parts("/p", name, "a").fields()).containsEntry(name, Optional.of("a"));
  }

  @Test
  void hostOfAPortAlone_isNothing() {
    Asking asked = Asking.shop(Asking.ALL);

    assertThat(KeyParts.of(asked.keyed(Asking.head("GET", ":81", "/")).key()).host())
        .isEqualTo(":81");
  }

  @Test
  void octetsThatEndWithTheirHead_areNoKey() {
    byte[] head = {KeyParts.VERSION, KeyParts.BUILT, KeyParts.HTTP, KeyParts.GET};

    for (int length = 0; length <= head.length; length++) {
      CacheKey cut = new CacheKey(head, length);
      assertThatIllegalArgumentException().isThrownBy(() -> KeyParts.of(cut));
    }
  }

  @Test
  void octetsOfAnotherVersion_areNoKey() {
    byte[] other = Asking.shop(Asking.ALL).keyed("/p").key().bytes().clone();
    other[0]++;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyParts.of(new CacheKey(other, other.length)));
  }
}
