package dev.sluice;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A TCP socket under a TLS one that notes the records that come (RFC 5246 6.2.1), so that a test
 * can tell an end that was said from one that was not. TLS 1.3 hides what a record is, TLS 1.2 does
 * not. Read by one thread; any thread may ask.
 */
final class WatchedSocket extends Socket {

  private static final int HEADER = 5;
  private static final int ALERT = 21;

  private final byte[] header = new byte[HEADER];
  private int inHeader;
  private int bodyLeft;
  private volatile int lastRecord;

  /** Of a listener's; not connected yet. */
  private WatchedSocket() {}

  WatchedSocket(int port) throws IOException {
    super(InetAddress.getLoopbackAddress(), port);
  }

  /** A listener whose connections are watched. */
  static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress()) {
      @Override
      public Socket accept() throws IOException {
        var accepted = new WatchedSocket();
        implAccept(accepted);
        return accepted;
      }
    };
  }

  /** Whether the last record was an alert: close_notify, where nothing is wrong. */
  boolean wasNotified() {
    return lastRecord == ALERT;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int read = super.read(into, from, length);
        for (int i = 0; i < read; i++) {
          note(into[from + i]);
        }
        return read;
      }
    };
  }

  private void note(byte next) {
    if (bodyLeft > 0) {
      bodyLeft--;
      return;
    }
    header[inHeader++] = next;
    if (inHeader == HEADER) {
      inHeader = 0;
      lastRecord = header[0];
      bodyLeft = (header[3] & 0xff) << 8 | header[4] & 0xff;
    }
  }
}
