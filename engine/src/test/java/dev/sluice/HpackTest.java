package dev.sluice;

import static dev.sluice.Http2Wire.COMPRESSION_ERROR;
import static dev.sluice.Http2Wire.assertGoneAway;
import static dev.sluice.fixture.RawFrames.END_HEADERS;
import static dev.sluice.fixture.RawFrames.END_STREAM;
import static dev.sluice.fixture.RawFrames.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PRX-04: header compression by RFC 7541, byte by byte. */
class HpackTest {

  /** GET, http, /, and a.example as a literal that is not indexed. */
  private static final String REQUEST = "828684" + "0109" + hex("a.example");

  @RegisterExtension static final Running running = new Running();
  private static Sluice sluice;

  @BeforeAll
  static void start() {
    SlowOrigin origin = running.slowOrigin();
    sluice = running.proxy(origin.port(), Http2Wire.h2c());
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  private static RawFrames send(RawFrames client, int stream, String hex) {
    return client.frame(HEADERS, END_HEADERS | END_STREAM, stream, HexFormat.of().parseHex(hex));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "2.3.3 index beyond both tables, c6",
    "6.1 index 0, 80",
    "6.2 name's index beyond both tables, 7f4000",
    "4.2 table size update behind a field, 20",
    "6.3 table size update above SETTINGS_HEADER_TABLE_SIZE, SIZE",
    "5.2 Huffman padding of more than 7 bits, 0085f2b24a84ff8449509fff",
    "5.2 Huffman padding of zeros, 0085f2b24a84ff83495090",
    "5.2 Huffman code with EOS, 0085f2b24a84ff874951fffffffa7f",
    "5.2 string longer than its block, 00 7f ff 03 41",
    "5.1 integer that overflows, ff ffffffffffffffff7f"
  })
  void broken_isACompressionError(String name, String appended) {
    RawFrames client = Http2Wire.connect(running, sluice);
    String more = appended.replace(" ", "");

    if (more.equals("SIZE")) {
      send(client, 1, "3fe2ff03" + REQUEST);
    } else {
      send(client, 1, REQUEST + more);
    }

    assertGoneAway(client, COMPRESSION_ERROR);
  }

  @Test
  void everyRepresentation_isRead() {
    RawFrames client = Http2Wire.connect(running, sluice);

    // Two size updates, indexed, literals with and without indexing, never indexed, Huffman.
    String plain = "3f01" + "3fe11f" + REQUEST;
    String literals =
        "40"
            + "03"
            + hex("x-a")
            + "01"
            + hex("1")
            + "00"
            + "03"
            + hex("x-b")
            + "01"
            + hex("2")
            + "10"
            + "03"
            + hex("x-c")
            + "01"
            + hex("3");
    send(client, 1, plain + literals);
    assertThat(client.answer(1).status()).isEqualTo(200);

    // RFC 7541 C.4.1: www.example.com, Huffman coded and indexed; then by its index.
    send(client, 3, "828684" + "418cf1e3c2e5f23a6ba0ab90f4ff");
    assertThat(client.answer(3).status()).isEqualTo(200);
    send(client, 5, "828684be");
    assertThat(client.answer(5).status()).isEqualTo(200);
  }

  /** RFC 7541 4.2: a client's smaller table is kept to, and told of. */
  @Test
  void tableOfZero_isKeptTo() {
    RawFrames client = Http2Wire.connect(running, sluice, 1, 0);

    for (int stream = 1; stream < 7; stream += 2) {
      RawFrames.Answer answer = client.get(stream, "/x?bytes=4").answer(stream);
      assertThat(answer.head()).containsEntry("content-length", "4");
    }
  }

  /** RFC 9113 4.3: the table moves on with a block whose stream is refused. */
  @Test
  void malformedRequest_keepsTheTableInStep() {
    RawFrames client = Http2Wire.connect(running, sluice);
    // No :path; the authority is indexed all the same.
    send(client, 1, "8286" + "418cf1e3c2e5f23a6ba0ab90f4ff");
    assertThat(client.await(RawFrames.RST_STREAM).stream()).isEqualTo(1);

    send(client, 3, "828684be");

    assertThat(client.answer(3).status()).isEqualTo(200);
  }
}
