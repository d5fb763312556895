package dev.sluice.governor.fetch.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Party;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DEC-45: what is a failure. */
class SignTest {

  @ParameterizedTest
  @CsvSource({
    "200, PUBLIC_DOCUMENT, GOOD",
    "304, STATIC_ASSET, GOOD",
    "400, PRIVATE_DOCUMENT, GOOD",
    "404, OTHER, GOOD",
    "429, OTHER, GOOD",
    "499, OTHER, GOOD",
    "500, PUBLIC_DOCUMENT, ERROR",
    "500, PRIVATE_DOCUMENT, ERROR",
    "500, STATIC_ASSET, ERROR",
    "500, IMAGE, ERROR",
    "500, OTHER, ERROR",
    "501, OTHER, ERROR",
    "507, OTHER, ERROR",
    "599, OTHER, ERROR",
    "500, RSC_PAYLOAD, NOTHING",
    "500, PREFETCH, NOTHING",
    "500, DRAFT, NOTHING",
    "500, MUTATION, NOTHING",
    "502, MUTATION, FAILURE",
    "503, PREFETCH, FAILURE",
    "504, RSC_PAYLOAD, FAILURE"
  })
  void answer_isSaidBy_statusAndRequest(int status, RequestClass request, Sign sign) {
    assertThat(Sign.ofAnswer(status, request)).isEqualTo(sign);
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECTION_REFUSED, FAILURE",
    "CONNECTION_TIMEOUT, FAILURE",
    "CONNECTION_TERMINATED, FAILURE",
    "ORIGIN_STRANGER, FAILURE",
    "ORIGIN_RESPONSE_TIMEOUT, FAILURE",
    "ORIGIN_READ_TIMEOUT, FAILURE",
    "ORIGIN_CUT_SHORT, FAILURE",
    "ORIGIN_MALFORMED, FAILURE",
    "ORIGIN_HEADER_TOO_LARGE, FAILURE",
    "CONNECTION_LIMIT_REACHED, NOTHING",
    "CLOSED_ON_ABORT, NOTHING",
    "FINISH_LIMIT, NOTHING",
    "CLIENT_LEFT, NOTHING",
    "CLIENT_BODY_ABORTED, NOTHING",
    "SLOW_CLIENT, NOTHING",
    "SHUTDOWN, NOTHING",
    "INTERNAL_ERROR, NOTHING"
  })
  void end_isSaidBy_itsCause(Cause cause, Sign sign) {
    assertThat(Sign.ofFailure(cause)).isEqualTo(sign);
  }

  @Test
  void failures_areAllTheOrigins() {
    assertThat(Arrays.stream(Cause.values()).filter(cause -> Sign.ofFailure(cause) == Sign.FAILURE))
        .extracting(Cause::party)
        .containsOnly(Party.ORIGIN);
  }
}
