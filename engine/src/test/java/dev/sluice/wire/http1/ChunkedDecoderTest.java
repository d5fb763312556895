package dev.sluice.wire.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9112 7.1; {@code ⏎} stands for CRLF, {@code ↓} for a bare LF, {@code ←} for a bare CR. */
class ChunkedDecoderTest {

  @ParameterizedTest
  @CsvSource({
    "3⏎abc⏎0⏎⏎, abc, ''",
    "000A⏎0123456789⏎000⏎⏎, 0123456789, ''",
    "'3;a=b⏎abc⏎0;z=\"q;x\"⏎X-T: v⏎⏎', abc, X-T: v⏎",
    "3 ;a⏎abc⏎1⏎d⏎0⏎⏎, abcd, ''",
    "0⏎⏎, '', ''",
    // RFC 9110 6.5.1: a trailer never changes framing or who is asking.
    "0⏎Content-Length: 40⏎X-T: 1⏎Set-Cookie: a=b⏎⏎, '', X-T: 1⏎",
  })
  void body_wellFormed_isDecodedHoweverItArrives(String wire, String body, String trailers) {
    byte[] bytes = bytes(wire);
    for (int step = 1; step <= bytes.length; step++) {
      var decoder = new ChunkedDecoder(1024);
      var got = new StringBuilder();
      ChunkedDecoder.Result result = feed(decoder, bytes, step, got);

      assertThat(result).as("step %d", step).isEqualTo(ChunkedDecoder.Result.DONE);
      assertThat(got.toString()).isEqualTo(body);
      assertThat(new String(decoder.trailers().lines(), StandardCharsets.ISO_8859_1))
          .isEqualTo(trailers.replace("⏎", "\r\n"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+3⏎abc⏎0⏎⏎",
        "-0⏎⏎",
        "0x3⏎abc⏎0⏎⏎",
        "0_3⏎abc⏎0⏎⏎",
        "3these⏎abc⏎0⏎⏎",
        "⏎abc⏎0⏎⏎",
        "  3⏎abc⏎0⏎⏎",
        "3 ⏎abc⏎0⏎⏎",
        "3↓abc⏎0⏎⏎",
        "3⏎abc↓0⏎⏎",
        "3;a↓abc⏎0⏎⏎",
        "3;a←b⏎abc⏎0⏎⏎",
        "3;a\u0000b⏎abc⏎0⏎⏎",
        "3⏎abcXX0⏎⏎",
        "0⏎bad line⏎⏎",
        "0⏎↓",
        "FFFFFFFFFFFFFFFF⏎a⏎0⏎⏎"
      })
  void body_malformed_isRefused(String wire) {
    assertThat(feed(new ChunkedDecoder(1024), bytes(wire), 1, new StringBuilder()))
        .isEqualTo(ChunkedDecoder.Result.MALFORMED);
  }

  private static ChunkedDecoder.Result feed(
      ChunkedDecoder decoder, byte[] bytes, int step, StringBuilder got) {
    ByteBuf in = Unpooled.buffer(bytes.length);
    ChunkedDecoder.Result result = ChunkedDecoder.Result.MORE;
    for (int at = 0; at < bytes.length && result == ChunkedDecoder.Result.MORE; at += step) {
      in.writeBytes(bytes, at, Math.min(step, bytes.length - at));
      result =
          decoder.decode(
              in,
              chunk -> {
                got.append(chunk.toString(StandardCharsets.ISO_8859_1));
                chunk.release();
              });
    }
    in.release();
    return result;
  }

  private static byte[] bytes(String wire) {
    return wire.replace("⏎", "\r\n")
        .replace("↓", "\n")
        .replace("←", "\r")
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
