package dev.sluice.chaos;

import dev.sluice.fixture.PeerEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sends back what it gets, and tells how each connection ended. Thread-safe. */
final class EchoServer implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  private final ServerSocket listener;
  private final BlockingQueue<PeerEnd> ends = new LinkedBlockingQueue<>();
  private final AtomicLong received = new AtomicLong();

  EchoServer() {
    try {
      listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("echo-accept", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Bytes that came on all connections. */
  long received() {
    return received.get();
  }

  /** How the next connection ends, as it saw it. */
  PeerEnd awaitEnd() {
    try {
      PeerEnd end = ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (end == null) {
        throw new AssertionError("no connection ended within " + PATIENCE_SECONDS + " s");
      }
      return end;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        start("echo", () -> echo(socket));
      }
    } catch (IOException closed) {
      // The listener's end is this thread's.
      return;
    }
  }

  private void echo(Socket socket) {
    byte[] buffer = new byte[64 << 10];
    try (socket) {
      for (int count = socket.getInputStream().read(buffer);
          count >= 0;
          count = socket.getInputStream().read(buffer)) {
        received.addAndGet(count);
        socket.getOutputStream().write(buffer, 0, count);
      }
      ends.add(PeerEnd.FIN);
    } catch (IOException reset) {
      ends.add(PeerEnd.RST);
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
