package dev.sluice.cli;

import dev.sluice.Sluice;
import dev.sluice.config.Settings;
import dev.sluice.governor.fetch.FetchSettings.Upstream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One request through a proxy that starts only to leave its classes in an archive: to an origin in
 * this process and back, and the probe that asks whether it is ready. So the archive holds what the
 * first request needs. For one thread.
 */
final class Rehearsal implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok";

  private final ServerSocket origin;

  private Rehearsal(ServerSocket origin) {
    this.origin = origin;
  }

  /** Opens the origin. */
  static Rehearsal open() throws IOException {
    return new Rehearsal(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
  }

  /** The same settings before this origin. */
  Settings before(Settings settings) {
    var upstream = new Upstream(origin.getInetAddress().getHostAddress(), origin.getLocalPort());
    return new Settings(
        settings.net().withoutProxyProtocol(),
        settings.tls(),
        settings.drain(),
        settings.wire().beforePlainOrigin(),
        settings.classify(),
        settings.admit(),
        settings.fetch().before(List.of(upstream)),
        settings.deliver(),
        settings.reuse(),
        settings.spool(),
        settings.application().without(),
        settings.admin(),
        settings.log(),
        settings.fingerprint());
  }

  /**
   * Asks both listeners.
   *
   * @throws IOException where one does not answer 200
   */
  void perform(Sluice sluice) throws IOException {
    var answering = new Thread(this::answerOnce, "sluice-rehearsal");
    answering.setDaemon(true);
    answering.start();
    if (sluice.adminPort() != 0) {
      ask(sluice.adminPort(), "/health/ready");
    }
    ask(sluice.port(), "/");
  }

  @Override
  public void close() throws IOException {
    origin.close();
  }

  /** One connection carries the one request. */
  private void answerOnce() {
    try (Socket proxy = origin.accept()) {
      proxy.setSoTimeout(PATIENCE_MILLIS);
      readHead(proxy.getInputStream());
      proxy.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
      proxy.getOutputStream().flush();
      proxy.getInputStream().readAllBytes();
    } catch (IOException gone) {
      // The request fails without this origin, and says so.
      return;
    }
  }

  private static void readHead(InputStream in) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
    String line = lines.readLine();
    while (line != null && !line.isEmpty()) {
      line = lines.readLine();
    }
  }

  private static void ask(int port, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (!answer.startsWith("HTTP/1.1 200 ")) {
        throw new IOException(path + " was answered: " + answer.lines().findFirst().orElse("-"));
      }
    }
  }
}
