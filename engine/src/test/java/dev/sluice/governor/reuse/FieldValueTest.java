package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import org.junit.jupiter.api.Test;

/** A line's value is text like any other. */
class FieldValueTest {

  private final FieldValue value = new FieldValue();

  @Test
  void value_asText_isThatOfItsLine() {
    FieldList headers = FieldList.of("X-A", "one", "X-B", "two");

    assertThat(value.at(headers, 0)).hasToString("one");
    assertThat(value.at(headers, 1)).hasToString("two");
    assertThat(value.subSequence(1, 3)).isEqualTo("wo");
  }

  @Test
  void value_thatIsNowhere_orOfAnEmptyLine_isEmpty() {
    assertThat(value).hasToString("").isEmpty();
    assertThat(value.at(FieldList.of("X-A", ""), 0)).hasToString("").isEmpty();
  }
}
