package dev.sluice.scenarios.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Clients that read their answers a little at a time, which Gatling's own never do. Thread-safe:
 * after {@link #begin} their sockets belong to one thread.
 */
final class SlowReaders implements AutoCloseable {

  private static final int RECEIVE_BUFFER = 8_192;
  private static final int CONNECT_MILLIS = 5_000;
  private static final long TURN_MILLIS = 100;

  private final URI target;
  private final int bytesATurn;
  private final List<Socket> sockets = new ArrayList<>();
  private final ScheduledExecutorService pace =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "slow-readers");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Readers of a server over plain HTTP.
   *
   * @param bytesPerSecond each of them takes at most
   */
  SlowReaders(String target, int bytesPerSecond) {
    this.target = URI.create(target);
    this.bytesATurn = (int) Math.max(1, bytesPerSecond * TURN_MILLIS / 1_000);
    if (!this.target.getScheme().equals("http")) {
      throw new IllegalArgumentException("sluice.target: " + target + " (expected: http)");
    }
  }

  /** Each path is asked for by one reader at once. */
  void begin(List<String> paths) {
    pace.execute(() -> paths.forEach(this::ask));
    pace.scheduleWithFixedDelay(
        () -> sockets.forEach(this::readSome), 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void ask(String path) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(RECEIVE_BUFFER);
      int port = target.getPort() < 0 ? 80 : target.getPort();
      socket.connect(new InetSocketAddress(target.getHost(), port), CONNECT_MILLIS);
      String request = "GET " + path + " HTTP/1.1\r\nHost: " + target.getAuthority() + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    } catch (IOException e) {
      throw new UncheckedIOException("a slow reader of " + path, e);
    }
  }

  private void readSome(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      in.skipNBytes(Math.min(in.available(), bytesATurn));
    } catch (IOException cut) {
      // Whoever cut it off need not be read from again.
      closeQuietly(socket);
    }
  }

  @Override
  public void close() {
    pace.execute(() -> sockets.forEach(SlowReaders::closeQuietly));
    pace.shutdown();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException closedAnyway) {
      return;
    }
  }
}
