package dev.sluice.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.TestCertificate;
import dev.sluice.time.FakeTicker;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ticket keys and who may still resume, on a clock of the test's (RFC 5077 5.5, T02). */
class TicketKeysTest {

  private static final long LIFETIME = TicketKeys.LIFETIME.toNanos();

  private final TestCertificate certificate = TestCertificate.of("localhost");
  private final FakeTicker ticker = new FakeTicker();
  @TempDir Path folder;
  private ServerTls server;

  // server is made before each test.
  @SuppressWarnings("NullAway.Init")
  TicketKeysTest() {}

  @BeforeEach
  void start() throws IOException {
    certificate.writeTo(folder);
    server = server(TlsProvider.best());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private ServerTls server(TlsProvider provider) throws IOException {
    return new ServerTls(
        provider,
        new ServerTlsSettings(folder.resolve("cert.pem"), folder.resolve("key.pem"), false, true),
        Alpn.ONLY_HTTP_1,
        ticker);
  }

  private void pass(long nanos) {
    ticker.advance(nanos);
    server.renewTicketKeys();
  }

  /** A client that comes once, and then once more. */
  private final class Client {

    private final SSLContext context = TestCertificate.clientContext(certificate);

    Client() {
      SSLSession session = EnginePair.shake(server, context);
      session.putValue("first", "yes");
    }

    /** Whether its session is the one that it came with first. */
    boolean resumes() {
      return EnginePair.shake(server, context).getValue("first") != null;
    }
  }

  @Test
  void ticket_isOpened_byItsKey_andWhileThatIsTheOneBefore() {
    var early = new Client();
    var rotated = new Client();
    var late = new Client();
    var tooLate = new Client();

    pass(LIFETIME - 1);
    assertThat(early.resumes()).as("its key is the newest").isTrue();
    pass(1);
    assertThat(rotated.resumes()).as("its key is the one before").isTrue();
    var second = new Client();
    pass(LIFETIME - 1);
    assertThat(late.resumes()).as("it still is").isTrue();
    pass(1);
    assertThat(tooLate.resumes()).as("nobody has its key any more").isFalse();
    assertThat(second.resumes()).as("its key is the one before").isTrue();
  }

  /** A clock that jumps, as behind a long pause, makes no key live longer. */
  @Test
  void clockJumps_ofTheOldKeysNoneIsLeft() {
    var client = new Client();

    pass(5 * LIFETIME);

    assertThat(client.resumes()).isFalse();
    assertThat(new Client().resumes()).isTrue();
  }

  /** Another certificate has other keys; the same files have the same (T02). */
  @Test
  void t02_reload_keepsTheKeys_unlessTheCertificateIsAnother() throws IOException {
    var same = new Client();
    var other = new Client();
    var settings =
        new ServerTlsSettings(folder.resolve("cert.pem"), folder.resolve("key.pem"), false, true);

    server.reload(settings, Alpn.ONLY_HTTP_1);
    assertThat(same.resumes()).isTrue();

    // Another policy under the same certificate: whoever trusts it would take the session.
    server.reload(settings, Alpn.BOTH);
    assertThat(other.resumes()).isFalse();
  }

  /** The JDK's engine draws its own keys; a session is resumed, and not in another process. */
  @Test
  void jdk_sessionsAreResumed_whereTheyWereMade() throws IOException {
    server.close();
    server = server(TlsProvider.JDK);
    var client = new Client();
    var abroad = new Client();
    assertThat(client.resumes()).isTrue();

    server.close();
    server = server(TlsProvider.JDK);

    assertThat(abroad.resumes()).isFalse();
  }
}
