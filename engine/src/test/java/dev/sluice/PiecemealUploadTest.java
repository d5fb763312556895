package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that arrives in two pieces, wherever it is cut, keeps its loop from nobody else. */
class PiecemealUploadTest {

  private static final String REQUEST =
      "POST /?upload=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3;x=1\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n";

  private static final String WITHOUT_TRAILERS =
      "POST /?upload=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nabc\r\n0\r\n\r\n";

  @RegisterExtension static final Running running = new Running();

  @ParameterizedTest
  @ValueSource(strings = {REQUEST, WITHOUT_TRAILERS})
  void piece_leavesTheLoopToOthers(String request) throws Exception {
    var sluice = running.proxy(running.slowOrigin().port(), ProxyFile.plain().loops(1));
    for (int cut = 1; cut < request.length(); cut++) {
      try (var slow = RawClient.connect(sluice.port()).send(request.substring(0, cut));
          var other = RawClient.connect(sluice.port()).get("/other")) {
        assertThat(other.readAll().status()).as("cut at %d", cut).isEqualTo(200);
        assertThat(slow.send(request.substring(cut)).readAll().status()).isEqualTo(200);
      }
    }
  }
}
