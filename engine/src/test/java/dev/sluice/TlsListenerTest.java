package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.Settings;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.net.tls.TlsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS from clients, as a client sees it. */
@ParameterizedClass
@MethodSource("dev.sluice.TlsProviders#here")
class TlsListenerTest {

  @RegisterExtension static final Running running = new Running();

  private final TlsProvider provider;
  private final TestCertificate first = TestCertificate.of("localhost");
  @TempDir Path folder;
  private SlowOrigin origin;

  // origin is made before each test.
  @SuppressWarnings("NullAway.Init")
  TlsListenerTest(TlsProvider provider) {
    this.provider = provider;
  }

  @BeforeEach
  void start() {
    first.writeTo(folder);
    origin = running.slowOrigin();
  }

  /** PRX-06, PRX-07: a second listener, and the chain that it presents is the file's. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void prx06_tlsListener_answersBesideTheClearTextOne(String version) throws Exception {
    Sluice proxy = proxy(file(""));

    SecureClient client =
        running.closing(
            SecureClient.connect(
                proxy.tlsPort(), TestCertificate.clientContext(first), List.of(), version));

    assertThat(client.http().get("/x?bytes=100000").readAll().body()).hasSize(100_000);
    assertThat(client.http().get("/x?bytes=5").readAll().body()).hasSize(5);
    assertThat(client.session().getPeerCertificates()[0]).isEqualTo(first.certificate());
    assertThat(running.client(proxy).get("/x").readAll().status()).isEqualTo(200);
  }

  /** The origin is told what the client speaks. */
  @Test
  void scheme_ofTheTlsListener_isHttps() {
    Sluice proxy = proxy(file(""));

    assertThat(client(proxy, first).http().get("/x?echo=1").readAll().text())
        .contains("[\"X-Forwarded-Proto\",\"https\"]");
    assertThat(running.client(proxy).get("/x?echo=1").readAll().text())
        .contains("[\"X-Forwarded-Proto\",\"http\"]");
  }

  /** PRX-08: http/1.1 is agreed on where it is offered. */
  @Test
  void prx08_alpn_agreesOnHttp1() {
    Sluice proxy = proxy(file("h2: false, "));
    SSLContext trusting = TestCertificate.clientContext(first);

    SecureClient client =
        running.closing(
            SecureClient.connect(proxy.tlsPort(), trusting, List.of("h2", "http/1.1"), "TLSv1.3"));

    assertThat(client.protocol()).isEqualTo("http/1.1");
    assertThat(client.http().get("/x").readAll().status()).isEqualTo(200);
  }

  @Test
  void oldVersions_areRefused() {
    Sluice proxy = proxy(file(""));

    assertThatThrownBy(
            () ->
                SecureClient.connect(
                    proxy.tlsPort(), TestCertificate.clientContext(first), List.of(), "TLSv1.1"))
        .isInstanceOf(RuntimeException.class);
    assertThat(client(proxy, first).http().get("/x").readAll().status()).isEqualTo(200);
  }

  /** DEC-21, T02: a session is resumed where tickets are on, and not where they are off. */
  @Test
  void dec21_sessionTickets_decideWhoResumes() throws IOException {
    Sluice with = proxy(file(""));
    Sluice without = proxy(file("session_tickets: false, "));

    assertThat(resumes(with, TestCertificate.clientContext(first))).isTrue();
    assertThat(resumes(without, TestCertificate.clientContext(first))).isFalse();
  }

  /** A reload is seen by new connections, and those under way live on. */
  @Test
  void reload_withAnotherCertificate_dropsNobody() throws IOException {
    ProxyFile file = file("");
    Sluice proxy = proxy(file);
    SecureClient before = client(proxy, first);
    assertThat(before.http().get("/x").readAll().status()).isEqualTo(200);

    TestCertificate second = TestCertificate.of("localhost");
    second.writeTo(folder);
    proxy.reload(settings(file));

    assertThat(before.http().get("/x").readAll().status()).isEqualTo(200);
    assertThat(client(proxy, second).http().get("/x").readAll().status()).isEqualTo(200);
    assertThatThrownBy(() -> client(proxy, first)).isInstanceOf(UncheckedIOException.class);
  }

  /** T02: a session made under one certificate is not resumed under another. */
  @Test
  void t02_sessionOfTheOldCertificate_isNotResumed() throws Exception {
    ProxyFile file = file("");
    Sluice proxy = proxy(file);
    TestCertificate second = TestCertificate.of("localhost");
    SSLContext trusting = TestCertificate.clientContext(first, second);
    SSLSession old = sessionOf(proxy, trusting);

    proxy.reload(settings(file));
    SSLSession same = sessionOf(proxy, trusting);
    second.writeTo(folder);
    proxy.reload(settings(file));
    SSLSession next = sessionOf(proxy, trusting);

    assertThat(same.getCreationTime())
        .as("the same files: resumed")
        .isEqualTo(old.getCreationTime());
    assertThat(next.getPeerCertificates()[0]).isEqualTo(second.certificate());
  }

