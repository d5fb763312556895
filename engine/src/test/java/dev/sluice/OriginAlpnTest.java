package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.net.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which protocol is agreed on with an origin over TLS (ORG-27, CFG-16, DEC-50). */
@ParameterizedClass
@MethodSource("dev.sluice.TlsProviders#here")
class OriginAlpnTest {

  @RegisterExtension static final Running running = new Running();

  private static final String SHAKE =
      "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  private final TlsProvider provider;
  private final TestCertificate certificate = TestCertificate.of("origin.internal");
  @TempDir Path folder;

  OriginAlpnTest(TlsProvider provider) {
    this.provider = provider;
  }

  private SlowOrigin origin(String... protocols) {
    return running.closing(
        SlowOrigin.startTls(SlowOriginSettings.defaults(), certificate, protocols));
  }

  private Sluice proxy(SlowOrigin before, String version) throws IOException {
    return running.proxy(before.port(), file(version), TlsProviders.by(provider));
  }

  private ProxyFile file(String version) throws IOException {
    Path ca = folder.resolve("ca.pem");
    Files.writeString(ca, certificate.pem());
    return ProxyFile.plain()
        .origin("http_version: " + version)
        .origin("tls: { sni: origin.internal, ca: \"" + ca + "\" }")
        .block("upgrade: { enabled: true }");
  }

  @Test
  void org27_originOffersH2_isSpokenH2() throws IOException {
    SlowOrigin origin = origin("h2", "http/1.1");
    Sluice proxy = proxy(origin, "auto");
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(running.client(proxy).get("/x?ms=200&bytes=100000"));
    }
    clients.forEach(client -> assertThat(client.readAll().body()).hasSize(100_000));
    assertThat(origin.stats().http2Requests()).isEqualTo(20);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
  }

  /** And an origin that knows no ALPN is one of HTTP/1.1. */
  @Test
  void org27_originOffersHttp1Only_isSpokenHttp1() throws IOException {
    for (String[] offered : new String[][] {{"http/1.1"}, {}}) {
      SlowOrigin origin = origin(offered);
      Sluice proxy = proxy(origin, "auto");
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        clients.add(running.client(proxy).get("/x?ms=200&bytes=1000"));
      }
      clients.forEach(client -> assertThat(client.readAll().body()).hasSize(1000));
      assertThat(origin.stats().http2Requests()).isZero();
      assertThat(origin.stats().requests()).isEqualTo(5);
    }
  }

  /** {@code http2} means it: nothing else is offered, and nothing else is spoken. */
  @Test
  void org26_http2OverTls_isH2OrNothing() throws IOException {
    SlowOrigin both = origin("h2", "http/1.1");
    assertThat(running.client(proxy(both, "http2")).get("/x").readAll().status()).isEqualTo(200);
    assertThat(both.stats().http2Requests()).isEqualTo(1);

    SlowOrigin old = origin("http/1.1");
    assertThat(running.client(proxy(old, "http2")).get("/x").readAll().status()).isEqualTo(502);
    assertThat(old.stats().requests()).isZero();
  }

  @Test
  void org25_http1OverTls_offersNothingElse() throws IOException {
    SlowOrigin origin = origin("h2", "http/1.1");
    Sluice proxy = proxy(origin, "http1");
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().http2Requests()).isZero();
  }

  /** DEC-41: a WebSocket is asked for over HTTP/1.1, whatever else is agreed on. */
  @Test
  void dec41_upgradeBesideH2_goesOverHttp1() throws IOException {
    SlowOrigin origin = origin("h2", "http/1.1");
    Sluice proxy = proxy(origin, "auto");
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    RawClient client = running.client(proxy).send(SHAKE);
    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    client.send(new byte[] {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2});
    assertThat(client.readBody(4)).isEqualTo(new byte[] {(byte) 0x81, 2, 'h', 'i'});
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().http2Requests()).isEqualTo(2);
    client.close();
    Running.await("origin left", () -> origin.stats().socketsNow() == 0);
  }
}
