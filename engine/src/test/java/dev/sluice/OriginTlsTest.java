package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TlsOrigin.End;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.net.tls.TlsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS to origins, from what the origin saw and what the client read. */
@ParameterizedClass
@MethodSource("dev.sluice.TlsProviders#here")
class OriginTlsTest {

  @RegisterExtension static final Running running = new Running();

  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final String CLOSE_DELIMITED = "HTTP/1.1 200 OK\r\n\r\nhalf of it";

  private final TlsProvider provider;
  private final TestCertificate root = TestCertificate.of("root.test");
  @TempDir Path folder;

  OriginTlsTest(TlsProvider provider) {
    this.provider = provider;
  }

  /** ORG-28: the name that is asked for, and the host that is forwarded. */
  @Test
  void org28_sni_isAskedForAndVerified() {
    TlsOrigin origin = origin(root.issue("origin.test"), ANSWER, End.KEEP);
    Sluice proxy = proxy(origin.port(), trusting("sni: origin.test"));

    RawResponse answer = running.client(proxy).get("/x").readAll();

    assertThat(answer.text()).isEqualTo("ok");
    assertThat(origin.names()).containsExactly("origin.test");
    assertThat(origin.heads()).singleElement().asString().contains("Host: localhost");
  }

  /** Connections are kept and used again: one handshake for many requests. */
  @Test
  void connections_areUsedAgain() {
    TlsOrigin origin = origin(root.issue("origin.test"), ANSWER, End.KEEP);
    Sluice proxy = proxy(origin.port(), trusting("sni: origin.test"));
    var client = running.client(proxy);

    for (int i = 0; i < 5; i++) {
      assertThat(client.get("/x").readAll().text()).isEqualTo("ok");
    }

    assertThat(origin.handshakes()).isEqualTo(1);
  }

  /** ORG-29, ORG-30: who is not believed gets no request, and the client a 502 with its reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sni: origin.test | true",
        "sni: other.test | false",
        "sni: other.test, verify_hostname: false | true",
        "sni: other.test, verify_cert: false, ca: '' | true"
      })
  void org29_verification_decidesWhoIsAsked(String keys, boolean asked) {
    TlsOrigin origin = origin(root.issue("origin.test"), ANSWER, End.KEEP);
    Sluice proxy = proxy(origin.port(), trusting(keys).server("debug_headers: true"));

    RawResponse answer = running.client(proxy).get("/x").readAll();

    if (asked) {
      assertThat(answer.text()).isEqualTo("ok");
    } else {
      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.header("Proxy-Status")).contains("error=tls_certificate_error");
      assertThat(origin.heads()).isEmpty();
    }
  }

  /** ORG-29: without a root of its own the platform's are asked, which never heard of it. */
  @Test
  void org29_unknownRoot_is502() {
    TlsOrigin origin = origin(TestCertificate.of("origin.test"), ANSWER, End.KEEP);
    Sluice proxy =
        proxy(
            origin.port(),
            ProxyFile.plain().origin("tls: { sni: origin.test }").server("debug_headers: true"));

    RawResponse answer = running.client(proxy).get("/x").readAll();

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.header("Proxy-Status")).contains("tls_certificate_error");
  }

  /** An origin that speaks clear text is no TLS. */
  @Test
  void clearTextOrigin_is502() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = proxy(origin.port(), trusting("sni: origin.test").server("debug_headers: true"));

    RawResponse answer = running.client(proxy).get("/x").readAll();

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.header("Proxy-Status")).contains("error=tls_protocol_error");
    assertThat(origin.stats().requests()).isZero();
  }

  /** An origin that accepts and says nothing is waited for as long as for a connect. */
  @Test
  void silentOrigin_is504() throws IOException {
    try (var silent = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress())) {
      Sluice proxy =
          proxy(
              silent.getLocalPort(),
              trusting("sni: origin.test").block("timeouts: { origin_connect: 300ms }"));

      assertThat(running.client(proxy).get("/x").readAll().status()).isEqualTo(504);
    }
  }

  /** C03, T07: a close without close_notify under a close-delimited body is a cut. */
  @Test
  void c03_closeWithoutCloseNotify_isACut() {
    TlsOrigin cut = origin(root.issue("origin.test"), CLOSE_DELIMITED, End.CUT);
    TlsOrigin whole = origin(root.issue("origin.test"), CLOSE_DELIMITED, End.NOTIFY);
    Sluice beforeCut = proxy(cut.port(), trusting("sni: origin.test"));
    Sluice beforeWhole = proxy(whole.port(), trusting("sni: origin.test"));

    assertThat(running.client(beforeWhole).get("/x").readAll().text()).isEqualTo("half of it");
    var client = running.client(beforeCut).get("/x");
    assertThat(client.readHead()).contains("Transfer-Encoding: chunked");
    assertThat(new String(readToTheEnd(client), java.nio.charset.StandardCharsets.US_ASCII))
        .contains("half of it")
        .doesNotContain("\r\n0\r\n");
  }

  /** A reload that verifies more is obeyed by the next connection, pooled ones included. */
  @Test
  void reload_ofThePolicy_leavesOldConnections() throws IOException {
    TlsOrigin origin = origin(root.issue("origin.test"), ANSWER, End.KEEP);
    Sluice proxy = proxy(origin.port(), trusting("sni: other.test, verify_hostname: false"));
    var client = running.client(proxy);
    assertThat(client.get("/x").readAll().status()).isEqualTo(200);

    proxy.reload(Running.settings(origin.port(), trusting("sni: other.test")));

    Running.await(
        "a connection of the new policy",
        () -> running.client(proxy).get("/x").readAll().status() == 502);
    assertThat(running.client(proxy).get("/x").readAll().status()).isEqualTo(502);
  }

  /** PRX-09: TLS on both sides at once. */
  @Test
  void prx09_bothSides_speakTls() {
    TlsOrigin origin = origin(root.issue("origin.test"), ANSWER, End.KEEP);
    TestCertificate own = TestCertificate.of("localhost");
    own.writeTo(folder);
    Sluice proxy =
        proxy(
            origin.port(),
            trusting("sni: origin.test")
                .server(
                    "tls: { listen: \"127.0.0.1:0\", cert: \"%s\", key: \"%s\" }"
                        .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem"))));

    SecureClient client = running.closing(SecureClient.connect(proxy.tlsPort(), own));

    assertThat(client.http().get("/x").readAll().text()).isEqualTo("ok");
    assertThat(origin.heads()).singleElement().asString().contains("X-Forwarded-Proto: https");
  }

  private static byte[] readToTheEnd(dev.sluice.fixture.RawClient client) {
    return client.readUntilClose();
  }

  private static TlsOrigin origin(TestCertificate certificate, String answer, End end) {
    return running.closing(TlsOrigin.start(certificate, answer, end));
  }

  private Sluice proxy(int originPort, ProxyFile file) {
    return running.proxy(originPort, file, TlsProviders.by(provider));
  }

  private ProxyFile trusting(String keys) {
    Path ca = folder.resolve("ca.pem");
    try {
      Files.writeString(ca, root.pem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String roots = keys.contains("ca:") ? "" : ", ca: \"" + ca + "\"";
    return ProxyFile.plain().origin("tls: { " + keys + roots + " }");
  }
}
