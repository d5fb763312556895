package dev.sluice.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A client's blocking socket; every read has a deadline that fails loudly. Confined to one thread.
 */
final class RawHttp implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket = new Socket();

  /** Connects to 127.0.0.1; {@code receiveBuffer} 0 = the system's choice. */
  RawHttp(int port, int receiveBuffer) {
    try {
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawHttp(int port) {
    this(port, 0);
  }

  /** Sends text as it is, bytes above 0x7f as Latin-1. */
  RawHttp send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends, or says that the other side is gone. */
  boolean trySend(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  RawHttp get(String target, String... fields) {
    return send("GET " + target + " HTTP/1.1\r\nHost: gate.test\r\n" + lines(fields) + "\r\n");
  }

  /** The status of the next head; its fields are skipped. */
  int status() {
    String head = head();
    return Integer.parseInt(head.substring(9, 12));
  }

  /** The next head, with its empty line. */
  String head() {
    var bytes = new ByteArrayOutputStream();
    try {
      while (!endsWithEmptyLine(bytes)) {
        int b = socket.getInputStream().read();
        if (b < 0) {
          throw new AssertionError("closed inside the head: " + bytes);
        }
        bytes.write(b);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads {@code count} bytes, fewer only where the other side closed. */
  int read(int count) {
    try {
      return socket.getInputStream().readNBytes(count).length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything up to the other side's close. */
  String rest() {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether the other side closes within {@code millis}. */
  boolean closesWithin(int millis) {
    try {
      socket.setSoTimeout(millis);
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  void halfClose() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves with a reset. */
  void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lines(String... fields) {
    var text = new StringBuilder();
    for (String field : fields) {
      text.append(field).append("\r\n");
    }
    return text.toString();
  }

  private static boolean endsWithEmptyLine(ByteArrayOutputStream bytes) {
    return bytes.size() >= 4 && bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n");
  }
}
