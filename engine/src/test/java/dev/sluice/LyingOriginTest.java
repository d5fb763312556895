package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Origins that lie get 502 or an aborted transfer, never a tidy end; by the ids of FIELD_CASES. */
class LyingOriginTest {

  @RegisterExtension static final Running running = new Running();

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** H01, mirrored: an answer that two parsers could read differently. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: dcb\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: x-gzip\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: \r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: identity\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX : 1\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        "HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n"
      })
  void h01_malformedAnswer_is502(String answer) {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(answer));
    RawClient client = running.clientBefore(origin.port());
    assertThat(client.get("/x").readAll().status()).isEqualTo(502);
  }

  /** RFC 9112 6.3: a coding that frames nothing leaves the body to the connection's end. */
  @ParameterizedTest
  @ValueSource(strings = {"identity", "Identity", "qwerty"})
  void codingThatIsNoFraming_isABodyToTheConnectionsEnd(String coding) {
    String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + "\r\n\r\nwhole";
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(answer).close());
    RawResponse got = running.clientBefore(origin.port()).get("/x").readAll();
    assertThat(got.status()).isEqualTo(200);
    assertThat(got.text()).isEqualTo("whole");
    assertThat(got.header("Transfer-Encoding")).isIn(null, "chunked");
  }

  /** C03 (a): fewer bytes than promised, and the client can tell. */
  @Test
  void c03_bodyShortOfItsLength_isCutShort() {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345";
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(answer).close());
    RawClient client = running.clientBefore(origin.port());
    client.get("/x");
    assertThat(client.readHead()).contains("Content-Length: 10");
    assertThat(new String(client.readUntilClose(), StandardCharsets.US_ASCII)).isEqualTo("12345");
  }

  /** C03 (b): no last chunk comes, so none is sent. */
  @Test
  void c03_chunksWithoutAnEnd_areCutShort() {
    String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n";
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(answer).close());
    RawClient client = running.clientBefore(origin.port());
    client.get("/x");
    client.readHead();
    assertThat(new String(client.readUntilClose(), StandardCharsets.US_ASCII))
        .isEqualTo("5\r\n12345\r\n");
  }

  /**
   * C03 (d), H02: bytes behind an answer belong to nobody, and their connection is not used again.
   */
  @Test
  void h02_bytesBehindAnAnswer_areDroppedWithTheirConnection() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK + "HTTP/1.1 200 OK\r\n\r\nsomebody's"),
            TrickScript.begin().readHead().write(OK));
    RawClient client = running.clientBefore(origin.port());
    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
    assertThat(client.get("/b").readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** H02: interim answers never take the place of the answer. */
  @Test
  void h02_interimAnswers_goToTheClientAndPairNothing() {
    String early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(early + OK).readHead().write(OK));
    RawClient client = running.clientBefore(origin.port());
    client.get("/a");
    assertThat(client.readHead()).startsWith("HTTP/1.1 103 Early Hints");
    assertThat(client.readAll().text()).isEqualTo("ok");
    assertThat(client.get("/b").readAll().text()).isEqualTo("ok");
  }

  /** H09: a head over the limit has a reason of its own. */
  @Test
  void h09_hugeHead_is502() {
    String answer = "HTTP/1.1 200 OK\r\nLink: " + "x".repeat(70_000) + "\r\n\r\n";
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(answer));
    RawClient client = running.clientBefore(origin.port());
    RawResponse response = client.get("/x").readAll();
    assertThat(response.status()).isEqualTo(502);
  }

  /** DEC-29: a pooled connection that died is replaced, and the client sees nothing of it. */
  @Test
  void dec29_stalePooledConnection_isReplaced() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK).readHead().close(),
            TrickScript.begin().readHead().write(OK));
    RawClient client = running.clientBefore(origin.port());
    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
    assertThat(client.get("/b").readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** A04: a POST whose bytes left is never sent twice. */
  @Test
  void a04_postOnADyingConnection_isNotSentTwice() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK).readHead().readBytes(3).close(),
            TrickScript.begin().readHead().write(OK));
    RawClient client = running.clientBefore(origin.port());
    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
    client.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
    assertThat(client.readAll().status()).isEqualTo(502);
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** An origin that is down is said at once. */
  @Test
  void originDown_is502() {
    int nobody;
    try (var origin = TrickOrigin.start(TrickScript.begin())) {
      nobody = origin.port();
    }
    RawClient client = running.clientBefore(nobody);
    assertThat(client.get("/x").readAll().status()).isEqualTo(502);
  }
}
