package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.net.tls.TlsProvider;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** PRX-03, PRX-08: HTTP/2 behind TLS, agreed on by ALPN. */
@ParameterizedClass
@MethodSource("dev.sluice.TlsProviders#here")
class Http2TlsTest {

  @RegisterExtension static final Running running = new Running();

  private final TlsProvider provider;
  private final TestCertificate certificate = TestCertificate.of("localhost");
  @TempDir Path folder;
  private SlowOrigin origin;

  // origin is made before each test.
  @SuppressWarnings("NullAway.Init")
  Http2TlsTest(TlsProvider provider) {
    this.provider = provider;
  }

  @BeforeEach
  void start() {
    certificate.writeTo(folder);
    origin = running.slowOrigin();
  }

  private SecureClient connect(String more, List<String> protocols) {
    ProxyFile file =
        ProxyFile.plain()
            .server(
                "tls: { %slisten: \"127.0.0.1:0\", cert: \"%s\", key: \"%s\" }"
                    .formatted(more, folder.resolve("cert.pem"), folder.resolve("key.pem")));
    Sluice proxy = running.proxy(origin.port(), file, TlsProviders.by(provider));
    return running.closing(
        SecureClient.connect(
            proxy.tlsPort(), TestCertificate.clientContext(certificate), protocols, "TLSv1.3"));
  }

  @ParameterizedTest(name = "{0} {1} agree on {2}")
  @CsvSource({
    "'', h2 http/1.1, h2",
    "'', http/1.1, http/1.1",
    "'h2: true, ', h2, h2",
    "'h2: false, ', h2 http/1.1, http/1.1"
  })
  void prx08_alpn(String more, String offered, String agreed) {
    assertThat(connect(more, List.of(offered.split(" "))).protocol()).isEqualTo(agreed);
  }

  @Test
  void prx03_h2OverTls_isServed_andTheOriginHearsHttps() {
    RawFrames client = RawFrames.open(connect("", List.of("h2")).http());

    RawFrames.Answer answer = client.get(1, "/x?echo=1").answer(1);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).contains("[\"X-Forwarded-Proto\",\"https\"]");
    assertThat(client.isAlive()).isTrue();
  }

  @Test
  void prx03_bigBodyOverTls_arrivesWhole() {
    RawFrames client = RawFrames.open(connect("", List.of("h2")).http(), 4, 1 << 24);
    client.windowUpdate(0, 1 << 24);

    assertThat(client.get(1, "/x?bytes=5000000").answer(1).body()).hasSize(5_000_000);
  }

  @Test
  void preface_thatIsNone_goesAway() {
    RawFrames client = RawFrames.on(connect("", List.of("h2")).http());

    client.raw(
        "INVALID CONNECTION PREFACE\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    assertThat(client.await(RawFrames.GOAWAY).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
  }
}