  /** A reload with files that do not serve keeps what was there. */
  @Test
  void reload_withWrongKey_keepsTheOldOne() throws IOException {
    ProxyFile file = file("");
    Sluice proxy = proxy(file);
    Settings same = settings(file);

    Files.writeString(folder.resolve("key.pem"), TestCertificate.of("localhost").keyPem());

    assertThatThrownBy(() -> proxy.reload(same))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not belong to the certificate");
    assertThat(client(proxy, first).http().get("/x").readAll().status()).isEqualTo(200);
  }

  /** Clear text at the TLS port, a handshake that never ends, and one that breaks off. */
  @Test
  void handshakes_thatComeToNothing_areClosedAndCounted() {
    ProxyFile hurried = file("").block("timeouts: { client_header: 300ms }");
    Sluice proxy = proxy(hurried);
    RawClient plain = running.closing(RawClient.connect(proxy.tlsPort()));
    RawClient silent = running.closing(RawClient.connect(proxy.tlsPort()));

    plain.get("/x").awaitEnd();
    silent.awaitEnd();

    assertThat(proxy.arrivals().faults()).containsEntry("not_tls", 1L);
    Running.await(
        "its count", () -> Long.valueOf(1).equals(proxy.arrivals().faults().get("timeout")));
    assertThat(origin.stats().requests()).isZero();
  }

  /** DEC-27: a FIN without close_notify behind a request that was asked is no leaving. */
  @Test
  void dec27_finBehindTheRequest_isAnswered() {
    Sluice proxy = proxy(file(""));
    SecureClient client = client(proxy, first);

    RawClient http = client.http().get("/x?bytes=8000000");
    Running.awaitRequests(origin, 1);
    client.finOnly();

    assertThat(http.readAll().body()).hasSize(8_000_000);
  }

  /** Back-pressure holds: a client that reads nothing stalls the origin. */
  @Test
  void slowReader_stallsTheOrigin() {
    Sluice proxy = proxy(file(""));
    int whole = 32 << 20;
    RawClient client = client(proxy, first).http().get("/x?bytes=" + whole);

    client.readHead();
    long sent = settledBytes();

    assertThat(sent).isLessThan(whole / 2);
    assertThat(client.readBody(whole)).hasSize(whole);
  }

  private long settledBytes() {
    long[] last = {-1, 0};
    Running.await(
        "the origin to stand still",
        () -> {
          long now = origin.stats().bytesWritten();
          boolean still = now == last[0] && now > 0;
          last[1] = still ? last[1] + 1 : 0;
          last[0] = now;
          return last[1] > 200;
        });
    return last[0];
  }

  /** Which engine serves is told. */
  @Test
  void status_namesTheTlsProvider() {
    Sluice proxy = proxy(file(""));

    assertThat(proxy.status().tls()).isEqualTo(provider.code());
    assertThat(proxy.status().listeners())
        .anySatisfy(listener -> assertThat(listener.name()).isEqualTo("tls"));
  }

  private Sluice proxy(ProxyFile file) {
    return running.proxy(origin.port(), file, TlsProviders.by(provider));
  }

  private ProxyFile file(String keys) {
    return ProxyFile.plain()
        .server(
            "tls: { listen: \"127.0.0.1:0\", %scert: \"%s\", key: \"%s\" }"
                .formatted(keys, folder.resolve("cert.pem"), folder.resolve("key.pem")));
  }

  private Settings settings(ProxyFile file) {
    return Running.settings(origin.port(), file);
  }

  private static SecureClient client(Sluice proxy, TestCertificate trusted) {
    return running.closing(SecureClient.connect(proxy.tlsPort(), trusted));
  }

  private static boolean resumes(Sluice proxy, SSLContext trusting) {
    SSLSession one = sessionOf(proxy, trusting);
    SSLSession two = sessionOf(proxy, trusting);
    return one.getCreationTime() == two.getCreationTime()
        && Arrays.equals(one.getLocalCertificates(), two.getLocalCertificates());
  }

  private static SSLSession sessionOf(Sluice proxy, SSLContext trusting) {
    SecureClient client =
        running.closing(SecureClient.connect(proxy.tlsPort(), trusting, List.of(), "TLSv1.3"));
    assertThat(client.http().get("/x").readAll().status()).isEqualTo(200);
    return client.session();
  }
}
