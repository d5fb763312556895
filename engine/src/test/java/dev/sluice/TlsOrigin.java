package dev.sluice;

import dev.sluice.fixture.TestCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;

/**
 * An origin that speaks TLS: it answers each head with one text, and notes what it saw. A thread
 * for each connection. Thread-safe.
 */
final class TlsOrigin implements AutoCloseable {

  /** How it ends a connection behind its answer. */
  enum End {
    /** It does not: the next request is awaited. */
    KEEP,
    /** close_notify, then FIN. */
    NOTIFY,
    /** FIN alone. */
    CUT
  }

  private final ServerSocket listening;
  private final TestCertificate certificate;
  private final String answer;
  private final End end;
  private final String version;
  private final AtomicInteger handshakes = new AtomicInteger();
  private final List<String> names = new CopyOnWriteArrayList<>();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** How each connection ended: whether the other side said so. */
  private final List<Boolean> ends = new CopyOnWriteArrayList<>();

  private TlsOrigin(TestCertificate certificate, String answer, End end, String version)
      throws IOException {
    this.version = version;
    this.listening = WatchedSocket.listen();
    this.certificate = certificate;
    this.answer = answer;
    this.end = end;
  }

  static TlsOrigin start(TestCertificate certificate, String answer, End end) {
    return start(certificate, answer, end, "TLSv1.3");
  }

  /** One that speaks this version and no other. */
  static TlsOrigin start(TestCertificate certificate, String answer, End end, String version) {
    try {
      var origin = new TlsOrigin(certificate, answer, end, version);
      run(origin::accept);
      return origin;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  int port() {
    return listening.getLocalPort();
  }

  int handshakes() {
    return handshakes.get();
  }

  /** The names that were asked for, one for each handshake. */
  List<String> names() {
    return List.copyOf(names);
  }

  /** The heads that came. */
  List<String> heads() {
    return List.copyOf(heads);
  }

  /** For each connection that is over: whether close_notify came; only TLS 1.2 shows it. */
  List<Boolean> ends() {
    return List.copyOf(ends);
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    var context = certificate.serverContext();
    while (!listening.isClosed()) {
      try {
        var tcp = (WatchedSocket) listening.accept();
        open.add(tcp);
        var tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, null, false);
        run(() -> serve(tcp, tls));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(WatchedSocket tcp, SSLSocket tls) {
    try {
      tls.setEnabledProtocols(new String[] {version});
      tls.startHandshake();
      handshakes.incrementAndGet();
      ((ExtendedSSLSession) tls.getSession())
          .getRequestedServerNames()
          .forEach(name -> names.add(new String(name.getEncoded(), StandardCharsets.US_ASCII)));
      var in =
          new BufferedReader(
              new InputStreamReader(tls.getInputStream(), StandardCharsets.ISO_8859_1));
      while (readHead(in)) {
        tls.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        if (end == End.NOTIFY) {
          tls.close();
        } else if (end == End.CUT) {
          tcp.shutdownOutput();
        }
      }
    } catch (IOException e) {
      // The other side ended it, or the test did.
      return;
    } finally {
      ends.add(tcp.wasNotified());
    }
  }

  private boolean readHead(BufferedReader in) throws IOException {
    var head = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isEmpty()) {
        heads.add(head.toString());
        return true;
      }
      head.append(line).append('\n');
    }
    return false;
  }

  private static void run(Runnable task) {
    var thread = new Thread(task, "tls-origin");
    thread.setDaemon(true);
    thread.start();
  }
}
