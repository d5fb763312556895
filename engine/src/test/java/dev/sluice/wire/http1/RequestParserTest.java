package dev.sluice.wire.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.Framing;
import dev.sluice.outcome.Cause;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9112 3, 5 and 6, one row a case; {@code ⏎} stands for CRLF. */
class RequestParserTest {

  private static final int MAX = 8192;

  @Test
  void head_wellFormed_isTakenApart() {
    var head = request("GET /a?b=1 HTTP/1.1⏎Host: a.test⏎X-A:\tb\t⏎RSC: 1⏎⏎");

    assertThat(head.method()).isEqualTo("GET");
    assertThat(head.target().raw()).isEqualTo("/a?b=1");
    assertThat(head.authority()).isEqualTo("a.test");
    assertThat(head.minorVersion()).isEqualTo(1);
    assertThat(head.headers().size()).isEqualTo(3);
    assertThat(head.headers().name(1)).isEqualTo("X-A");
    assertThat(head.headers().value(1)).isEqualTo("b");
    assertThat(head.headers().first(dev.sluice.http.FieldName.RSC)).isEqualTo("1");
    assertThat(head.framing()).isInstanceOf(Framing.None.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // RFC 9112 3: the request line
        "GET  /ok HTTP/1.1⏎Host: a⏎⏎",
        "GET\t/ok\tHTTP/1.1⏎Host: a⏎⏎",
        "GET /a /b HTTP/1.1⏎Host: a⏎⏎",
        "GET /ok⏎Host: a⏎⏎",
        " GET /ok HTTP/1.1⏎Host: a⏎⏎",
        "G(T /ok HTTP/1.1⏎Host: a⏎⏎",
        "GET /a#b HTTP/1.1⏎Host: a⏎⏎",
        "GET /\u00e9 HTTP/1.1⏎Host: a⏎⏎",
        "GET /ok http/1.1⏎Host: a⏎⏎",
        "GET /ok HTTP/1.2⏎Host: a⏎⏎",
        "GET /ok HTTP/1.32⏎Host: a⏎⏎",
        "GET ok HTTP/1.1⏎Host: a⏎⏎",
        "GET * HTTP/1.1⏎Host: a⏎⏎",
        // RFC 9112 2.2: a CR alone ends no line
        "GET / HTTP/1.1\rXHost: a⏎⏎",
        "GET / HTTP/1.1\r\rHost: a⏎⏎",
        "GET / HTTP/1.1\rXHost: a⏎X: b⏎⏎",
        "GET / HTTP/1.1\r\rHost: a⏎X: b⏎Y: c⏎⏎",
        "GET / HTTP/1.1\r⏎Host: a⏎⏎",
        "GET / HTTP/1.\r⏎Host: a⏎⏎",
        "GET / HTTP/2.0\rXHost: a⏎⏎",
        // RFC 9112 3.2: Host
        "GET / HTTP/1.1⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎Host: a⏎⏎",
        "GET / HTTP/1.1⏎Host: a, b⏎⏎",
        "GET / HTTP/1.1⏎Host: u@a⏎⏎",
        "GET / HTTP/1.1⏎Host: a/b⏎⏎",
        "GET / HTTP/1.1⏎Host: a:80x⏎⏎",
        "GET http://u:p@a/ HTTP/1.1⏎Host: a⏎⏎",
        "GET ftp://a/ HTTP/1.1⏎Host: a⏎⏎",
        // RFC 9112 5: field lines
        "GET / HTTP/1.1⏎Host : a⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎ X: b⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎X: b⏎\tc⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎: b⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎broken⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎X: b\rc⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎X: b\u0000c⏎⏎",
        "GET / HTTP/1.1⏎Host: a⏎\r\rX: b⏎⏎",
        // RFC 9112 6: framing
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: 4⏎Transfer-Encoding: chunked⏎⏎",
        "POST / HTTP/1.0⏎Host: a⏎Transfer-Encoding: chunked⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: 4⏎Content-Length: 4⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: 4,4⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: +4⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: 0x4⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length:⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Content-Length: 99999999999999999999⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: gzip, chunked⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎Transfer-Encoding: chunked⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked, identity⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: xchunked⏎⏎",
        "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked;a=b⏎⏎"
      })
  void head_readableInTwoWays_isRefused(String head) {
    assertThat(parse(head)).isEqualTo(new RequestParser.Refusal(Cause.BAD_REQUEST));
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/2.0⏎Host: a⏎⏎, VERSION",
    "CONNECT a:443 HTTP/1.1⏎Host: a:443⏎⏎, METHOD_NOT_ALLOWED",
    "GET / HTTP/1.1⏎Host: a⏎Expect: tea⏎⏎, EXPECTATION_FAILED",
  })
  void head_wellFormedButNotServed_isRefusedForItsReason(String head, Cause cause) {
    assertThat(parse(head)).isEqualTo(new RequestParser.Refusal(cause));
  }

  @Test
  void target_longerThanAllowed_is414() {
    assertThat(parse("GET /" + "a".repeat(MAX) + " HTTP/1.1⏎Host: a⏎⏎"))
        .isEqualTo(new RequestParser.Refusal(Cause.URI_TOO_LONG));
  }

  /** FIELD_CASES H07: the absolute form's authority wins, and is the one that is forwarded. */
  @Test
  void absoluteForm_authorityDiffersFromHost_targetWins() {
    var head = request("GET http://b.test/x?y HTTP/1.1⏎Host: a.test⏎⏎");

    assertThat(head.authority()).isEqualTo("b.test");
    assertThat(head.target().raw()).isEqualTo("/x?y");
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.1⏎Host: a⏎⏎, true",
    "GET / HTTP/1.1⏎Host: a⏎Connection: close⏎⏎, false",
    "'GET / HTTP/1.1⏎Host: a⏎Connection: x, Close⏎⏎', false",
    "GET / HTTP/1.0⏎Host: a⏎⏎, false",
    "GET / HTTP/1.0⏎Host: a⏎Connection: keep-alive⏎⏎, true",
  })
  void connection_byVersionAndOption_staysOpenOrNot(String head, boolean stays) {
    assertThat(RequestParser.wantsKeepAlive(request(head))).isEqualTo(stays);
  }

  private static dev.sluice.http.RequestHead request(String head) {
    return ((RequestParser.Request) parse(head)).head();
  }

  private static RequestParser.Parsed parse(String head) {
    byte[] bytes = head.replace("⏎", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    var scanner = new HeadScanner(1 << 16, 1 << 16);
    assertThat(scanner.scan(Unpooled.wrappedBuffer(bytes))).isEqualTo(HeadScanner.Found.WHOLE);
    return RequestParser.parse(bytes, scanner.lines(), MAX);
  }
}
