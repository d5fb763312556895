package dev.sluice.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.soak.Ask.Answer;
import dev.sluice.soak.Ask.Kind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the mix takes for right and for wrong, row by row. */
final class AskTest {

  @ParameterizedTest(name = "{0} that fails by \"{1}\": {2} \"{3}\" is {4}")
  @CsvSource({
    "PAGE, '', 200, body, WHOLE",
    "PAGE, '', 200, bod, WRONG",
    "PAGE, '', 200, bodybody, WRONG",
    "PAGE, '', 200, ydob, WRONG",
    "PAGE, '', 503, busy, SHED",
    "PAGE, '', 502, failed, WRONG",
    "PAGE, '', 504, late, WRONG",
    "PAGE, '', 400, bad, WRONG",
    "PAGE, short, 200, body, WRONG",
    "PAGE, short, 502, failed, FAILED",
    "PAGE, hang, 504, late, FAILED",
    "PAGE, long, 200, body, WHOLE",
    "PAGE, long, 200, body and more, WRONG",
    "UPLOAD, '', 502, failed, UNREPEATABLE",
    "UPLOAD, '', 413, too much, WRONG",
    "UPLOAD, early, 413, too much, FAILED",
  })
  void response_isJudgedByWhatTheOriginWasToldToDo(
      Kind kind, String failure, int status, String body, Answer expected) {
    assertThat(ask(kind, failure).judge(status, bytes(body))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} that fails by \"{1}\" and breaks off is {2}")
  @CsvSource({"PAGE, '', WRONG", "PAGE, short, FAILED", "UPLOAD, '', WRONG"})
  void brokenResponse_isWrongUnlessTheOriginBrokeOff(Kind kind, String failure, Answer expected) {
    assertThat(ask(kind, failure).judgeBroken()).isEqualTo(expected);
  }

  private static Ask ask(Kind kind, String failure) {
    return new Ask(kind, bytes("GET / HTTP/1.1\r\n\r\n"), bytes("body"), failure, 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
