package dev.sluice.governor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DEC-29: what another attempt may follow. */
class JudgeFollowTest {

  @Test
  void ends_thatAreOverOrWereNotWorkedOn() {
    assertThat(Arrays.stream(Cause.values()).filter(Judge::mayFollow))
        .containsExactly(
            Cause.DNS_ERROR,
            Cause.CONNECTION_REFUSED,
            Cause.ORIGIN_STRANGER,
            Cause.CONNECTION_TERMINATED);
  }

  @ParameterizedTest
  @CsvSource({
    "502, true",
    "503, true",
    "504, true",
    "500, false",
    "501, false",
    "505, false",
    "429, false",
    "200, false",
    "304, false"
  })
  void heads_thatSayNothingWasServed(int status, boolean follows) {
    assertThat(Judge.mayFollow(head(status, FieldList.EMPTY))).isEqualTo(follows);
  }

  @Test
  void head_thatSaysWhenToComeBack() {
    assertThat(Judge.mayFollow(head(503, FieldList.of("Retry-After", "3")))).isFalse();
  }

  private static ResponseHead head(int status, FieldList fields) {
    return new ResponseHead(status, "", fields, Framing.None.INSTANCE);
  }
}
