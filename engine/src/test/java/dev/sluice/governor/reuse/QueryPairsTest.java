package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order a query's pairs are in the key (KEY-10, KEY-11). */
class QueryPairsTest {

  private static final QueryPairs.Rule ALL = QueryPairs.Rule.of(Asking.ALL, false, false);

  private final KeyWriter writer = new KeyWriter();

  private String inKey(String query) {
    writer.begin();
    writer.query().read(query, ALL);
    writer.query().write(query, writer);
    return new String(writer.key().bytes(), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @CsvSource({"a, a", "b=1&a=2, a=2&b=1", "c&b&a, a&b&c", "ab&a&b=%, a&ab&b=%"})
  void pairs_areSortedByName(String query, String sorted) {
    assertThat(inKey(query)).isEqualTo(sorted);
  }

  /** A name that comes twice makes a list of which the order may count, and with it the rest. */
  @ParameterizedTest
  @ValueSource(
      strings = {"b=1&a=2&a=3", "a=2&a=1", "c=1&b=2&a=3&b=4", "d&c&b&a&e&a", "b&b&a", "b&a&b"})
  void pairs_ofANameThatComesTwice_keepTheirOrder(String query) {
    assertThat(inKey(query)).isEqualTo(query);
    // What an earlier query left behind does not matter.
    inKey("a=123456789&b=123456789&c=123456789&d=123456789&e=1&f=1&g=1");
    assertThat(inKey(query)).isEqualTo(query);
  }

  /** Whatever the sort: a few pairs are sorted in place, many by an array of objects. */
  @ParameterizedTest
  @ValueSource(ints = {2, 15, 16, 17, 32, 63, 64, 65, 66, 200})
  void pairs_inAnyNumber_areSortedOrKept(int count) {
    List<String> up = IntStream.range(100, 100 + count).mapToObj(i -> "p" + i + "=" + -i).toList();
    var down = new ArrayList<>(up);
    Collections.reverse(down);

    assertThat(inKey(String.join("&", down))).isEqualTo(String.join("&", up));
    down.set(0, down.get(count - 1));
    assertThat(inKey(String.join("&", down))).isEqualTo(String.join("&", down));
  }

  @Test
  void queryOfNothing_hasNoPair() {
    assertThat(inKey("")).isEmpty();
    assertThat(writer.query().count()).isZero();
  }
}
