package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TlsOrigin.End;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.net.tls.TlsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * WebSockets behind TLS, on either side (T07): an end that was said is passed on as one, and a FIN
 * without close_notify is a cut for whoever is at the other end.
 */
@ParameterizedClass
@MethodSource("dev.sluice.TlsProviders#here")
class SecureTunnelTest {

  private static final String SHAKE =
      "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  private static final String AGREED =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

  /** A masked text frame "hi", and what an echo says of it. */
  private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

  private static final byte[] ECHO = {(byte) 0x81, 2, 'h', 'i'};

  @RegisterExtension static final Running running = new Running();

  private final TlsProvider provider;
  private final TestCertificate root = TestCertificate.of("root.test");
  private final TestCertificate own = TestCertificate.of("localhost");
  @TempDir Path folder;

  SecureTunnelTest(TlsProvider provider) {
    this.provider = provider;
  }

  @BeforeEach
  void write() throws IOException {
    own.writeTo(folder);
    Files.writeString(folder.resolve("ca.pem"), root.pem());
  }

  private ProxyFile file() {
    return ProxyFile.plain()
        .accessLog(log().toString())
        .server(
            "tls: { listen: \"127.0.0.1:0\", cert: \"%s\", key: \"%s\" }"
                .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem")))
        .block("upgrade: { enabled: true }");
  }

  private Path log() {
    return folder.resolve("access.log");
  }

  private Sluice before(TrickOrigin origin) {
    return running.proxy(origin.port(), file(), TlsProviders.by(provider));
  }

  private Sluice before(TlsOrigin origin) {
    return running.proxy(
        origin.port(),
        file().origin("tls: { sni: origin.test, ca: \"" + folder.resolve("ca.pem") + "\" }"),
        TlsProviders.by(provider));
  }

  private TlsOrigin origin(String says, End end) {
    return running.closing(
        TlsOrigin.start(root.issue("origin.test"), AGREED + says, end, "TLSv1.2"));
  }

  private static TrickOrigin listening() {
    return running.trickOrigin(
        TrickScript.begin().readHead().write(AGREED).readUntilClose().close());
  }

  /** TLS 1.2 lets a test see which record is an alert. */
  private SecureClient connect(Sluice proxy) {
    return connect(proxy, "TLSv1.2");
  }

  private SecureClient connect(Sluice proxy, String version) {
    return running.closing(
        SecureClient.connect(
            proxy.tlsPort(), TestCertificate.clientContext(own), List.of(), version));
  }

  private static RawClient shaken(SecureClient client) {
    RawClient http = client.http().send(SHAKE);
    assertThat(http.readHead()).startsWith("HTTP/1.1 101");
    return http;
  }

  private void awaitLine(String cause) {
    Running.await("its line", () -> text().contains("\"class\":\"upgrade\""));
    assertThat(text())
        .containsOnlyOnce("\"class\":\"upgrade\"")
        .contains("\"cause\":\"" + cause + "\"");
  }

  private String text() {
    try {
      return Files.exists(log()) ? Files.readString(log(), StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitNoTunnel(Sluice proxy) {
    Running.await(
        "no tunnel",
        () ->
            Objects.requireNonNull(proxy.status().admissions().get("upgrade")).global().inFlight()
                == 0);
  }

  @Test
  void echo_overTlsOnBothSides() {
    SlowOrigin origin =
        running.closing(
            SlowOrigin.startTls(
                dev.sluice.fixture.SlowOriginSettings.defaults(), root.issue("origin.test")));
    Sluice proxy =
        running.proxy(
            origin.port(),
            file().origin("tls: { sni: origin.test, ca: \"" + folder.resolve("ca.pem") + "\" }"),
            TlsProviders.by(provider));
    RawClient client = shaken(connect(proxy));
    for (int i = 0; i < 3; i++) {
      assertThat(client.send(HI).readBody(ECHO.length)).isEqualTo(ECHO);
    }
  }

  // The client's end.

  @Test
  void t07_clientSaysItsLast_theOriginHearsAFin_andBothAreDone() {
    TrickOrigin origin = listening();
    Sluice proxy = before(origin);
    SecureClient client = connect(proxy);
    RawClient http = shaken(client).send("last words");

    client.sayLast();

    http.readUntilClose();
    assertThat(client.wasNotified()).isTrue();
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).receivedText()).endsWith("last words");
    awaitLine("complete");
    awaitNoTunnel(proxy);
  }

  /** RFC 8446 6.1: it may have been anybody. */
  @Test
  void t07_clientsFinAlone_isItsLeaving() {
    TrickOrigin origin = listening();
    Sluice proxy = before(origin);
    SecureClient client = connect(proxy);
    shaken(client);

    client.finOnly();

    origin.connection(0).awaitScriptOver();
    awaitLine("client_left");
    awaitNoTunnel(proxy);
  }

  /** And an origin behind TLS can tell the two apart, as we could. */
  @Test
  void t07_originBehindTls_hearsWhatTheClientSaid() {
    for (boolean tidy : new boolean[] {true, false}) {
      TlsOrigin origin = origin("", End.KEEP);
      Sluice proxy = before(origin);
      SecureClient client = connect(proxy);
      shaken(client);

      if (tidy) {
        client.sayLast();
      } else {
        client.finOnly();
      }

      Running.await("the origin's end", () -> !origin.ends().isEmpty());
      assertThat(origin.ends()).containsExactly(tidy);
      awaitNoTunnel(proxy);
    }
  }

  /**
   * Half-close: TLS 1.3 lets the other side speak on, and BoringSSL does not; that all comes to an
   * end depends on neither.
   */
  @Test
  void t07_clientHalfCloses_theOriginsLastWords() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(AGREED).readUntilClose().write("bye").close());
    Sluice proxy = before(origin);
    SecureClient client = connect(proxy, "TLSv1.3");
    RawClient http = shaken(client);

    client.sayLast();

    String heard = new String(http.readUntilClose(), StandardCharsets.US_ASCII);
    assertThat(heard).isEqualTo(provider == TlsProvider.JDK ? "bye" : "");
    origin.connection(0).awaitScriptOver();
    awaitNoTunnel(proxy);
  }

  // The origin's end.

  @Test
  void t07_originSaysItsLast_theClientHearsThat() {
    TlsOrigin origin = origin("bye", End.NOTIFY);
    Sluice proxy = before(origin);
    SecureClient client = connect(proxy);
    RawClient http = shaken(client);

    assertThat(http.readUntilClose()).asString().isEqualTo("bye");

    assertThat(client.wasNotified()).isTrue();
    client.sayLast();
    awaitNoTunnel(proxy);
  }

  @Test
  void t07_originsFinAlone_isACut_andTheClientCanTell() {
    TlsOrigin origin = origin("bye", End.CUT);
    Sluice proxy = before(origin);
    SecureClient client = connect(proxy);
    RawClient http = shaken(client);

    assertThat(http.readUntilClose()).asString().isEqualTo("bye");

    assertThat(client.wasNotified()).isFalse();
    awaitLine("origin_cut_short");
    awaitNoTunnel(proxy);
  }
}
