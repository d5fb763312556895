package dev.sluice.scenarios.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * One client that reads its answer a little at a time. It is begun and takes its turns on one
 * thread after another; what it saw, guarded by this object's lock, may be asked for meanwhile.
 */
final class SlowReader implements AutoCloseable {

  /** Small, so that the sender soon feels that nobody reads. */
  private static final int RECEIVE_BUFFER = 8_192;

  private static final int CONNECT_MILLIS = 5_000;
  private static final int HEAD_MAX = 64 << 10;
  private static final String BLANK_LINE = "\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})");
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n");
  private static final SSLSocketFactory TLS = trustingAll();

  private final URI server;
  private final String path;
  private final byte[] turn;
  private final Socket socket = new Socket();
  private InputStream in = InputStream.nullInputStream();

  private long beganMillis;
  private String head = "";
  private String tail = "";
  private int status;
  private int bodyBytes;
  private boolean isOver;

  /**
   * A reader that has not asked yet.
   *
   * @param server scheme, host and port
   * @param bytesATurn it reads at most
   */
  SlowReader(URI server, String path, int bytesATurn) {
    this.server = server;
    this.path = path;
    this.turn = new byte[bytesATurn];
  }

  /** Asks. */
  void begin() {
    began();
    try {
      boolean isTls = server.getScheme().equals("https");
      int port = server.getPort() < 0 ? (isTls ? 443 : 80) : server.getPort();
      socket.setReceiveBufferSize(RECEIVE_BUFFER);
      socket.connect(new InetSocketAddress(server.getHost(), port), CONNECT_MILLIS);
      Socket spoken = isTls ? TLS.createSocket(socket, server.getHost(), port, true) : socket;
      String request = "GET " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + BLANK_LINE;
      spoken.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      in = spoken.getInputStream();
    } catch (IOException unreachable) {
      ended();
    }
  }

  /** Waits until something comes, and reads some of it. */
  void takeTurn() {
    if (isOver()) {
      return;
    }
    try {
      int count = in.read(turn);
      if (count < 0) {
        ended();
      } else {
        took(new String(turn, 0, count, StandardCharsets.ISO_8859_1));
      }
    } catch (IOException reset) {
      ended();
    }
  }

  private synchronized void began() {
    beganMillis = System.currentTimeMillis();
  }

  private synchronized void ended() {
    isOver = true;
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  private synchronized void took(String text) {
    if (status > 0) {
      tookOfBody(text);
      return;
    }
    head += text;
    int end = head.indexOf(BLANK_LINE);
    if (end >= 0) {
      Matcher line = STATUS.matcher(head);
      status = line.find() ? Integer.parseInt(line.group(1)) : 0;
      tookOfBody(head.substring(end + BLANK_LINE.length()));
      head = head.substring(0, end) + "\r\n";
    }
    isOver = status == 0 && head.length() > HEAD_MAX;
  }

  private void tookOfBody(String text) {
    bodyBytes += text.length();
    String last = tail + text;
    tail = last.substring(Math.max(0, last.length() - BLANK_LINE.length()));
  }

  /** What it saw so far; the status is 0 if no head came or the answer was cut off. */
  synchronized Sample sample(String kind) {
    long took = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() - beganMillis);
    int seen = isOver && !isWhole() ? 0 : status;
    return new Sample(kind, path, beganMillis, took, seen, bodyBytes, 0, "", "", "", "", "", "");
  }

  /** By its length, or by the empty line that ends a body in chunks. */
  private boolean isWhole() {
    Matcher length = LENGTH.matcher(head.toLowerCase(Locale.ROOT));
    return length.find() ? bodyBytes >= Long.parseLong(length.group(1)) : tail.equals(BLANK_LINE);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException closedAnyway) {
      return;
    }
  }

  /** As Gatling's own clients, who ask for no certificate's issuer. */
  private static SSLSocketFactory trustingAll() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no TLS", e);
    }
  }

  /** Stateless. */
  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
