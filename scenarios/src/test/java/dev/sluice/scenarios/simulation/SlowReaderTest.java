package dev.sluice.scenarios.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.TestCertificate;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlowReaderTest {

  private static final TestCertificate CERTIFICATE = TestCertificate.of("localhost");

  /** More turns than the answers here take; those behind the end do nothing. */
  private static final int TURNS = 20;

  @ParameterizedTest
  @CsvSource({
    "http, length, 1000",
    "http, chunked, 1012",
    "https, length, 1000",
    "https, chunked, 1012"
  })
  void answer_readToItsEnd_isWhole(String scheme, String framing, int bytes) {
    Sample seen = read(scheme, "/page?bytes=1000&then=close&framing=" + framing);
    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "http, short",
    "http, cut-chunks",
    "http, close",
    "https, short",
    "https, cut-chunks"
  })
  void answer_brokenOff_isCut(String scheme, String fail) {
    assertThat(read(scheme, "/page?bytes=1000&fail=" + fail).status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "https"})
  void answer_thatIsStillRead_isNotCut(String scheme) {
    try (SlowOrigin origin = start(scheme);
        SlowReader reader = reader(scheme, origin, "/page?bytes=1000000")) {
      reader.begin();
      reader.takeTurn();
      reader.takeTurn();
      Sample seen = reader.sample("slow");
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.bytes()).isBetween(1, 1_200);
    }
  }

  @Test
  void server_thatIsNotThere_isCut() {
    SlowOrigin gone = start("http");
    gone.close();
    try (SlowReader reader = reader("http", gone, "/page")) {
      reader.begin();
      assertThat(reader.sample("slow").status()).isZero();
    }
  }

  private static Sample read(String scheme, String path) {
    try (SlowOrigin origin = start(scheme);
        SlowReader reader = reader(scheme, origin, path)) {
      reader.begin();
      for (int i = 0; i < TURNS; i++) {
        reader.takeTurn();
      }
      return reader.sample("slow");
    }
  }

  private static SlowOrigin start(String scheme) {
    SlowOriginSettings settings = SlowOriginSettings.defaults();
    return scheme.equals("https")
        ? SlowOrigin.startTls(settings, CERTIFICATE)
        : SlowOrigin.start(settings);
  }

  private static SlowReader reader(String scheme, SlowOrigin origin, String path) {
    return new SlowReader(URI.create(scheme + "://127.0.0.1:" + origin.port()), path, 600);
  }
}
