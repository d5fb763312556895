package dev.sluice.scenarios;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real server on a port of the loopback address; ends with the test. Thread-safe. */
final class ServerProcess implements AutoCloseable {

  /** Kept after the test, for whoever wants to know what a server said. */
  static final Path LOGS = Path.of("target", "servers");

  private static final Duration START_WITHIN = Duration.ofSeconds(20);
  private static final int ASK_EVERY_MILLIS = 50;
  private static final int STOP_SECONDS = 15;

  private final Process process;
  private final Path output;
  private final int port;

  private ServerProcess(Process process, Path output, int port) {
    this.process = process;
    this.output = output;
    this.port = port;
  }

  /** A port that nobody listened on a moment ago. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts the command and waits until {@code port} accepts connections. */
  static ServerProcess start(
      String name, List<String> command, Map<String, String> environment, int port)
      throws IOException, InterruptedException {
    Path output = Files.createDirectories(LOGS).resolve(name + "-" + port + ".log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    ServerProcess server = new ServerProcess(builder.start(), output, port);
    server.awaitListening();
    return server;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + port);
  }

  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
        .thenCompose(late -> late.destroyForcibly().onExit())
        .join();
  }

  private void awaitListening() throws IOException, InterruptedException {
    for (long asked = 0; !listens(); asked++) {
      boolean ended = process.waitFor(ASK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      if (ended || asked * ASK_EVERY_MILLIS > START_WITHIN.toMillis()) {
        String said = Files.readString(output);
        close();
        throw new AssertionError("nothing listens on " + port + "; the process said:\n" + said);
      }
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
