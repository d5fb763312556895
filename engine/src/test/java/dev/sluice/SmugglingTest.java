package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** H01: what two parsers may read differently is refused, and the origin never hears of it. */
class SmugglingTest {

  @RegisterExtension static final Running running = new Running();
  private static SlowOrigin origin;
  private static Sluice sluice;

  @BeforeAll
  static void start() {
    origin = running.slowOrigin();
    sluice = running.proxy(origin.port());
  }

  /** One request of the table. */
  record Case(String id, byte[] raw) {
    @Override
    public String toString() {
      return id;
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void h01_ambiguousRequest_isRefusedAndClosed(Case request) {
    long before = origin.stats().requests();
    RawClient client = running.client(sluice);

    String answer =
        new String(client.send(request.raw()).readUntilClose(), StandardCharsets.ISO_8859_1);

    assertThat(answer).matches("(?s)HTTP/1\\.1 (4\\d\\d|5\\d\\d) .*");
    assertThat(answer).contains("\r\nConnection: close\r\n").doesNotContain("SMUGGLED");
    assertThat(origin.stats().requests()).isEqualTo(before);
  }

  /** Those that nobody may forward in any form. */
  static List<Case> refused() throws IOException {
    var mapper = new ObjectMapper();
    var cases = new ArrayList<Case>();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(SmugglingTest.class.getResourceAsStream("/smuggling.jsonl")),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode row = mapper.readTree(line);
        String acceptable = row.path("acceptable").toString();
        if (!acceptable.contains("forward") && !acceptable.contains("wait")) {
          cases.add(
              new Case(
                  row.path("id").asText(), HexFormat.of().parseHex(row.path("raw_hex").asText())));
        }
      }
    }
    return cases;
  }
}
