package dev.sluice;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * A client that speaks TLS by the JDK's engine over a socket of its own, so that a test can tell
 * what TLS said from what TCP said. Confined to the test's thread.
 */
final class SecureClient implements AutoCloseable {

  private final WatchedSocket tcp;
  private final SSLSocket tls;

  private SecureClient(WatchedSocket tcp, SSLSocket tls) {
    this.tcp = tcp;
    this.tls = tls;
  }

  /** Trusts {@code certificate} and shakes hands. */
  static SecureClient connect(int port, TestCertificate certificate) {
    return connect(port, TestCertificate.clientContext(certificate), List.of(), "TLSv1.3");
  }

  /** Offers these protocols by ALPN, and one version of TLS. */
  static SecureClient connect(int port, SSLContext context, List<String> alpn, String version) {
    try {
      var tcp = new WatchedSocket(port);
      tcp.setTcpNoDelay(true);
      var tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, "localhost", port, true);
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setProtocols(new String[] {version});
      parameters.setServerNames(List.of(new SNIHostName("localhost")));
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setApplicationProtocols(alpn.toArray(String[]::new));
      tls.setSSLParameters(parameters);
      tls.setSoTimeout(10_000);
      tls.startHandshake();
      return new SecureClient(tcp, tls);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Speaks through it. */
  RawClient http() {
    return RawClient.over(tls);
  }

  /** What was agreed on. */
  SSLSession session() {
    return tls.getSession();
  }

  String protocol() {
    return tls.getApplicationProtocol();
  }

  /** FIN without close_notify. */
  void finOnly() {
    try {
      tcp.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** close_notify, and behind it a FIN; what comes is still read. */
  void sayLast() {
    try {
      tls.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the last that was read was an alert, close_notify mostly; only TLS 1.2 shows it. */
  boolean wasNotified() {
    return tcp.wasNotified();
  }

  @Override
  public void close() throws IOException {
    tcp.close();
  }
}
