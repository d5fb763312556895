package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.caching.StructuredDictionary.Member;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The syntax of RFC 8941 3.1 to 3.3, where it ends and what of it is kept. */
class StructuredDictionaryTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a                         | TRUE    | 0",
        "*a_b-c.d*9                | TRUE    | 0",
        "a=?1                      | TRUE    | 0",
        "a=?0                      | FALSE   | 0",
        "a=0                       | INTEGER | 0",
        "a=-17                     | INTEGER | -17",
        "a=999999999999999         | INTEGER | 999999999999999",
        "a=-999999999999999        | INTEGER | -999999999999999",
        "a=123456789012.345        | OTHER   | 0",
        "a=1.5                     | OTHER   | 0",
        "a=-0.1                    | OTHER   | 0",
        "a=\"\"                    | OTHER   | 0",
        "a=\" x~\"                 | OTHER   | 0",
        "a=\"say \\\"b\\\" or \\\\\" | OTHER | 0",
        "a=:QUI/+zA5==:            | OTHER   | 0",
        "a=::                      | OTHER   | 0",
        "a=token                   | OTHER   | 0",
        "a=Ab:/c!#9                | OTHER   | 0",
        "a=*x                      | OTHER   | 0",
        "a=()                      | OTHER   | 0",
        "a=(  1 \"b\";x;y=2  ?0 )  | OTHER   | 0",
        "a;x                       | TRUE    | 0",
        "a=5;x=1;y=\"b\";  z=?0    | INTEGER | 5",
        "a=5; x                    | INTEGER | 5",
      })
  void member_ofValidText_hasItsType(String text, StructuredDictionary.Type type, long number) {
    assertThat(StructuredDictionary.parse(text))
        .as(text)
        .containsExactly(Map.entry(text.replaceAll("[=;].*", ""), new Member(type, number)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A",
        "1a",
        "-a",
        "a=",
        "a=-",
        "a=--1",
        "a=1000000000000000",
        "a=1.",
        "a=1.2345",
        "a=1234567890123.1",
        "a=?2",
        "a=?",
        "a=\"b",
        "a=\"\\n\"",
        "a=\"\\",
        "a=\"\u007f\"",
        "a=\"\t\"",
        "a=\"é\"",
        "a=:Q",
        "a=:Q*:",
        "a=:Q Q:",
        "a=(",
        "a=(1",
        "a=(1\"b\")",
        "a=(1;X)",
        "a=(,)",
        "a=@",
        "a=[",
        "a;",
        "a;X",
        "a;x=",
        "a b",
        "a, ",
        "a,,b",
        ",a",
        "a=1;",
        "a=(1 ,2)"
      })
  void dictionary_ofMalformedText_hasNothing(String text) {
    assertThat(StructuredDictionary.parse(text)).as(text).isEmpty();
  }

  @Test
  void members_betweenCommasAndSpace_areAllThere() {
    assertThat(StructuredDictionary.parse("  a=1 ,\t b;x=2,c=token , d=(1 2);y,e  "))
        .containsExactly(
            Map.entry("a", new Member(StructuredDictionary.Type.INTEGER, 1)),
            Map.entry("b", new Member(StructuredDictionary.Type.TRUE, 0)),
            Map.entry("c", new Member(StructuredDictionary.Type.OTHER, 0)),
            Map.entry("d", new Member(StructuredDictionary.Type.OTHER, 0)),
            Map.entry("e", new Member(StructuredDictionary.Type.TRUE, 0)));
  }

  @Test
  void member_thatIsThereTwice_isTheLast() {
    assertThat(StructuredDictionary.parse("a=1, b, a=2"))
        .containsEntry("a", new Member(StructuredDictionary.Type.INTEGER, 2))
        .hasSize(2);
  }
}
