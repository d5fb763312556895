package dev.sluice.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.PlainHttpListener.Question;
import dev.sluice.net.PlainHttpListener.Reply;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against raw sockets; {@code /slow} stands still until a test lets it go. */
final class PlainHttpListenerTest {

  private static final int LARGE = 10 * 1024 * 1024;
  private static final int SOCKET_TIMEOUT_MILLIS = 10_000;

  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  private final CountDownLatch slowBegan = new CountDownLatch(1);
  private final CountDownLatch slowMayEnd = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final Transport transport = Transport.of(NetSettings.TransportChoice.AUTO);
  private PlainHttpListener listener;
  private int port;

  @BeforeAll
  static void watchLeaks() {
    ByteBufUtil.setLeakListener((type, records) -> LEAKS.add(type + records));
  }

  @AfterAll
  static void leaks_none() {
    for (int i = 0; i < 5; i++) {
      System.gc();
      // Leaks are reported when the next buffer is made.
      Unpooled.directBuffer(1).release();
    }
    ByteBufUtil.setLeakListener(null);

    assertThat(LEAKS).isEmpty();
  }

  @BeforeEach
  void start() throws BindFailure {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    listener = new PlainHttpListener(transport, "test-operator", new TestPages());
    port = listener.bind(new Address("127.0.0.1", 0));
  }

  @AfterEach
  void stop() {
    slowMayEnd.countDown();
    listener.close();
  }

  @Test
  void get_answersAndCloses() throws IOException {
    assertThat(ask("GET /page?token=1 HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("content-length: 5\r\n", "connection: close\r\n", "cache-control: no-store\r\n")
        .endsWith("\r\n\r\n/page");
  }

  @Test
  void head_hasLengthWithoutBody() throws IOException {
    assertThat(ask("HEAD /page HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("content-length: 5\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void question_hasTheQueryAndTheFields() throws IOException {
    assertThat(ask("GET /told?a=%20b?c HTTP/1.1\r\nHost: x\r\nX-Told: 1\r\nx-told: 2\r\n\r\n"))
        .endsWith("\r\n\r\na=%20b?c [1, 2]");
  }

  @Test
  void post_isNotAllowed() throws IOException {
    assertThat(ask("POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"))
        .startsWith("HTTP/1.1 405 Method Not Allowed\r\n")
        .contains("allow: GET, HEAD\r\n");
    assertThat(asked).hasValue(0);
  }

  @Test
  void garbage_isMalformed() throws IOException {
    assertThat(ask("GET /page\r\n\r\n")).startsWith("HTTP/1.1 400 Bad Request\r\n");
    assertThat(ask("GET /page HTTP/1.1\r\nX: " + "a".repeat(20_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 400 Bad Request\r\n");
  }

  @Test
  void body_large_isRefused() throws IOException {
    int length = PlainHttpListener.MAX_REQUEST + 1;

    try (Socket socket = open()) {
      send(socket, "GET /page HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n");

      assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
          .isEqualTo("HTTP/1.1 413");
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void requests_pipelined_getOneAnswer() throws IOException {
    String request = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";

    assertThat(ask(request.repeat(50))).containsOnlyOnce("HTTP/1.1");
    assertThat(asked).hasValue(1);
  }

  @Test
  void page_failing_is500() throws IOException {
    assertThat(ask("GET /broken HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 500 ")
        .doesNotContain("secret");
  }

  @Test
  void page_slow_delaysNoProbe() throws Exception {
    try (Socket slow = open()) {
      send(slow, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(slowBegan.await(10, TimeUnit.SECONDS)).isTrue();

      assertThat(ask("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")).endsWith("/health");

      slowMayEnd.countDown();
      assertThat(rest(slow)).endsWith("/slow");
    }
  }

  @Test
  void page_largeAndUnread_delaysNoProbe() throws IOException {
    try (Socket reader = open()) {
      send(reader, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(reader.getInputStream().read()).isEqualTo('H');

      assertThat(ask("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")).endsWith("/health");

      assertThat(rest(reader).length()).isGreaterThan(LARGE);
    }
  }

  @Test
  void connections_held_theOldestMakesRoom() throws IOException {
    List<Socket> held = new ArrayList<>();
    try {
      for (int i = 0; i < PlainHttpListener.MAX_CONNECTIONS; i++) {
        Socket socket = open();
        send(socket, "GET /he");
        held.add(socket);
      }

      assertThat(ask("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")).endsWith("/health");

      assertThat(rest(held.get(0))).isEmpty();
      send(held.get(1), "alth HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(rest(held.get(1))).endsWith("/health");
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  @Test
  void address_taken_isOneLine() {
    var second = new PlainHttpListener(transport, "test-second", new TestPages());

    assertThatThrownBy(() -> second.bind(new Address("127.0.0.1", port)))
        .isInstanceOf(BindFailure.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageNotContaining("\n");
    second.close();
  }

  private String ask(String request) throws IOException {
    try (Socket socket = open()) {
      send(socket, request);
      return rest(socket);
    }
  }

  private Socket open() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  private final class TestPages implements PlainHttpListener.Pages {

    @Override
    public Reply answer(Question question) {
      String path = question.path();
      if (!question.method().equals("GET")) {
        return PlainHttpListener.notAllowed("GET, HEAD");
      }
      asked.incrementAndGet();
      if (path.equals("/told")) {
        return PlainHttpListener.plain(
            200, question.query() + " " + question.fields().get("x-told"));
      }
      if (path.equals("/broken")) {
        throw new IllegalStateException("secret");
      }
      if (path.equals("/large")) {
        return new Reply(200, "text/plain", new byte[LARGE]);
      }
      if (path.equals("/slow")) {
        slowBegan.countDown();
        awaitEnd();
      }
      return PlainHttpListener.plain(200, path);
    }

    @Override
    public boolean isInstant(String path) {
      return path.equals("/health");
    }

    private void awaitEnd() {
      try {
        slowMayEnd.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
