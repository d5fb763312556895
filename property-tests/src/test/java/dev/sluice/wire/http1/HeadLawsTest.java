package dev.sluice.wire.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.wire.http1.HeadScanner.Found;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HeadLawsTest {

  private static final int MAX = 1 << 16;

  /** A head begun well, or not, gone on with what parsers disagree about, ended as heads end. */
  @Provide
  Arbitrary<String> heads() {
    Arbitrary<String> begun =
        Arbitraries.of(
            "",
            "GET ",
            "GET / ",
            "GET / HTTP/1.",
            "GET / HTTP/1.1",
            "GET / HTTP/1.1\r\nHost: a",
            "HTTP/1.1 200",
            "HTTP/1.1 200 OK\r\n");
    Arbitrary<String> pieces =
        Arbitraries.of(
                "\r",
                "\n",
                "\r\n",
                "\r\r\n",
                " ",
                "\t",
                ":",
                ",",
                "\0",
                "\u00e9",
                "GET",
                "/",
                "*",
                "HTTP/1.1",
                "HTTP/1.0",
                "HTTP/2.0",
                "0",
                "1",
                "200",
                "Host: a",
                "Host",
                "X: y",
                "Content-Length: 3",
                "Transfer-Encoding: chunked",
                "Connection: X",
                "a")
            .list()
            .ofMaxSize(12)
            .map(list -> String.join("", list));
    return Combinators.combine(begun, pieces).as((head, rest) -> head + rest + "\r\n\r\n");
  }

  @Property(tries = 5000)
  void parse_anyHead_doesNotThrowAndLetsNoLineEndThrough(@ForAll("heads") String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    var scanner = new HeadScanner(MAX, MAX);
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    if (scanner.scan(in) == Found.WHOLE) {
      byte[] head = new byte[scanner.length()];
      in.readBytes(head);
      if (RequestParser.parse(head, scanner.lines(), MAX) instanceof RequestParser.Request taken) {
        assertOneLineEach(taken.head());
      }
      var answer = ResponseParser.parse(head, scanner.lines(), false);
      if (answer != null) {
        assertThat(answer.head().reason()).doesNotContain("\r", "\n");
        assertOneLineEach(answer.head().headers());
      }
    }
  }

  @Property
  void scan_pieceByPiece_findsWhatOneLookFinds(@ForAll("heads") String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    var whole = new HeadScanner(MAX, MAX);
    var pieces = new HeadScanner(MAX, MAX);
    ByteBuf in = Unpooled.buffer(bytes.length);

    Found atOnce = whole.scan(Unpooled.wrappedBuffer(bytes));
    Found found = Found.PARTIAL;
    for (int i = 0; i < bytes.length && found == Found.PARTIAL; i++) {
      found = pieces.scan(in.writeByte(bytes[i]));
    }

    assertThat(found).isEqualTo(atOnce);
    assertThat(pieces.length()).isEqualTo(whole.length());
    assertThat(pieces.lines()).isEqualTo(whole.lines());
  }

  private static void assertOneLineEach(RequestHead head) {
    assertThat(head.method() + head.target().raw() + head.authority())
        .doesNotContain("\r", "\n", " ");
    assertOneLineEach(head.headers());
  }

  private static void assertOneLineEach(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      assertThat(headers.name(i)).isNotEmpty().doesNotContain("\r", "\n", " ", ":");
      assertThat(headers.value(i)).doesNotContain("\r", "\n", "\0");
    }
  }
}
