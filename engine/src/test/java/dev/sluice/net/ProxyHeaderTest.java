package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.net.ProxyHeader.Broken;
import dev.sluice.net.ProxyHeader.Partial;
import dev.sluice.net.ProxyHeader.Reading;
import dev.sluice.net.ProxyHeader.Whole;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The PROXY protocol's headers, good and bad (FIELD_CASES T03). */
class ProxyHeaderTest {

  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** One line of net/proxy-protocol.jsonl. */
  record Vector(String id, byte[] header, List<String> expected, String source) {
    @Override
    public String toString() {
      return id;
    }
  }

  static Stream<Vector> vectors() throws IOException {
    var json = new ObjectMapper();
    try (InputStream in =
        Objects.requireNonNull(
            ProxyHeaderTest.class.getResourceAsStream("/net/proxy-protocol.jsonl"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(
              line -> {
                try {
                  return vector(json.readTree(line));
                } catch (IOException e) {
                  throw new AssertionError(line, e);
                }
              });
    }
  }

  private static Vector vector(JsonNode line) {
    List<String> expected =
        switch (line.get("expect").textValue()) {
          case "any-but-wrong" -> List.of("accept", "real", "reject");
          case "accept" -> List.of("accept");
          case "accept-real-peer" -> List.of("real");
          case "accept-real-peer-or-reject" -> List.of("real", "reject");
          case "reject" -> List.of("reject");
          case "reject-or-wait" -> List.of("reject", "wait");
          default -> List.of("accept", "reject");
        };
    byte[] header = HexFormat.of().parseHex(line.get("hex").textValue());
    return new Vector(line.get("id").textValue(), header, expected, line.path("src").asText(""));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void header_isReadAsExpected(Vector vector) {
    ByteBuf bytes = Unpooled.copiedBuffer(vector.header, REQUEST);

    Reading reading = ProxyHeader.read(bytes);

    assertThat(vector.expected).contains(word(reading, vector.source));
    if (reading instanceof Whole) {
      assertThat(bytes.toString(StandardCharsets.US_ASCII)).startsWith("GET / ");
    }
    bytes.release();
  }

  /** However it is cut into pieces: nothing is decided before it is there, nothing is taken. */
  @ParameterizedTest
  @MethodSource("vectors")
  void beginning_ofASoundHeader_isPartial(Vector vector) {
    if (!vector.expected.equals(List.of("accept")) && !vector.expected.equals(List.of("real"))) {
      return;
    }
    for (int length = 1; length < vector.header.length; length++) {
      ByteBuf bytes = Unpooled.copiedBuffer(vector.header, 0, length);

      assertThat(ProxyHeader.read(bytes)).as("%d bytes", length).isInstanceOf(Partial.class);
      assertThat(bytes.readableBytes()).isEqualTo(length);
      bytes.release();
    }
  }

  /** T03: 200 bytes without an end, and a length that nobody needs. */
  @Test
  void t03_hugeHeaders_areBroken() {
    ByteBuf line = Unpooled.copiedBuffer("PROXY " + "x".repeat(200), StandardCharsets.US_ASCII);
    ByteBuf big = Unpooled.buffer();
    big.writeBytes(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111"));
    big.writeShort(ProxyHeader.V2_MAX + 1);

    assertThat(ProxyHeader.read(line)).isInstanceOf(Broken.class);
    assertThat(ProxyHeader.read(big)).isInstanceOf(Broken.class);
    line.release();
    big.release();
  }

  private static String word(Reading reading, String source) {
    if (reading instanceof Whole whole) {
      IpAddress address = whole.source().address();
      if (address == null) {
        return "real";
      }
      return address.equals(java.util.Objects.requireNonNull(IpAddress.parse(source)))
          ? "accept"
          : "wrong: " + address;
    }
    return reading instanceof Broken ? "reject" : "wait";
  }
}
